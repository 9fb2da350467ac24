import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { toEmailHint, toMailbox, toNetworkHint } from '#domain/mailbox.ts';
import { DAY_MS } from '#domain/time.ts';
import {
  insertBlockedSender,
  isSenderBlocked,
  listBlockedSenders,
} from '#server/database/blocked_senders.ts';
import { type Database, openDatabase } from '#server/database/connect.ts';
import { hashMailbox } from '#server/database/hashed_keys.ts';
import { findLimitEnd } from '#server/database/mail_budgets.ts';
import { endMailWaits } from '#server/database/mail_waits.ts';
import { loadMailboxTrust, markMailboxProven } from '#server/database/mailboxes.ts';
import { migrate } from '#server/database/migrate.ts';
import { addArtist } from '#support/database_rows.ts';
import { createBlankDatabase, MIGRATION_FILES, openDatabaseBefore } from '#support/old_database.ts';
import { recordLog } from '#support/recorded_log.ts';
import { addRowsBeforePrivacy, ROSA, ZOE } from '#support/rows_before_privacy.ts';

test('every migration is applied once, in order', async () => {
  const url = await createBlankDatabase();
  expect(await migrate(url)).toEqual(MIGRATION_FILES);
  expect(await migrate(url)).toEqual([]);
});

test('servers that start concurrently apply each migration once', async () => {
  const url = await createBlankDatabase();
  const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  expect(applied.flat()).toEqual(MIGRATION_FILES);
});

test('a migration that changed after it was applied is refused with its name', async () => {
  const url = await createBlankDatabase();
  await migrate(url);
  const database = openDatabase(url, 1);
  await sql`UPDATE migrations SET sha256 = 'other' WHERE name = ${MIGRATION_FILES[0]}`.execute(
    database,
  );
  await database.destroy();
  await expect(migrate(url)).rejects.toThrow(`Migration ${MIGRATION_FILES[0]} was changed`);
});

test('each applied migration is stored with whether older servers can run with it', async () => {
  const url = await createBlankDatabase();
  await migrate(url);
  const database = openDatabase(url, 1);
  onTestFinished(() => database.destroy());
  const read = () =>
    sql<{ name: string; older_can_run: boolean }>`
      SELECT name, older_can_run FROM migrations WHERE name < '0022' ORDER BY name
    `.execute(database);
  const stored = (await read()).rows;
  expect(stored.map(({ older_can_run }) => older_can_run)).toEqual(
    expect.arrayContaining([true, false]),
  );
  // A version before this column left none.
  await sql`ALTER TABLE migrations DROP COLUMN older_can_run`.execute(database);
  expect(await migrate(url)).toEqual([]);
  expect((await read()).rows).toEqual(stored);
});

test('a database that a newer version has migrated is left alone and refused by name', async () => {
  const url = await createBlankDatabase();
  await migrate(url);
  const database = openDatabase(url, 1);
  onTestFinished(() => database.destroy());
  const [last = ''] = MIGRATION_FILES.slice(-1);
  await sql`DELETE FROM migrations WHERE name = ${last}`.execute(database);
  await sql`INSERT INTO migrations VALUES ('9999_newer.sql', 'hash', now(), true)`.execute(
    database,
  );
  await expect(migrate(url)).rejects.toThrow('9999_newer.sql');
  const { rows } = await sql`SELECT FROM migrations WHERE name = ${last}`.execute(database);
  expect(rows).toEqual([]);
});

