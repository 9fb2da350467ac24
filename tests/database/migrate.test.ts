import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from '#server/database/connect.ts';
import { migrate } from '#server/database/migrate.ts';
import { databaseUrl } from '#support/postgres_cluster.ts';

const FILES = (await readdir('src/server/database/migrations')).sort();

async function createBlankDatabase(): Promise<string> {
  const cluster = inject('cluster');
  const name = `blank_${crypto.randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: cluster });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  onTestFinished(async () => {
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await client.end();
  });
  return databaseUrl(cluster, name);
}

test('every migration is applied once, in order', async () => {
  const url = await createBlankDatabase();
  expect(await migrate(url)).toEqual(FILES);
  expect(await migrate(url)).toEqual([]);
});

test('servers that start concurrently apply each migration once', async () => {
  const url = await createBlankDatabase();
  const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  expect(applied.flat()).toEqual(FILES);
});

test('a migration that changed after it was applied is refused with its name', async () => {
  const url = await createBlankDatabase();
  await migrate(url);
  const database = openDatabase(url, 1);
  await sql`UPDATE migrations SET sha256 = 'other' WHERE name = ${FILES[0]}`.execute(database);
  await database.destroy();
  await expect(migrate(url)).rejects.toThrow(`Migration ${FILES[0]} was changed`);
});

test('a failed migration is rolled back', async () => {
  const url = await createBlankDatabase();
  const database = openDatabase(url, 1);
  // The first migration creates this table too.
  await sql`CREATE TABLE artists (id int)`.execute(database);
  await expect(migrate(url)).rejects.toThrow('already exists');
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'
    ORDER BY 1
  `.execute(database);
  await database.destroy();
  expect(rows.map(({ name }) => name)).toEqual(['artists', 'migrations']);
});

test('expired offers of earlier versions become open requests, and expired holds stay expired', async () => {
  const { client, migrateOn } = await openDatabaseBefore('0009_appointment_events.sql');
  await client.query(`
    WITH place AS (
      INSERT INTO places (name, address_one, city, state, zip_code, time_zone)
      VALUES ('', '', '', '', '', 'UTC') RETURNING id
    ), artist AS (
      INSERT INTO artists (username, email, full_name, password_hash, studio_id)
      SELECT 'ana', 'ana@example.com', 'Ana', '', id FROM place RETURNING id, studio_id
    ), client AS (
      INSERT INTO clients (artist_id) SELECT id FROM artist RETURNING id
    ), service AS (
      INSERT INTO services (artist_id, name, description, duration_minutes, is_available)
      SELECT id, 'Flash', '', 60, true FROM artist RETURNING id
    ), appointment AS (
      INSERT INTO appointments
        (artist_id, place_id, client_id, service_id, status, version, artist_note)
      SELECT artist.id, studio_id, client.id, service_id, 'expired', 3, 'In the back room'
      FROM artist, client, (SELECT id AS service_id FROM service UNION ALL SELECT NULL) AS kinds
      RETURNING id, artist_id, place_id
    )
    INSERT INTO appointment_times (appointment_id, artist_id, place_id, during, blocked, occupies, lapses_at)
    SELECT id, artist_id, place_id, span, span, false, '2026-01-01T09:00Z'
    FROM appointment, (SELECT tstzrange('2026-01-01T10:00Z', '2026-01-01T11:00Z') AS span) AS times
  `);
  await migrateOn();
  const { rows } = await client.query(`
    SELECT status, version, artist_note, service_id IS NULL AS is_offer, count(t.id)::int AS times, max(what) AS what,
      max(from_start) AS start
    FROM appointments LEFT JOIN appointment_times AS t ON t.appointment_id = appointments.id
    LEFT JOIN appointment_events AS e ON e.appointment_id = appointments.id
    GROUP BY appointments.id ORDER BY is_offer
  `);
  expect(rows).toEqual([
    {
      status: 'expired',
      version: 3,
      artist_note: 'In the back room',
      is_offer: false,
      times: 1,
      what: null,
      start: null,
    },
    {
      status: 'requested',
      version: 3,
      // The note of an offer ends with it.
      artist_note: null,
      is_offer: true,
      times: 0,
      what: 'offer_lapsed',
      start: new Date('2026-01-01T10:00Z'),
    },
  ]);
});

test('artists of earlier versions are listed on Explore if they have a proven email', async () => {
  const { client, migrateOn } = await openDatabaseBefore('0012_explore.sql');
  await client.query(`
    WITH place AS (
      INSERT INTO places (name, address_one, city, state, zip_code, time_zone)
      VALUES ('', '', 'Portland', '', '', 'UTC') RETURNING id
    )
    INSERT INTO artists (username, email, full_name, password_hash, studio_id, scheduling_type,
      email_proven_at)
    SELECT username, username || '@example.com', '', '', id, 'service', proven_at
    FROM place, (VALUES ('ana', now()), ('unproven', NULL)) AS names (username, proven_at)
  `);
  await migrateOn();
  const { rows } = await client.query(`
    SELECT username, city, paid_until
    FROM explore_listings JOIN artists ON artists.id = artist_id
  `);
  expect(rows).toEqual([{ username: 'ana', city: 'portland', paid_until: null }]);
});

/** A database with the migrations before this one. `migrateOn` applies this one and all after it. */
async function openDatabaseBefore(migration: string) {
  const client = new pg.Client({ connectionString: await createBlankDatabase() });
  await client.connect();
  onTestFinished(() => client.end());
  const apply = async (files: readonly string[]) => {
    for (const name of files)
      await client.query(await readFile(`src/server/database/migrations/${name}`, 'utf8'));
  };
  await apply(FILES.filter((file) => file < migration));
  return { client, migrateOn: () => apply(FILES.filter((file) => file >= migration)) };
}
