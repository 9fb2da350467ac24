/** The table `backups` lists the backups that were made, the newest `MAX_ROWS` of them. */
import { sql } from 'kysely';
import type { Instant } from '#domain/time/time.ts';
import type { Database } from './connect.ts';

export interface FinishedBackup {
  /** The name of the file, without its folder. */
  readonly file: string;
  readonly bytes: number;
  readonly seconds: number;
}

interface StoredBackup extends FinishedBackup {
  readonly finishedAt: Instant;
}

const MAX_ROWS = 100;

/** Stores that a backup was made now. */
export async function insertBackup(database: Database, backup: FinishedBackup): Promise<void> {
  await database
    .insertInto('backups')
    .values({ ...backup, bytes: String(backup.bytes) })
    .execute();
  await sql`
    DELETE FROM backups WHERE id NOT IN (SELECT id FROM backups ORDER BY id DESC LIMIT ${MAX_ROWS})
  `.execute(database);
}

/** Finds the last backup that was made; undefined before the first. */
export async function findLastBackup(database: Database): Promise<StoredBackup | undefined> {
  const row = await database
    .selectFrom('backups')
    .select(['file', 'bytes', 'seconds', 'finished_at'])
    .orderBy('id', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst();
  if (!row) return undefined;
  const { file, bytes, seconds, finished_at } = row;
  return { file, bytes: Number(bytes), seconds, finishedAt: finished_at.getTime() };
}
