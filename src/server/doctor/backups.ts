import { sql } from 'kysely';
import { DEMO_PASSWORD_HASH } from '#demo/demo_artists.ts';
import { isBackupOld } from '#domain/backup.ts';
import { HOUR_MS, type Instant } from '#domain/time/time.ts';
import { findLastBackup } from '#server/database/backups.ts';
import type { Database } from '#server/database/connect.ts';
import { ok, warning } from './finding.ts';
import { type DatabaseCheck, hasTable } from './parts.ts';

/** Warns when the last backup is old, or when there is none while accounts are old enough for one. */
export const checkBackups: DatabaseCheck = async ({ database, config }) => {
  // The table is created at the next start.
  if (!(await hasTable(database, 'backups'))) return [];
  const now = Date.now();
  const last = await findLastBackup(database);
  if (last) {
    const text = `The last backup was made ${formatAge(now - last.finishedAt)} ago`;
    if (!isBackupOld(last.finishedAt, now)) return ok(`${text}.`);
    return warning(
      `${text}, more than a day.`,
      config.backupDir === undefined
        ? 'Set BACKUP_DIR on a server, or repeat `npm run backup`.'
        : 'Search the log for “Backup”.',
    );
  }
  if (!(await hasOldAccount(database, now))) return ok('There is none yet.');
  return warning(
    'There is no backup.',
    config.backupDir === undefined
      ? 'Set BACKUP_DIR to a folder on another disk, unless you copy database, pictures and key in another way.'
      : 'Search the log for “Backup”.',
  );
};

function formatAge(ageMs: number): string {
  const hours = Math.floor(ageMs / HOUR_MS);
  if (hours === 0) return 'less than an hour';
  return hours === 1 ? 'an hour' : `${hours} hours`;
}

/** Whether there was a night for a backup since the first account; the demo needs none. */
async function hasOldAccount(database: Database, now: Instant): Promise<boolean> {
  const account = await database
    .selectFrom('artists')
    .select('created_at')
    .where('password_hash', '!=', DEMO_PASSWORD_HASH)
    .orderBy('created_at')
    .limit(sql.lit(1))
    .executeTakeFirst();
  return account !== undefined && isBackupOld(account.created_at.getTime(), now);
}