test('a database of a newer version is used if that is allowed, and logged', async () => {
  const url = await createBlankDatabase();
  await migrate(url);
  const database = openDatabase(url, 1);
  onTestFinished(() => database.destroy());
  await sql`INSERT INTO migrations VALUES ('9999_newer.sql', 'hash', now(), true)`.execute(
    database,
  );
  const logged: string[] = [];
  const log = recordLog(logged);
  expect(await migrate(url, { allowsNewer: true, log })).toEqual([]);
  expect(logged).toEqual([expect.stringContaining('9999_newer.sql')]);
  await sql`UPDATE migrations SET older_can_run = false WHERE name = '9999_newer.sql'`.execute(
    database,
  );
  await expect(migrate(url, { allowsNewer: true })).rejects.toThrow('cannot run with 9999_newer');
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
      INSERT INTO studios (name, address_one, city, state, zip_code, time_zone)
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
        (artist_id, studio_id, client_id, service_id, status, version, artist_note)
      SELECT artist.id, studio_id, client.id, service_id, 'expired', 3, 'In the back room'
      FROM artist, client, (SELECT id AS service_id FROM service UNION ALL SELECT NULL) AS kinds
      RETURNING id, artist_id, studio_id
    )
    INSERT INTO appointment_times (appointment_id, artist_id, studio_id, during, blocked, occupies, lapses_at)
    SELECT id, artist_id, studio_id, span, span, false, '2026-01-01T09:00Z'
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
      INSERT INTO studios (name, address_one, city, state, zip_code, time_zone)
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

/** By table, the columns that hold hashes since 0016_privacy, and emails or networks before. */
const HASHED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  blocked_senders: ['value'],
  mailboxes: ['mailbox'],
  counted_mails: ['mailbox', 'source'],
  mails: ['mailbox'],
};

/** A database of before 0016_privacy with rows of that time, which `upgrade` upgrades. */
async function openDatabaseBeforePrivacy() {
  const { url, migrateOn } = await openDatabaseBefore('0016_privacy.sql');
  const database = openDatabase(url, 2);
  onTestFinished(() => database.destroy());
  return { database, rows: await addRowsBeforePrivacy(database), upgrade: migrateOn };
}

/** All rows of all tables, each as JSON, by the names of the tables. */
async function readTables(database: Database): Promise<Map<string, Record<string, unknown>[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1
  `.execute(database);
  const contents = new Map<string, Record<string, unknown>[]>();
  for (const { name } of tables) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      SELECT to_jsonb(content) AS row FROM ${sql.table(name)} AS content
    `.execute(database);
    contents.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return contents;
}

/** Rows with these columns only, in an order that depends on nothing else. */
function onlyColumns(rows: readonly Record<string, unknown>[], columns: readonly string[]) {
  const texts = rows.map((row) => JSON.stringify(columns.map((column) => [column, row[column]])));
  return texts.toSorted();
}

test('the upgrade to hashed lists keeps every row, and every column that is not hashed', async () => {
  const { database, upgrade } = await openDatabaseBeforePrivacy();
  const before = await readTables(database);
  await upgrade();
  const after = await readTables(database);
  const filled = [...before].filter(([, rows]) => rows.length > 0);
  expect(filled.map(([table]) => table)).toEqual(
    expect.arrayContaining([
      ...['appointment_events', 'appointments', 'clients', 'messages'],
      ...Object.keys(HASHED_COLUMNS),
    ]),
  );
  for (const [table, rows] of filled) {
    const columns = Object.keys(rows[0] ?? {}).filter(
      (column) => !HASHED_COLUMNS[table]?.includes(column),
    );
    expect([table, onlyColumns(after.get(table) ?? [], columns)]).toEqual([
      table,
      onlyColumns(rows, columns),
    ]);
  }
});

test('senders who were blocked before the upgrade stay blocked, with a hint', async () => {
  const { database, rows, upgrade } = await openDatabaseBeforePrivacy();
  await upgrade();
  const isBlocked = (artistId: string, email: string, network = '198.51.100.0/24') =>
    isSenderBlocked(database, artistId, { email, network });
  const { ana, bo } = rows;
  for (const email of [ROSA.email, ROSA.spelling, ZOE.email, ZOE.email.toLowerCase()])
    expect([email, await isBlocked(ana.id, email)]).toEqual([email, true]);
  for (const network of [ROSA.network, ZOE.network])
    expect(await isBlocked(ana.id, 'lena@example.com', network)).toBe(true);
  expect(await isBlocked(ana.id, 'lena@example.com')).toBe(false);
  expect(await isBlocked(bo.id, ROSA.spelling)).toBe(true);
  expect(await isBlocked(bo.id, ZOE.email)).toBe(false);
  const hints = (await listBlockedSenders(database, ana.id)).map(({ hint }) => hint);
  expect(hints.toSorted()).toEqual(
    [
      ...[ROSA.email, ZOE.email].map((email) => toEmailHint(toMailbox(email))),
      ...[ROSA.network, ZOE.network].map(toNetworkHint),
    ].toSorted(),
  );
});

