/** What our servers do for backups by themselves: the nightly backup, and the log of erasures. */

import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { ERASURE_LOG } from '#domain/erasure.ts';
import type { BackupSource } from './backup/back_up.ts';
import { createErasureLog } from './backup/erasure_log.ts';
import { fingerprintOf } from './backup/manifest.ts';
import { backUpToFolder } from './backup/nightly.ts';
import type { Config } from './config.ts';
import type { Database } from './database/connect.ts';
import type { ImageStore } from './images/image_store.ts';
import type { BackupHandlers } from './jobs/jobs.ts';
import type { Context } from './operations/context.ts';
import { findSecretKey } from './secret_key.ts';
import { readVersion } from './server_inspection.ts';

/** What a backup of this server reads. */
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

/** The path of the log of erasures: beside the nightly backups, so that both survive the machine. */
function erasureLogPath({ backupDir }: Pick<Config, 'backupDir'>, dataDir: string): string {
  return join(backupDir === undefined ? dataDir : resolve(backupDir), ERASURE_LOG);
}

/**
 * The scheduled work. Without BACKUP_DIR, a server with the bundled database writes only the log of
 * erasures, in the data directory, and another one nothing: the server with BACKUP_DIR does it.
 */
export function createBackupHandlers(
  config: Config,
  dataDir: string,
  parts: {
    readonly database: Database;
    readonly databaseUrl: string;
    readonly images: Pick<ImageStore, 'read'>;
    readonly log: Logger;
    readonly recordError: Context['recordError'];
  },
): BackupHandlers {
  const { database, recordError } = parts;
  const log = parts.log.child({ component: 'Backup' });
  const { backupDir, backupKeep } = config;
  const writeErasureLog = createErasureLog(database, erasureLogPath(config, dataDir));
  const logFailure = async (queue: string, message: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, message);
      recordError(error, { queue });
      throw error;
    }
  };
  return {
    ...((backupDir !== undefined || config.database.kind === 'bundled') && {
      erasure_log: () =>
        logFailure(
          'erasure_log',
          'Writing the log of erasures failed (trying again in a minute)',
          () => writeErasureLog(),
        ),
    }),
    ...(backupDir !== undefined && {
      backup: (signal: AbortSignal) =>
        logFailure('backup', 'A backup failed (trying again, older backups are kept)', async () => {
          await writeErasureLog();
          const source = await openBackupSource(config, dataDir, parts);
          const { file, bytes, seconds } = await backUpToFolder(
            source,
            resolve(backupDir),
            backupKeep,
            signal,
          );
          log.info({ file, bytes, seconds }, 'A backup was made');
        }),
    }),
  };
}
