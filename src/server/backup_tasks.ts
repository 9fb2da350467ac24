/** The servers' own tasks for backups: the nightly backup, and the log of erasures. */

import { join, resolve } from 'node:path';
import { ERASURE_LOG } from '#domain/clients/erasure.ts';
import type { BackupSource } from './backup/back_up.ts';
import { createErasureLog } from './backup/erasure_log.ts';
import { fingerprintOf } from './backup/manifest.ts';
import { backUpToFolder } from './backup/nightly.ts';
import type { BackupHandlers } from './jobs/jobs.ts';
import type { Context } from './operations/context.ts';
import { readVersion } from './server_inspection.ts';
import type { Config } from './settings/config.ts';
import { findSecretKey } from './settings/secret_key.ts';

/** Opens the sources of a backup of this server. */
export async function openBackupSource(
  config: Config,
  dataDir: string,
  { database, databaseUrl, images }: Pick<BackupSource, 'database' | 'databaseUrl' | 'images'>,
): Promise<BackupSource> {
  const secretKey = await findSecretKey(config, dataDir);
  return {
    database,
    databaseUrl,
    images,
    secretKey,
    keyFingerprint: secretKey ? fingerprintOf(secretKey.bytes) : null,
    kinds: { database: config.database.kind, pictures: config.bucket ? 'bucket' : 'files' },
    program: await readVersion(),
  };
}

/**
 * The handlers of the scheduled jobs. Without BACKUP_DIR no backup is made, and the log of erasures is
 * written to the data directory if the database is bundled. Otherwise another server, with BACKUP_DIR, writes it.
 */
export function createBackupHandlers(
  config: Config,
  dataDir: string,
  databaseUrl: string,
  { database, images, log: parentLog, recordError }: Context,
): BackupHandlers {
  const log = parentLog.child({ component: 'Backup' });
  const { backupDir, backupKeep } = config;
  // Beside the nightly backups, so that both survive the machine.
  const folder = backupDir === undefined ? dataDir : resolve(backupDir);
  const writeErasureLog = createErasureLog(database, join(folder, ERASURE_LOG));
  const withErrorsReported =
    (queue: string, failure: string, work: (signal: AbortSignal) => Promise<void>) =>
    async (signal: AbortSignal) => {
      try {
        await work(signal);
      } catch (error) {
        log.error({ err: error }, failure);
        recordError(error, { queue });
        throw error;
      }
    };
  const erasure_log = withErrorsReported(
    'erasure_log',
    'Writing the log of erasures failed (trying again in a minute)',
    writeErasureLog,
  );
  if (backupDir === undefined) return config.database.kind === 'bundled' ? { erasure_log } : {};
  const backup = withErrorsReported(
    'backup',
    'A backup failed (trying again, older backups are kept)',
    async (signal) => {
      // A restore asks for this log beside the backup.
      await writeErasureLog();
      const source = await openBackupSource(config, dataDir, { database, databaseUrl, images });
      const made = await backUpToFolder(source, folder, backupKeep, signal);
      log.info(made, 'A backup was made');
    },
  );
  return { erasure_log, backup };
}
