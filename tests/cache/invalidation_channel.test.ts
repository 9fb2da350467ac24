import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createPublisher, openInvalidationChannel } from '#server/cache/invalidation_channel.ts';
import { openDatabase } from '#server/database/connect.ts';
import { openTestApp } from '#support/test_app.ts';

/** A server with a page cache, and what the channel did to that cache. */
async function openServer() {
  const { database, databaseUrl: url } = await openTestApp();
  const received: string[] = [];
  const logged: string[] = [];
  const cache = {
    invalidate: (tags: readonly string[]) => received.push(...tags),
    enable: () => received.push('enable'),
    disable: () => received.push('disable'),
  };
  const channel = await openInvalidationChannel({
    database,
    url,
    cache,
    log: (line) => logged.push(line),
  });
  onTestFinished(() => channel.stop());
  return { database, channel, received, logged };
}

/** Waits until it is so: a lost listener takes some tries to be made anew. */
const becomes = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 });

const newTag = () => `artist:${crypto.randomUUID()}`;

test('an invalidation reaches every other server once, and not the one that published it', async () => {
  const [one, other] = [await openServer(), await openServer()];
  const [tag, last] = [newTag(), newTag()];
  await one.channel.publish([tag]);
  await one.channel.publish([last]);
  await becomes(() => other.received).toEqual(['enable', tag, last]);
  expect(one.received).toEqual(['enable']);
});

test('more tags than one message holds all arrive', async () => {
  const [one, other] = [await openServer(), await openServer()];
  const tags = Array.from({ length: 250 }, newTag);
  await one.channel.publish(tags);
  await becomes(() => other.received).toEqual(['enable', ...tags]);
});

test('a program without a cache publishes its invalidations to the servers', async () => {
  const server = await openServer();
  const publisher = createPublisher({ database: server.database, log: () => {} });
  const tag = newTag();
  await publisher.publish([tag]);
  await publisher.stop();
  await becomes(() => server.received).toContain(tag);
});

test('the required log position grows with every published invalidation', async () => {
  const one = await openServer();
  await one.channel.publish([newTag()]);
  const before = one.channel.requiredLsn() ?? 0n;
  await one.database.transaction().execute(async (transaction) => {
    await sql`CREATE TEMPORARY TABLE written ON COMMIT DROP AS SELECT 1`.execute(transaction);
    await sql`SELECT pg_logical_emit_message(true, 'test', 'written')`.execute(transaction);
  });
  await one.channel.publish([newTag()]);
  expect(one.channel.requiredLsn()).toBeGreaterThan(before);
});

test('a message that cannot be parsed disables the cache until the connection is restored', async () => {
  const { database, received, logged } = await openServer();
  await sql`SELECT pg_notify('linework_clears', 'of another version')`.execute(database);
  await becomes(() => received).toEqual(['enable', 'disable', 'enable']);
  expect(logged[0]).toContain('A message was not understood');
  expect(logged[1]).toBe('Page cache enabled: LISTEN connection restored.');
});

test('the cache is disabled while the LISTEN connection is lost', async () => {
  const { database, channel, received } = await openServer();
  await sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'linework listener'
  `.execute(database);
  await becomes(() => received).toEqual(['enable', 'disable', 'enable']);
  await channel.publish([newTag()]);
  expect(channel.requiredLsn()).toBeDefined();
});

test('an invalidation that cannot be published is published once the database answers again', async () => {
  const { databaseUrl } = await openTestApp();
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
  const publisher = createPublisher({ database: away, log: (line) => logged.push(line) });
  const tag = newTag();
  await publisher.publish([tag]);
  expect(logged[0]).toContain('telling other servers failed (trying again every 500 ms)');
  isAway = false;
  await becomes(() => server.received).toContain(tag);
  await publisher.stop();
  await broken.destroy();
});
