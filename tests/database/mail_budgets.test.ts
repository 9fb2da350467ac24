import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '#domain/time/time.ts';
import * as budgets from '#server/database/mail_budgets.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { openTestApp } from '#support/test_app.ts';

const NOW = Date.parse('2030-06-03T12:00:00Z');

test('a mail waits until the oldest mail is older than the period of each limit; networks of one /48 of IPv6 are one source', async () => {
  const { database } = await openTestApp();
  const mailbox = `${crypto.randomUUID()}@example.com`;
  const senderId = crypto.randomUUID();
  const mailFrom = (part: number) => ({
    mailId: crypto.randomUUID(),
    source: `2001:db8:1:${part}00::/56`,
    ...{ mailbox, senderId, isLinkNeeded: false, isForSafety: false },
  });
  const limits = ['links', 'unprovenSource'] as const;
  const findWait = (at: number, nth = 1) =>
    budgets.findMailWait(database, { mail: mailFrom(9), limits: limits.slice(nth) }, at);
  for (const hour of [0, 1, 2]) {
    await inTransaction(database, budgets.insertCountedMail, mailFrom(hour), NOW + hour * HOUR_MS);
    expect(await findWait(NOW + hour * HOUR_MS)).toBe(undefined);
  }
  await inTransaction(database, budgets.insertCountedMail, mailFrom(3), NOW + 3 * HOUR_MS);
  const until = NOW + DAY_MS;
  expect(await findWait(NOW + 3 * HOUR_MS)).toEqual({ budget: 'mailbox', until });
  expect(await findWait(until)).toBe(undefined);
  // The longest wait of all limits counts.
  expect(await findWait(NOW + 3 * HOUR_MS, 0)).toMatchObject({ until: until + 3 * HOUR_MS });
});
