import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createTeller, openClears } from '#server/database/clears.ts';
import { openDatabase } from '#server/database/connect.ts';
import { openStudio } from '#support/studio.ts';

/** A server that keeps pages, and what its cache heard. */
async function openServer() {
  const { database, databaseUrl: url } = await openStudio();
  const heard: string[] = [];
  const logged: string[] = [];
  const cache = {
    clear: (tags: readonly string[]) => heard.push(...tags),
    open: () => heard.push('open'),
    close: () => heard.push('close'),
  };
  const clears = await openClears({ database, url, cache, log: (line) => logged.push(line) });
  onTestFinished(() => clears.stop());
  return { database, clears, heard, logged };
}

/** Waits until it is so: a lost listener takes some tries to be made anew. */
const becomes = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 });

const newTag = () => `artist:${crypto.randomUUID()}`;

test('an invalidation reaches this server at once and every other one, once', async () => {
  const [one, other] = [await openServer(), await openServer()];
  const [tag, last] = [newTag(), newTag()];
  const told = one.clears.clear([tag]);
  expect(one.heard).toEqual(['open', tag]);
  await told;
  await one.clears.clear([last]);
  await becomes(() => other.heard).toEqual(['open', tag, last]);
  expect(one.heard).toEqual(['open', tag, last]);
});

test('an invalidation of no tags tells nobody anything', async () => {
  const one = await openServer();
  await one.clears.clear([]);
  expect(one.heard).toEqual(['open']);
});

test('more tags than one message holds all arrive', async () => {
  const [one, other] = [await openServer(), await openServer()];
  const tags = Array.from({ length: 250 }, newTag);
  await one.clears.clear(tags);
  await becomes(() => other.heard).toEqual(['open', ...tags]);
});

test('a program without a cache tells the servers what it changed', async () => {
  const server = await openServer();
  const teller = createTeller({ database: server.database, log: () => {} });
  const tag = newTag();
  await teller.tell([tag]);
  expect(teller.isTelling()).toBe(false);
  await teller.stop();
  await becomes(() => server.heard).toContain(tag);
});

test('the place in the log grows with every invalidation that was told', async () => {
  const one = await openServer();
  await one.clears.clear([newTag()]);
  const before = one.clears.upTo() ?? 0n;
  await one.database.transaction().execute(async (transaction) => {
    await sql`CREATE TEMPORARY TABLE written ON COMMIT DROP AS SELECT 1`.execute(transaction);
    await sql`SELECT pg_logical_emit_message(true, 'test', 'written')`.execute(transaction);
  });
  await one.clears.clear([newTag()]);
  expect(one.clears.upTo()).toBeGreaterThan(before);
});

test('a message that is not understood closes the cache until the connection is made anew', async () => {
  const { database, heard, logged } = await openServer();
  await sql`SELECT pg_notify('linework_clears', 'of another version')`.execute(database);
  await becomes(() => heard).toEqual(['open', 'close', 'open']);
  expect(logged[0]).toContain('A message was not understood');
  expect(logged[1]).toBe('Changes of other servers are heard again.');
});

test('a listener whose connection is lost keeps no page until it hears again', async () => {
  const { database, clears, heard } = await openServer();
  await sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'linework listener'
  `.execute(database);
  await becomes(() => heard).toEqual(['open', 'close', 'open']);
  await clears.clear([newTag()]);
  expect(clears.upTo()).toBeDefined();
});

test('an invalidation that cannot be told is told once the database is back', async () => {
  const { databaseUrl } = await openStudio();
  const server = await openServer();
  const logged: string[] = [];
  const broken = openDatabase(databaseUrl, 1);
  let isAway = true;
  const away = broken.withPlugin({
    transformQuery: ({ node }) => {
      if (isAway) throw new Error('The database is away');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const teller = createTeller({ database: away, log: (line) => logged.push(line) });
  const tag = newTag();
  await teller.tell([tag]);
  expect(teller.isTelling()).toBe(true);
  expect(logged[0]).toContain('told later what changed');
  isAway = false;
  await becomes(() => server.heard).toContain(tag);
  await becomes(() => teller.isTelling()).toBe(false);
  await teller.stop();
  await broken.destroy();
});
