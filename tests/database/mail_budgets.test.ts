import { expect, test } from 'vitest';
import { HOUR_MS } from '#domain/time.ts';
import * as budgets from '#server/database/mail_budgets.ts';
import { openTestApp } from '#support/test_app.ts';

const NOW = Date.parse('2030-06-03T12:00:00Z');
const LIMIT = {
  mails: 2,
  periodMs: 24 * HOUR_MS,
  budget: 'mailbox',
  sameAs: ['mailbox', 'source'],
} as const;

test('a limit is reached until its oldest mail is older than its period; networks of one /48 of IPv6 are one source', async () => {
  const { database } = await openTestApp();
  const mailbox = `${crypto.randomUUID()}@example.com`;
  const senderId = crypto.randomUUID();
  const mailFrom = (part: number) => ({
    mailId: crypto.randomUUID(),
    source: `2001:db8:1:${part}00::/56`,
    ...{ mailbox, senderId, isLinkNeeded: false, isForSafety: false },
  });
  const findEnd = (at: number) => budgets.findLimitEnd(database, mailFrom(3), LIMIT, at);
  await budgets.insertCountedMail(database, mailFrom(1), NOW);
  expect(await findEnd(NOW)).toBe(null);
  await budgets.insertCountedMail(database, mailFrom(2), NOW + HOUR_MS);
  expect(await findEnd(NOW + HOUR_MS)).toBe(NOW + 24 * HOUR_MS);
  expect(await findEnd(NOW + 24 * HOUR_MS)).toBe(null);
});