test('mailboxes that were proven before the upgrade stay proven', async () => {
  const { database, rows, upgrade } = await openDatabaseBeforePrivacy();
  await upgrade();
  const { ana, bo } = rows;
  const load = async (email: string, artistId: string) => {
    const trust = await loadMailboxTrust(database, email, artistId);
    return [trust.isMailboxProven, trust.isKnownToArtist];
  };
  expect(await load(ROSA.spelling, ana.id)).toEqual([true, true]);
  expect(await load(ROSA.email, bo.id)).toEqual([true, false]);
  expect(await load(ZOE.email, bo.id)).toEqual([true, true]);
  expect(await load('lena@example.com', ana.id)).toEqual([false, false]);
});

test('mails that were counted, or waited, before the upgrade still count and wait', async () => {
  const { database, rows, upgrade } = await openDatabaseBeforePrivacy();
  await upgrade();
  const { ana } = rows;
  const rule = { mails: 1, periodMs: DAY_MS, budget: 'mailbox' } as const;
  const mail = { mailId: '', senderId: ana.id, isLinkNeeded: false, isForSafety: false };
  const isAtLimit = async (email: string, source: string) => {
    const counted = { ...mail, mailbox: hashMailbox(email), source };
    const sameAs = ['mailbox', 'source'] as const;
    return (await findLimitEnd(database, counted, { ...rule, sameAs }, Date.now())) !== null;
  };
  expect(await isAtLimit(ROSA.spelling, ROSA.network)).toBe(true);
  expect(await isAtLimit(ana.email, ana.id)).toBe(true);
  expect(await isAtLimit(ROSA.spelling, ZOE.network)).toBe(false);
  const mailboxes = await database
    .selectFrom('mails')
    .select(['cause', 'mailbox'])
    .where('mailbox', 'is not', null)
    .orderBy('cause')
    .execute();
  expect(mailboxes).toEqual([
    { cause: 'rosa booked', mailbox: hashMailbox(ROSA.email) },
    { cause: 'zoe waits', mailbox: hashMailbox(ZOE.email) },
  ]);
  const now = Date.now();
  await endMailWaits(database, { mailbox: hashMailbox(ZOE.email) }, now);
  const due = await database
    .selectFrom('mails')
    .select('cause')
    .where('waits_until', '<=', new Date(now))
    .execute();
  expect(due).toEqual([{ cause: 'zoe waits' }]);
});

test('the upgrade finds the client whom each mail is about', async () => {
  const { database, rows, upgrade } = await openDatabaseBeforePrivacy();
  await upgrade();
  const mails = await database.selectFrom('mails').select(['cause', 'client_id']).execute();
  const { rosa, zoe, own, corrected } = rows.clients;
  expect(Object.fromEntries(mails.map(({ cause, client_id }) => [cause, client_id]))).toEqual({
    ...{ 'rosa booked': rosa, 'rosa new booking': rosa, 'rosa cancelled': rosa, 'rosa told': rosa },
    // Found by their email.
    ...{ 'rosa deleted': null, 'rosa links': null, 'rosa wrote': null },
    ...{ 'zoe waits': zoe, 'zoe dropped': zoe, 'own booked': own, 'own new booking': own },
    ...{ 'corrected booked': corrected, 'stranger expired': null },
    ...{ welcome: null, 'account deleted': null },
  });
});

