import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDedicatedConnection } from '#server/database/dedicated_connection.ts';
import { openSilentPostgres } from '#support/silent_postgres.ts';
import { openTestApp } from '#support/test_app.ts';

test('a connection is listed under its name, and ends with its scope', async () => {
  const { database, databaseUrl } = await openTestApp();
  const name = `watched ${crypto.randomUUID()}`.slice(0, 60);
  const listed = async () => {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity WHERE application_name = ${name}
    `.execute(database);
    return rows.length;
  };
  {
    await using connection = openDedicatedConnection(databaseUrl, name, 5000);
    await connection.client.connect();
    expect(await listed()).toBe(1);
  }
  await expect.poll(listed).toBe(0);
});

test('a connection that PostgreSQL ends is lost', async () => {
  const { database, databaseUrl } = await openTestApp();
  await using connection = openDedicatedConnection(databaseUrl, 'watched', 5000);
  await connection.client.connect();
  const { rows } = await connection.client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(database);
  await expect(connection.lost).rejects.toThrow();
});

test('a connection that ends in good order is lost too', async () => {
  const { databaseUrl } = await openTestApp();
  await using connection = openDedicatedConnection(databaseUrl, 'watched', 5000);
  await connection.client.connect();
  await connection.client.end();
  await expect(connection.lost).rejects.toThrow('The connection ended');
});

test('a connection can be given up with a reason', async () => {
  const { databaseUrl } = await openTestApp();
  await using connection = openDedicatedConnection(databaseUrl, 'watched', 5000);
  connection.fail(new Error('A message was not understood'));
  await expect(connection.lost).rejects.toThrow('A message was not understood');
});

test('a server that never answers fails the connection in time, and its end does not wait', async () => {
  await using connection = openDedicatedConnection(await openSilentPostgres(), 'watched', 50);
  await expect(connection.client.connect()).rejects.toThrow('timeout expired');
});
