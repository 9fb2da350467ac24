import { expect, test } from 'vitest';
import { HOUR_MS } from '#domain/time.ts';
import * as budgets from '#server/database/mail_budgets.ts';
import { openTestApp } from '#support/test_app.ts';

const NOW = Date.parse('2030-06-03T12:00:00Z');
const LIMIT = { mails: 2, periodMs: 24 * HOUR_MS, budget: 'mailbox', sameAs: ['mailbox'] } as const;

async function setUp() {
  const { database } = await openTestApp();
  const mailbox = `${crypto.randomUUID()}@example.com`;
  const senderId = crypto.randomUUID();
  const mailFrom = (source: string) => ({
    mailId: crypto.randomUUID(),
    ...{ mailbox, source, senderId, isLinkNeeded: false, isForSafety: false },
  });
  return { database, mailFrom };
}

test('a limit is reached until its oldest mail is older than its period', async () => {
  const { database, mailFrom } = await setUp();
  const findEnd = (at: number) => budgets.findLimitEnd(database, mailFrom('a'), LIMIT, at);
  await budgets.insertCountedMail(database, mailFrom('a'), NOW);
  expect(await findEnd(NOW)).toBe(null);
  await budgets.insertCountedMail(database, mailFrom('b'), NOW + HOUR_MS);
  expect(await findEnd(NOW + HOUR_MS)).toBe(NOW + 24 * HOUR_MS);
  expect(await findEnd(NOW + 24 * HOUR_MS)).toBe(null);
});

test('all networks of one /48 of IPv6 are one source of mails', async () => {
  const { database, mailFrom } = await setUp();
  const limit = { ...LIMIT, sameAs: ['mailbox', 'source'] } as const;
  const isFull = async (source: string) =>
    (await budgets.findLimitEnd(database, mailFrom(source), limit, NOW)) !== null;
  for (const part of [1, 2])
    await budgets.insertCountedMail(database, mailFrom(`2001:db8:1:${part}00::/56`), NOW);
  expect(await isFull('2001:db8:1:300::/56')).toBe(true);
  expect(await isFull('2001:db8:2:100::/56')).toBe(false);
});
