/** What our servers do for backups by themselves: the nightly backup, and the log of erasures. */

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import type { BackupSource } from './backup/back_up.ts';
import { createErasureLog, ERASURE_LOG } from './backup/erasure_log.ts';
import { backUpToFolder } from './backup/nightly.ts';
import type { Config } from './config.ts';
import type { Database } from './database/connect.ts';
import type { ImageStore } from './images/image_store.ts';
import type { BackupHandlers } from './jobs/jobs.ts';
import { findSecretKey, fingerprintOf } from './secret_key.ts';

const PackageJson = z.object({ version: z.string() });

/** What a backup of this server reads. */
export async function openBackupSource(
  config: Config,
  dataDir: string,
  { database, databaseUrl, images }: Pick<BackupSource, 'database' | 'databaseUrl' | 'images'>,
): Promise<BackupSource> {
  const secretKey = await findSecretKey(config, dataDir);
  const packageJson = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return {
    database,
    databaseUrl,
    images,
    secretKey,
    keyFingerprint: secretKey ? fingerprintOf(secretKey.bytes) : null,
    kinds: { database: config.database.kind, pictures: config.bucket ? 'bucket' : 'files' },
    program: PackageJson.parse(JSON.parse(packageJson)).version,
  };
}

/** The path of the log of erasures: beside the nightly backups, so that both survive the machine. */
function erasureLogPath({ backupDir }: Pick<Config, 'backupDir'>, dataDir: string): string {
  return join(backupDir === undefined ? dataDir : resolve(backupDir), ERASURE_LOG);
}

/** The scheduled work. Without BACKUP_DIR only the log of erasures is written, in the data directory. */
export function createBackupHandlers(
  config: Config,
  dataDir: string,
  parts: {
    readonly database: Database;
    readonly databaseUrl: string;
    readonly images: Pick<ImageStore, 'read'>;
    readonly log: Logger;
  },
): BackupHandlers {
  const { database } = parts;
  const log = parts.log.child({ component: 'Backup' });
  const { backupDir, backupKeep } = config;
  const writeErasureLog = createErasureLog(database, erasureLogPath(config, dataDir));
  const logFailure = async (message: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, message);
      throw error;
    }
  };
  return {
    everyMinuteForBackups: () =>
      logFailure('Writing the log of erasures failed (trying again in a minute)', () =>
        writeErasureLog(),
      ),
    ...(backupDir !== undefined && {
      everyNight: (signal: AbortSignal) =>
        logFailure('A backup failed (trying again, older backups are kept)', async () => {
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
