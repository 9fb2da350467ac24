import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createPublisher, openInvalidationChannel } from '#server/cache/invalidation_channel.ts';
import { openDatabase } from '#server/database/connect.ts';
import { recordLog, silentLog } from '#support/recorded_log.ts';
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
    log: recordLog(logged),
  });
  onTestFinished(() => channel.stop());
  return { database, channel, received, logged };
}

/** A lost LISTEN connection takes several attempts to restore. */
const pollUntil = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 });

const newTag = () => `artist:${crypto.randomUUID()}`;

test('an invalidation reaches every other server once, and not the one that published it', async () => {
  const [sender, receiver] = [await openServer(), await openServer()];
  const [tag, last] = [newTag(), newTag()];
  await sender.channel.publish([tag]);
  await sender.channel.publish([last]);
  await pollUntil(() => receiver.received).toEqual(['enable', tag, last]);
  expect(sender.received).toEqual(['enable']);
});

test('tags that do not fit in one message arrive in several', async () => {
  const [sender, receiver] = [await openServer(), await openServer()];
  const tags = Array.from({ length: 250 }, newTag);
  await sender.channel.publish(tags);
  await pollUntil(() => receiver.received).toEqual(['enable', ...tags]);
});

test('a program without a cache publishes its invalidations to the servers', async () => {
  const server = await openServer();
  const publisher = createPublisher({ database: server.database, log: silentLog });
  const tag = newTag();
  await publisher.publish([tag]);
  await publisher.stop();
  await pollUntil(() => server.received).toContain(tag);
});

test('the required log position grows with every published invalidation', async () => {
  const server = await openServer();
  await server.channel.publish([newTag()]);
  const before = server.channel.requiredLsn() ?? 0n;
  await server.database.transaction().execute(async (transaction) => {
    await sql`CREATE TEMPORARY TABLE written ON COMMIT DROP AS SELECT 1`.execute(transaction);
    await sql`SELECT pg_logical_emit_message(true, 'test', 'written')`.execute(transaction);
  });
  await server.channel.publish([newTag()]);
  expect(server.channel.requiredLsn()).toBeGreaterThan(before);
});

test('a message that cannot be parsed disables the cache until the connection is restored', async () => {
  const { database, received, logged } = await openServer();
  await sql`SELECT pg_notify('linework_clears', 'of another version')`.execute(database);
  await pollUntil(() => received).toEqual(['enable', 'disable', 'enable']);
  expect(logged[0]).toContain('A message was not understood');
  expect(logged[1]).toBe('Invalidation: Page cache enabled: LISTEN connection restored');
});

test('the cache is disabled while the LISTEN connection is lost', async () => {
  const { database, channel, received } = await openServer();
  await sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'linework listener'
  `.execute(database);
  await pollUntil(() => received).toEqual(['enable', 'disable', 'enable']);
  await channel.publish([newTag()]);
  expect(channel.requiredLsn()).toBeDefined();
});

test('an invalidation that cannot be published is published once the database answers again', async () => {
  const { databaseUrl } = await openTestApp();
  const server = await openServer();
  const logged: string[] = [];
  const database = openDatabase(databaseUrl, 1);
  let isDown = true;
  const failing = database.withPlugin({
    transformQuery: ({ node }) => {
      if (isDown) throw new Error('The database is down');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const publisher = createPublisher({ database: failing, log: recordLog(logged) });
  const tag = newTag();
  await publisher.publish([tag]);
  expect(logged[0]).toContain('Notifying other servers failed (retrying every 500 ms)');
  isDown = false;
  await pollUntil(() => server.received).toContain(tag);
  await publisher.stop();
  await database.destroy();
});
