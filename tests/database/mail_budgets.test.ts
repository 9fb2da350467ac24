import { expect, test } from 'vitest';
import { HOUR_MS } from '#domain/time.ts';
import * as budgets from '#server/database/mail_budgets.ts';
import { openTestApp } from '#support/test_app.ts';

const NOW = Date.parse('2030-06-03T12:00:00Z');
const LIMIT = { mails: 2, periodMs: 24 * HOUR_MS };

async function setUp() {
  const { database } = await openTestApp();
  const mailbox = `${crypto.randomUUID()}@example.com`;
  const senderId = crypto.randomUUID();
  const count = (source: string, at: number) => {
    const mail = { mailId: crypto.randomUUID(), mailbox, source, senderId };
    return budgets.insertCountedMail(database, mail, at);
  };
  return { database, mailbox, senderId, count };
}

test('a limit is reached until its oldest mail is older than its period', async () => {
  const { database, mailbox, senderId, count } = await setUp();
  const end = (at: number) => budgets.findLimitEnd(database, { mailbox }, LIMIT, at);
  await count('a', NOW);
  expect(await end(NOW)).toBe(null);
  await count('b', NOW + HOUR_MS);
  expect(await end(NOW + HOUR_MS)).toBe(NOW + 24 * HOUR_MS);
  expect(await end(NOW + 24 * HOUR_MS)).toBe(null);
  const ofSource = { mailbox, source: 'a' };
  expect(await budgets.findLimitEnd(database, ofSource, LIMIT, NOW + HOUR_MS)).toBe(null);
  expect(await budgets.findLimitEnd(database, { senderId }, LIMIT, NOW + HOUR_MS)).not.toBe(null);
});

test('counts before an instant are deleted', async () => {
  const { database, mailbox, count } = await setUp();
  const once = { mails: 1, periodMs: 24 * HOUR_MS };
  await count('a', NOW - 100 * 24 * HOUR_MS);
  await budgets.deleteOldCountedMails(database, NOW - 99 * 24 * HOUR_MS);
  const then = NOW - 100 * 24 * HOUR_MS;
  expect(await budgets.findLimitEnd(database, { mailbox }, once, then)).toBe(null);
});