/** Writes lists as a server of before 0016_privacy does, which may run beside a new one during an upgrade. */
async function writeAsOlderServer(database: Database, artistId: string): Promise<void> {
  const [rosa, zoe] = [toMailbox(ROSA.email), toMailbox(ZOE.email)];
  const block = (kind: string, value: string) =>
    database
      .insertInto('blocked_senders')
      .values({ artist_id: artistId, kind, value })
      .onConflict((conflict) =>
        conflict.columns(['artist_id', 'kind', 'value']).doUpdateSet({ value }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
  const first = await block('email', rosa);
  await block('network', ROSA.network);
  // The artist blocks the same sender again.
  expect(await block('email', rosa)).toEqual(first);
  for (const mailbox of [rosa, zoe, zoe])
    await database
      .insertInto('mailboxes')
      .values({ mailbox, artist_id: artistId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  const waits_until = new Date(Date.now() + DAY_MS);
  await database
    .updateTable('mails')
    .set({ mailbox: zoe, waits_until, waits_for: 'mailbox' })
    .where('cause', '=', 'zoe waits')
    .execute();
  await database
    .insertInto('counted_mails')
    .values({
      ...{ mail_id: crypto.randomUUID(), mailbox: zoe, source: ZOE.network, sender_id: artistId },
      ...{ is_link_needed: false, is_for_safety: false },
    })
    .execute();
}

/** What the lists of one artist hold, and the mailboxes of mails that wait. */
async function readLists(database: Database, artist_id: string) {
  const mailboxes = database.selectFrom('mailboxes').where('artist_id', '=', artist_id);
  const waiting = database.selectFrom('mails').where('waits_until', 'is not', null);
  return {
    blocked: (await listBlockedSenders(database, artist_id)).map(({ hint }) => hint).toSorted(),
    isBlocked: await Promise.all(
      [
        { email: ROSA.spelling, network: ZOE.network },
        { email: ZOE.email, network: ROSA.network },
        { email: ZOE.email, network: ZOE.network },
      ].map((sender) => isSenderBlocked(database, artist_id, sender)),
    ),
    mailboxes: (await mailboxes.select('mailbox').execute()).map(({ mailbox }) => mailbox),
    waiting: (await waiting.select('mailbox').execute()).map(({ mailbox }) => mailbox),
  };
}
const LISTS = {
  blocked: ['203.•••', 'r•••@gmail.com'],
  isBlocked: [true, true, false],
  mailboxes: expect.toSatisfy(
    (mailboxes: readonly string[]) =>
      mailboxes.toSorted().join() ===
      [ROSA, ZOE]
        .map(({ email }) => hashMailbox(email))
        .toSorted()
        .join(),
  ),
  waiting: [hashMailbox(ZOE.email)],
};

test('what a server of an earlier version adds to hashed lists during an upgrade is hashed too', async () => {
  const { database, upgrade } = await openDatabaseBeforePrivacy();
  await upgrade();
  const artist = await addArtist(database);
  await writeAsOlderServer(database, artist.id);
  expect(await readLists(database, artist.id)).toEqual(LISTS);
});

test('what was added unhashed before 0019_older_servers is hashed by it, and stays once', async () => {
  const { client, url, migrateOn } = await openDatabaseBefore('0019_older_servers.sql');
  const database = openDatabase(url, 2);
  onTestFinished(() => database.destroy());
  const { ana } = await addRowsBeforePrivacy(database);
  const artist = await addArtist(database);
  await writeAsOlderServer(database, artist.id);
  // A new server has stored the same mailbox and sender meanwhile.
  await markMailboxProven(database, ROSA.email, artist.id, Date.now());
  const sender = { kind: 'email', hash: hashMailbox(ROSA.email), hint: 'R•••@GMail.com' } as const;
  const { id } = await insertBlockedSender(database, artist.id, sender);
  await migrateOn();
  expect(await readLists(database, artist.id)).toEqual({
    ...LISTS,
    blocked: ['203.•••', 'R•••@GMail.com'],
  });
  const blocked = await listBlockedSenders(database, artist.id);
  expect(blocked.map((one) => one.id)).toContain(id);
  expect(await isSenderBlocked(database, ana.id, ROSA)).toBe(true);
  const { rows } = await client.query('SELECT mailbox, source FROM counted_mails');
  for (const { mailbox, source } of rows)
    expect([mailbox, source].join(' ')).toMatch(/^[\w-]{22} [\w-]{22}$/);
});
