/**
 * The table `erasures` lists the ids of deleted persons, accounts, appointments, messages and pictures.
 * Triggers fill it. Restoring a backup deletes their rows again.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import type { Erasure, ErasureKind } from '#domain/clients/erasure.ts';
import type { Database } from './connect.ts';

/** Rows per statement. */
const BATCH_SIZE = 1000;

/** How many erasures there are, and when the last one was: both differ after a new one. */
export async function summarizeErasures(database: Database) {
  const { count, last } = await database
    .selectFrom('erasures')
    .select((eb) => [eb.fn.countAll<string>().as('count'), eb.fn.max('erased_at').as('last')])
    .executeTakeFirstOrThrow();
  return { count: Number(count), last: last?.getTime() ?? null };
}

/** Reads all erasures, ordered by kind and id. */
export async function* readErasures(database: Database): AsyncGenerator<Erasure> {
  let after = { kind: '', id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const { rows } = await sql<{ kind: ErasureKind; id: string; at: Date }>`
      SELECT kind, subject_id AS id, erased_at AS at FROM erasures
      WHERE (kind, subject_id) > (${after.kind}, ${after.id}::uuid)
      ORDER BY kind, subject_id LIMIT ${BATCH_SIZE}
    `.execute(database);
    for (const { kind, id, at } of rows) yield { kind, id, at: at.getTime() };
    const last = rows.at(-1);
    if (!last || rows.length < BATCH_SIZE) return;
    after = last;
  }
}

/** Adds erasures that the table does not have yet, over the connection of a restore. */
export async function insertErasures(
  client: pg.Client,
  erasures: readonly Erasure[],
): Promise<void> {
  await client.query(
    `INSERT INTO erasures (kind, subject_id, erased_at)
    SELECT * FROM unnest($1::text[], $2::uuid[], $3::timestamptz[]) ON CONFLICT DO NOTHING`,
    [
      erasures.map(({ kind }) => kind),
      erasures.map(({ id }) => id),
      erasures.map(({ at }) => new Date(at)),
    ],
  );
}

/** A row that was deleted before, and exists again. */
export interface ReturnedRow {
  readonly kind: ErasureKind;
  readonly id: string;
  readonly artistId: string;
}

/** Lists the rows that were deleted before and exist again, accounts first. */
export async function listReturnedRows(database: Database): Promise<ReturnedRow[]> {
  const { rows } = await sql<ReturnedRow>`
    SELECT 'artist' AS kind, id, id AS "artistId" FROM artists
      WHERE EXISTS (SELECT FROM erasures WHERE kind = 'artist' AND subject_id = artists.id)
    UNION ALL
    -- Clients into whom others were merged come first: erasing them erases those too.
    SELECT * FROM (SELECT 'client', id, artist_id FROM clients
      WHERE erased_at IS NULL
        AND EXISTS (SELECT FROM erasures WHERE kind = 'client' AND subject_id = clients.id)
      ORDER BY merged_into IS NOT NULL, id) AS returned_clients
    UNION ALL
    SELECT 'appointment', id, artist_id FROM appointments
      WHERE EXISTS (SELECT FROM erasures WHERE kind = 'appointment' AND subject_id = appointments.id)
    UNION ALL
    SELECT 'message', id, artist_id FROM messages
      WHERE EXISTS (SELECT FROM erasures WHERE kind = 'message' AND subject_id = messages.id)
    UNION ALL
    SELECT 'image', id, artist_id FROM images
      WHERE EXISTS (SELECT FROM erasures WHERE kind = 'image' AND subject_id = images.id)
  `.execute(database);
  return rows;
}
