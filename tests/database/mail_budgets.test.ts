import { expect, test } from 'vitest';
import type { MailRule } from '#domain/mail_budget.ts';
import { HOUR_MS } from '#domain/time.ts';
import * as budgets from '#server/database/mail_budgets.ts';
import { openTestApp } from '#support/test_app.ts';

const NOW = Date.parse('2030-06-03T12:00:00Z');
const LIMIT = { mails: 2, periodMs: 24 * HOUR_MS, budget: 'mailbox' } as const;

async function setUp() {
  const { database } = await openTestApp();
  const mailbox = `${crypto.randomUUID()}@example.com`;
  const senderId = crypto.randomUUID();
  const kinds = { isLinkNeeded: false, isForSafety: false };
  const mailFrom = (source: string) => ({
    mailId: crypto.randomUUID(),
    ...{ mailbox, source, senderId, ...kinds },
  });
  const count = (source: string, at: number) =>
    budgets.insertCountedMail(database, mailFrom(source), at);
  const findEnd = (
    sameAs: MailRule['sameAs'],
    at: number,
    { source = 'a', limit = LIMIT }: { source?: string; limit?: Omit<MailRule, 'sameAs'> } = {},
  ) => budgets.findLimitEnd(database, mailFrom(source), { ...limit, sameAs }, at);
  return { database, count, findEnd };
}

test('a limit is reached until its oldest mail is older than its period', async () => {
  const { count, findEnd } = await setUp();
  await count('a', NOW);
  expect(await findEnd(['mailbox'], NOW)).toBe(null);
  await count('b', NOW + HOUR_MS);
  expect(await findEnd(['mailbox'], NOW + HOUR_MS)).toBe(NOW + 24 * HOUR_MS);
  expect(await findEnd(['mailbox'], NOW + 24 * HOUR_MS)).toBe(null);
});

test('counts before an instant are deleted', async () => {
  const { database, count, findEnd } = await setUp();
  const once = { ...LIMIT, mails: 1 };
  await count('a', NOW - 100 * 24 * HOUR_MS);
  await budgets.deleteOldCountedMails(database, NOW - 99 * 24 * HOUR_MS);
  expect(await findEnd(['mailbox'], NOW - 100 * 24 * HOUR_MS, { limit: once })).toBe(null);
});
