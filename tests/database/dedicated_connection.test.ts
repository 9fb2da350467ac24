import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  createDedicatedConnection,
  type DedicatedConnection,
} from '#server/database/dedicated_connection.ts';
import { openSilentPostgres } from '#support/silent_postgres.ts';
import { openTestApp } from '#support/test_app.ts';

test('a connection has its application_name, and is closed at the end of its scope', async () => {
  const { database, databaseUrl } = await openTestApp();
  const name = `dedicated ${crypto.randomUUID()}`.slice(0, 60);
  const countConnections = async () => {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity WHERE application_name = ${name}
    `.execute(database);
    return rows.length;
  };
  {
    await using connection = createDedicatedConnection(databaseUrl, name, 5000);
    await connection.client.connect();
    expect(await countConnections()).toBe(1);
  }
  await expect.poll(countConnections).toBe(0);
});

test.each<[string, (connection: DedicatedConnection) => Promise<unknown>, string]>([
  [
    'PostgreSQL terminates the connection',
    async ({ client }) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const { database } = await openTestApp();
      await sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(database);
    },
    '',
  ],
  ['the connection ends normally', ({ client }) => client.end(), 'The connection ended'],
  ['fail() is called', async ({ fail }) => fail(new Error('Not understood')), 'Not understood'],
])('lost rejects when %s', async (_, end, reason) => {
  const { databaseUrl } = await openTestApp();
  await using connection = createDedicatedConnection(databaseUrl, 'dedicated', 5000);
  await connection.client.connect();
  await end(connection);
  await expect(connection.lost).rejects.toThrow(reason);
});

test('connecting to a server that never responds times out, and closing does not wait', async () => {
  await using connection = createDedicatedConnection(await openSilentPostgres(), 'dedicated', 50);
  await expect(connection.client.connect()).rejects.toThrow('timeout expired');
});
