import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { listAppointmentRows } from '#server/database/appointment_lists.ts';
import { type Database, openDatabase } from '#server/database/connect.ts';
import { listMails } from '#server/database/mail_lists.ts';
import { listClients } from '#server/operations/clients/clients.ts';
import { addArtist } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';
import { createDatabaseCopy } from '#support/test_database.ts';

test('lists of 2,000 rows read those of the page, and count in an index', async () => {
  // The snapshot of any other connection may keep VACUUM from marking the new rows as visible to all. So
  // nobody else may use the database: one connection, no autovacuum.
  const database = openDatabase(await createDatabaseCopy(), 1);
  onTestFinished(() => database.destroy());
  for (const table of ['appointments', 'appointment_times', 'clients', 'mails'])
    await sql`ALTER TABLE ${sql.table(table)} SET (autovacuum_enabled = false)`.execute(database);
  const [{ id }, other] = [await addArtist(database), await addArtist(database)];
  for (const artist of [id, other.id])
    await sql`WITH a AS (SELECT gen_random_uuid() AS id, n, studio_id AS studio FROM artists,
        generate_series(1, 2000) n WHERE artists.id = ${artist}),
      c AS (INSERT INTO clients (id, artist_id) SELECT id, ${artist} FROM a WHERE n % 10 = 0),
      m AS (INSERT INTO mails (artist_id, sender_id, cause, notice, address, status)
        SELECT ${artist}, ${artist}, id, '{"kind": "booked"}', '', 'sent' FROM a),
      t AS (INSERT INTO appointment_times (appointment_id, artist_id, studio_id, during, blocked, occupies)
        SELECT id, ${artist}, studio, d, d, false FROM a, tstzrange('2020-01-01', now() - n * '1 h'::interval) d)
      INSERT INTO appointments (id, artist_id, studio_id, status, client_id) SELECT a.id, ${artist}, a.studio,
        'confirmed', c.id FROM a JOIN a AS c ON c.n = (a.n + 9) / 10 * 10`.execute(database);
  await sql`VACUUM ANALYZE`.execute(database);
  const { context } = await openTestContext({ database });
  const [now, page] = [Date.now(), { skip: 0, limit: 5 }];
  const unmarked = { status: 'confirmed', when: 'past', order: 'latest', now } as const;
  const lists: Record<string, (transaction: Database) => Promise<{ count: number }>> = {
    newest: (from) => listAppointmentRows(from, id, { order: 'newest', now }, page),
    soonest: (from) => listAppointmentRows(from, id, { order: 'soonest', now }, page),
    unmarked: (from) => listAppointmentRows(from, id, unmarked, page),
    clients: (from) => listClients({ ...context, database: from }, id, page, now),
    mails: (from) => listMails(from, id, {}, page),
  };
  for (const [name, list] of Object.entries(lists))
    await database.transaction().execute(async (transaction) => {
      const countRead = async () => {
        const { rows } = await sql<{
          rows: number;
        }>`SELECT sum(seq_tup_read + idx_tup_fetch)::int AS rows
          FROM pg_stat_xact_user_tables WHERE relname IN ('appointments', 'appointment_times', 'mails')
        `.execute(transaction);
        return rows[0]?.rows ?? Number.NaN;
      };
      // Reading these small tables as a whole would be cheaper.
      for (const scan of ['seqscan', 'bitmapscan'])
        await sql`SET LOCAL ${sql.ref(`enable_${scan}`)} = off`.execute(transaction);
      const before = await countRead();
      const { count } = await list(transaction);
      expect([name, count]).toEqual([name, name === 'clients' ? 200 : 2000]);
      expect((await countRead()) - before, name).toBeLessThan(200);
    });
});
