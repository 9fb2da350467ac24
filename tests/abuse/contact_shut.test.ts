import { expect, test } from 'vitest';
import { openSandbox, queryDatabase, type RunningServer } from '#support/sandbox.ts';
import { ANA, addressOf, callFrom, countByStatus } from './caller.ts';

const VISITOR = '203.0.113.7';
const MAX_UNREAD = 500;
const MAX_MAILS = 60;

function write(server: RunningServer, address: string) {
  const json = { name: 'Rosa', email: 'rosa@example.com', message: 'Do you draw swallows?' };
  return callFrom(server, address, `POST /users/artist/${ANA.username}/contact`, { json });
}

test('three hundred messages of a stranger do not shut contact; five hundred unread ones do', async () => {
  await using sandbox = await openSandbox();
  const server = await sandbox.serve({ env: { RATE_LIMIT: 'on' } });
  const url = await sandbox.databaseUrl();
  const count = async (statement: string) => Number((await queryDatabase(url, statement))[0]?.[0]);
  const countUnread = () => count('SELECT count(*) FROM messages WHERE read_at IS NULL');
  const before = await countUnread();

  const fromOne = await Promise.all(Array.from({ length: 30 }, () => write(server, addressOf(0))));
  expect(countByStatus(fromOne)).toEqual({ 201: 20, 429: 10 });
  const fromMany = await Promise.all(
    Array.from({ length: 280 }, (_, n) => write(server, addressOf(1 + n))),
  );
  expect(countByStatus(fromMany)).toEqual({ 201: 280 });
  expect((await write(server, VISITOR)).status).toBe(201);
  expect(await countUnread()).toBe(before + 301);
  expect(await count(`SELECT count(*) FROM mails WHERE notice->>'kind' = 'contact_message'`)).toBe(
    MAX_MAILS,
  );

  const more = await Promise.all(
    Array.from({ length: 240 }, (_, n) => write(server, addressOf(300 + n))),
  );
  expect(countByStatus(more)['201']).toBe(MAX_UNREAD - before - 301);
  expect(await countUnread()).toBe(MAX_UNREAD);
  expect(await write(server, VISITOR)).toMatchObject({
    status: 429,
    body: { detail: 'This artist’s inbox is full right now. Please try again later.' },
  });
});

test('one network of a stranger does not shut contact for others, in however many hours', async () => {
  await using sandbox = await openSandbox();
  const server = await sandbox.serve({ env: { RATE_LIMIT: 'on' } });
  const url = await sandbox.databaseUrl();
  const first = await Promise.all(Array.from({ length: 15 }, () => write(server, addressOf(0))));
  expect(countByStatus(first)).toEqual({ 201: 15 });
  // As if sent in earlier hours, whose limits have ended.
  await queryDatabase(
    url,
    `INSERT INTO messages (artist_id, name, email, mailbox, message, network)
      SELECT artist_id, name, email, mailbox, message, network FROM
        (SELECT * FROM messages WHERE network IS NOT NULL LIMIT 1) AS sent, generate_series(1, 32)`,
  );
  const more = await Promise.all(Array.from({ length: 5 }, () => write(server, addressOf(0))));
  expect(countByStatus(more)).toEqual({ 201: 3, 429: 2 });
  expect(more.find(({ status }) => status === 429)?.body).toEqual({
    detail: 'The artist has yet to read many messages from your network. Please try again later.',
    request_id: expect.any(String),
  });
  expect((await write(server, VISITOR)).status).toBe(201);
});
