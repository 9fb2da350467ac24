import type pg from 'pg';
import { expect, test } from 'vitest';
import { PASSWORD } from '#support/new_artist.ts';
import { MIGRATION_FILES, openDatabaseBefore } from '#support/old_database.ts';
import { ARTISTS, addRowsToEveryTable, idOf, STATUSES } from '#support/rows_of_state.ts';
import { openTestApp } from '#support/test_app.ts';

type Row = Record<string, unknown>;

/**
 * The columns whose values a migration may change, with the last migration that does: lists of emails
 * and networks are hashed, by 0016_privacy or for older servers by 0019_older_servers.
 */
const CHANGED_COLUMNS: Readonly<Record<string, string>> = {
  'blocked_senders.value': '0019_older_servers.sql',
  'blocked_senders.hint': '0019_older_servers.sql',
  'mailboxes.mailbox': '0019_older_servers.sql',
  'mails.mailbox': '0019_older_servers.sql',
  'counted_mails.mailbox': '0019_older_servers.sql',
  'counted_mails.source': '0019_older_servers.sql',
};
/** An expired offer becomes an open request, and gives its time back. */
const OPENS_EXPIRED_OFFERS = '0009_appointment_events.sql';
const EXPIRED_OFFER = idOf('appointments', STATUSES.indexOf('expired'));

test.each(MIGRATION_FILES.slice(1).map((next, index) => [MIGRATION_FILES[index] ?? '', next]))(
  'a database of %s is upgraded from %s on: no row is lost, and the program reads it',
  async (_last, next) => {
    const { url, client, migrateOn } = await openDatabaseBefore(next);
    await addRowsToEveryTable(client);
    const before = await readTables(client);
    for (const [table, rows] of before) expect([table, rows.length > 0]).toEqual([table, true]);
    await migrateOn();
    const after = await readTables(client);

    for (const [table, rows] of before)
      for (const row of rows) {
        if (next <= OPENS_EXPIRED_OFFERS && isOfExpiredOffer(table, row)) continue;
        const kept = withoutChanges(table, row, next);
        expect([table, kept, findRow(after.get(table), kept)]).toEqual([table, kept, kept]);
      }
    for (const [table, rows] of before) {
      const freed = next <= OPENS_EXPIRED_OFFERS && table === 'appointment_times' ? 1 : 0;
      const count = after.get(table)?.length ?? 0;
      expect([table, count >= rows.length - freed]).toEqual([table, true]);
    }
    const { rows: unchecked } = await client.query(
      'SELECT conname FROM pg_constraint WHERE NOT convalidated',
    );
    expect(unchecked).toEqual([]);
    await expectReads(url);
  },
);

function isOfExpiredOffer(table: string, row: Row): boolean {
  return table === 'appointments'
    ? row['id'] === EXPIRED_OFFER
    : table === 'appointment_times' && row['appointment_id'] === EXPIRED_OFFER;
}

function withoutChanges(table: string, row: Row, next: string): Row {
  return Object.fromEntries(
    Object.entries(row).filter(([column]) => {
      const changedBy = CHANGED_COLUMNS[`${table}.${column}`];
      return changedBy === undefined || next > changedBy;
    }),
  );
}

/** The row that has all these values, with the same columns only. */
function findRow(rows: readonly Row[] = [], values: Row): Row | undefined {
  const columns = Object.keys(values);
  const only = (row: Row) => Object.fromEntries(columns.map((column) => [column, row[column]]));
  const wanted = JSON.stringify(values);
  return rows.map(only).find((row) => JSON.stringify(row) === wanted);
}

/** All rows of all tables, by the name of the table. */
async function readTables(client: pg.Client): Promise<Map<string, Row[]>> {
  const { rows: tables } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  const contents = new Map<string, Row[]>();
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: Row }>(
      `SELECT to_jsonb(t) AS row FROM ${name} AS t`,
    );
    contents.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return contents;
}

/** What visitors read of an artist, and the artist of their studio. */
const PUBLIC_READS = ['', '/pages/designs', '/pages/services', '/pages/portfolio'];
const STUDIO_READS = [
  ...['/users/me', '/users/me/security-events', '/users/me/messages', '/users/me/blocked'],
  ...['/users/me/sessions', '/users/me/exports', '/appointments/', '/clients/', '/services/'],
  ...['/clients/data-requests', '/designs/', '/images/portfolio', '/mails/'],
];

/** Reads what clients and artists open first, and every appointment as its client. */
async function expectReads(url: string): Promise<void> {
  const app = await openTestApp({ database: new URL(url), servesPages: false });
  const read = async (path: string, token?: string) => {
    const { status } = await app.call(`GET ${path}`, token === undefined ? {} : { token });
    expect([path, status, app.logged]).toEqual([path, 200, []]);
  };
  const [username] = ARTISTS;
  const form = { username: `${username}@example.com`, password: PASSWORD };
  const login = await app.call<{ access_token: string }>('POST /login/access-token', { form });
  expect(login.status).toBe(200);
  const token = login.body.access_token;
  for (const path of PUBLIC_READS) await read(`/users/artist/${username}${path}`);
  for (const path of STUDIO_READS) await read(path, token);
  for (const row of STATUSES.keys()) {
    const id = idOf('appointments', row);
    await read(`/appointments/confirmation/${id}`);
    if (row % ARTISTS.length === 0) await read(`/appointments/${id}`, token);
  }
}
