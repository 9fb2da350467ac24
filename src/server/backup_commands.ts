/** The commands `npm run backup` and `npm run restore`. */
import { lstat, open as openFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ERASURE_LOG, type Erasure } from '#domain/clients/erasure.ts';
import { toOneLine } from '#domain/text/one_line.ts';
import { DamagedArchive } from './backup/archive.ts';
import { backUp } from './backup/back_up.ts';
import { readErasureLog } from './backup/erasure_log.ts';
import { inGroups } from './backup/in_groups.ts';
import { type BackupManifest, FIRST_ENTRY, fingerprintOf } from './backup/manifest.ts';
import {
  checkBackup,
  loadBackup,
  type Restored,
  RestoreRefused,
  readErasuresOfBackup,
  refuseUnlessEmpty,
} from './backup/restore.ts';
import {
  type RestoredPictures,
  restoreToNewFolder,
  restoreToStore,
} from './backup/restored_pictures.ts';
import { openBackupSource } from './backup_tasks.ts';
import { findOrStartPostgres, openContext, openStores } from './context.ts';
import { insertBackup } from './database/backups.ts';
import { findBundledPostgres } from './database/bundled/bundled_postgres.ts';
import { ensureDataDirectory } from './database/bundled/data_directory.ts';
import { findPostgresFolder } from './database/bundled/postgres_folder.ts';
import { readUserName } from './database/bundled/system_user.ts';
import { openDatabase } from './database/connect.ts';
import { describeUnreleased } from './database/database_versions.ts';
import { errorCode } from './database/error_code.ts';
import { listApplied } from './database/migrate.ts';
import { openCopyConnection } from './database/table_copy.ts';
import { createDiskInventory, createDiskStore } from './images/disk_store.ts';
import { toJob } from './jobs/stored_jobs.ts';
import { createLog } from './log/log.ts';
import { change } from './operations/change.ts';
import { replayErasures } from './operations/clients/replay_erasures.ts';
import { type Config, ConfigError, rethrowAsConfigError } from './settings/config.ts';
import { findSecretKey, SECRET_KEY_FILE } from './settings/secret_key.ts';

/** Where a command writes, and how it is interrupted. */
interface Terminal {
  readonly log: (line: string) => void;
  /** Replaces the last progress; shown only on a terminal. */
  readonly progress: (text: string) => void;
  readonly signal: AbortSignal;
}

/** How many jobs one transaction enqueues. */
const JOBS_BATCH = 500;

/** Makes a backup while servers run, or while none runs. @throws ConfigError */
export async function runBackup(
  config: Config,
  file: string,
  { log, progress, signal }: Terminal,
): Promise<void> {
  const path = resolve(file);
  if (await exists(path))
    throw new ConfigError(`${path} exists already. Choose another name, or delete it first.`);
  if (!(await exists(dirname(path))))
    throw new ConfigError(`The folder ${dirname(path)} does not exist. Create it first.`);
  const dataDir = await rethrowAsConfigError(ensureDataDirectory(config.dataDir));
  await using resources = new AsyncDisposableStack();
  const databaseUrl = await openExistingDatabase(config, dataDir, resources, signal);
  const database = openDatabase(databaseUrl, 2);
  resources.defer(() => database.destroy());
  const { images } = await openStores(config, dataDir, join(dataDir, 'media'));
  const source = await openBackupSource(config, dataDir, { database, databaseUrl, images });
  const { manifest, backup } = await backUp(source, path, signal, progress);
  await insertBackup(database, backup);
  const { bytes, seconds } = backup;
  const { tables, pictures } = manifest;
  const { count, missing } = pictures;
  log(
    `${path} has ${countRows(tables)} rows of ${Object.keys(tables).length} tables and ${count} picture files, ${Math.ceil(bytes / 1_000_000)} MB in ${seconds} s.`,
  );
  if (missing > 0)
    log(
      `${missing} picture files that the tables name do not exist, so they are not in it: manifest.json lists them.`,
    );
  if (config.database.kind === 'url' || config.secretKey !== undefined)
    log('SECRET_KEY is not in it: keep it with your other settings.');
  if (config.database.kind === 'url' && config.backupDir === undefined)
    log(
      `Without BACKUP_DIR, this server writes no ${ERASURE_LOG}, so a restore would bring back whoever is deleted from now on. Set BACKUP_DIR on a server, or restore with --erasures and a later backup.`,
    );
}

/** Finds the database, and starts the bundled one if no server runs. @throws ConfigError */
async function openExistingDatabase(
  config: Config,
  dataDir: string,
  resources: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<string> {
  const isBundled = config.database.kind === 'bundled';
  // Only one process can start the bundled PostgreSQL: that of a server that runs is used as it is.
  const urlOfServer = isBundled ? await findBundledPostgres(dataDir) : undefined;
  if (isBundled && urlOfServer === undefined && !(await findPostgresFolder(dataDir)))
    throw new ConfigError(
      `There is nothing to back up: ${dataDir} has no database. Set DATA_DIR to that of the server.`,
    );
  const url = urlOfServer ?? (await openPostgres(config, dataDir, resources, signal));
  await using connection = await openCopyConnection(url);
  const names = await listApplied(connection.client);
  const refusal = describeUnreleased(names, 'database');
  if (refusal !== undefined) throw new ConfigError(refusal);
  if (names.length === 0)
    throw new ConfigError(
      'The database is empty, so there is nothing to back up. Set DATA_DIR or DATABASE_URL to that of the server.',
    );
  return url;
}

export interface RestoreOptions {
  readonly file: string;
  /** Logs of erasures, or later backups. Undefined looks beside the file. */
  readonly erasures: readonly string[] | undefined;
  /** Restores although no log is there. */
  readonly withoutErasures: boolean;
  /** Keeps the pictures that are there, and adds the missing ones. */
  readonly keepPictures: boolean;
}

/** Restores a backup into an empty place. @throws ConfigError */
export async function runRestore(
  config: Config,
  options: RestoreOptions,
  terminal: Terminal,
): Promise<void> {
  const path = resolve(options.file);
  try {
    await restore(config, { ...options, file: path }, terminal);
  } catch (error) {
    throw toCommandError(path, error);
  }
}

function toCommandError(path: string, error: unknown): unknown {
  if (error instanceof RestoreRefused) return new ConfigError(error.message, { cause: error });
  if (!(error instanceof DamagedArchive)) return error;
  return new ConfigError(
    `${path} is damaged (${error.message}). Nothing was changed. Use another backup.`,
    { cause: error },
  );
}

async function restore(
  config: Config,
  options: RestoreOptions,
  { log, progress, signal }: Terminal,
): Promise<void> {
  const { file } = options;
  await assertBackup(file);
  const erasureFiles = await findErasureFiles(options);
  await refuseRootInFolderOfAnother(config);
  const dataDir = await rethrowAsConfigError(ensureDataDirectory(config.dataDir));
  const pictures = await openRestoredPictures(config, dataDir, options.keepPictures);
  await using resources = new AsyncDisposableStack();
  const hasDatabase =
    config.database.kind === 'url' || (await findPostgresFolder(dataDir)) !== undefined;
  const existingUrl = hasDatabase
    ? await openPostgres(config, dataDir, resources, signal)
    : undefined;
  await refuseUnlessEmpty(existingUrl, pictures);

  const manifest = await checkBackup(file, signal, progress);
  const erasures = await readErasureFiles(erasureFiles, signal);
  const keyNote = await checkSecretKey(config, dataDir, manifest, file);
  log(`This is a backup of Linework ${manifest.program} of ${manifest.snapshotAt}.`);
  // A new database is created only now, when the backup has been checked.
  const databaseUrl = existingUrl ?? (await openPostgres(config, dataDir, resources, signal));
  const restored = await loadBackup(file, manifest, databaseUrl, {
    pictures,
    erasures,
    beforeCommit: ({ secretKey }, undo) => writeSecretKey(config, dataDir, secretKey, undo),
    signal,
    onProgress: progress,
  });
  await finishRestore(config, databaseUrl, restored, log);
  logRestored(manifest, restored, log);
  if (erasureFiles.length === 0)
    log(
      `No log of erasures was read: who was deleted after ${manifest.snapshotAt} is back. Delete them again.`,
    );
  if (keyNote !== undefined) log(keyNote);
}

/**
 * Finds the PostgreSQL of DATABASE_URL, or starts the bundled one for the command.
 * @param resources receives the function that stops it
 * @returns its URL
 */
function openPostgres(
  config: Config,
  dataDir: string,
  resources: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<string> {
  const log = createLog({ format: config.log.format, level: 'error' });
  return findOrStartPostgres(config, { log, signal }, dataDir, resources);
}

/** Migrates to this version, enqueues the jobs, and repeats the deletions since the backup. */
async function finishRestore(
  config: Config,
  databaseUrl: string,
  { jobs: stored }: Restored,
  log: (line: string) => void,
): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const { context } = await openContext(
    config,
    { log: createLog(config.log), servesPages: false, databaseUrl },
    resources,
  );
  const jobs = stored.map(toJob).filter((job) => job !== undefined);
  for await (const batch of inGroups(jobs, JOBS_BATCH))
    await change(context, { invalidates: [] }, (inChange) =>
      inChange.jobs.enqueue(inChange.database, batch),
    );
  if (jobs.length < stored.length)
    log(
      `${stored.length - jobs.length} jobs have a form that this version does not know: left out.`,
    );
  const counts = await replayErasures(context);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total > 0)
    log(
      `Deleted again, because they were deleted after the backup: ${counts.artist} accounts, ${counts.client} clients, ${counts.appointment} appointments, ${counts.message} messages, ${counts.image} pictures.`,
    );
}

function logRestored(
  { tables, pictures }: BackupManifest,
  { unknownTables, jobs }: Restored,
  log: (line: string) => void,
): void {
  log(
    `Restored ${countRows(tables)} rows of ${Object.keys(tables).length - unknownTables.length} tables, ${pictures.count} picture files and ${jobs.length} jobs. All counts and sums are those of the backup.`,
  );
  if (pictures.missing > 0)
    log(`${pictures.missing} picture files were missing when the backup was made.`);
  for (const name of unknownTables)
    log(`The table ${toOneLine(name)} is not Linework's: left out.`);
}

function countRows(tables: BackupManifest['tables']): number {
  return Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);
}

/** @throws ConfigError when no log is found, and none is waived */
async function findErasureFiles({
  file,
  erasures,
  withoutErasures,
}: RestoreOptions): Promise<readonly string[]> {
  if (withoutErasures) return [];
  const beside = join(dirname(file), ERASURE_LOG);
  if (!erasures && !(await exists(beside)))
    throw new ConfigError(
      `There is no ${ERASURE_LOG} beside the backup, so it is unknown who was deleted after the backup was made. Name that file, or a later backup, with --erasures FILE; or restore with --without-erasures, and delete them again yourself.`,
    );
  const paths = erasures ?? [beside];
  for (const path of paths)
    await (path.endsWith('.tar') ? assertBackup(path) : assertErasureLog(path));
  return paths;
}

/** Reads all erasures into memory before the first change. @throws ConfigError for a damaged backup */
async function readErasureFiles(
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly Erasure[]> {
  const read = (path: string) =>
    path.endsWith('.tar')
      ? readErasuresOfBackup(path, signal).catch((error: unknown) => {
          throw toCommandError(path, error);
        })
      : Array.fromAsync(readErasureLog(path));
  const erasures: Erasure[][] = [];
  for (const path of paths) erasures.push(await read(path));
  return erasures.flat();
}

/** @throws ConfigError for another kind of file: read as an empty log, it would bring back everyone */
async function assertErasureLog(path: string): Promise<void> {
  await assertFile(path);
  await using erasures = readErasureLog(path);
  const { done } = await erasures.next();
  if (done && (await stat(path)).size > 0)
    throw new ConfigError(`${path} is no log of erasures. Nothing was changed.`);
}

/** Reading a pipe might wait for ever, and works only once. @throws ConfigError unless it is a file */
async function assertFile(path: string): Promise<void> {
  if (!(await exists(path))) throw new ConfigError(`${path} does not exist.`);
  if (!(await stat(path)).isFile())
    throw new ConfigError(`${path} is not a file. Name a file, and no folder, pipe or device.`);
}

/** @throws ConfigError for a file that does not begin as a backup does */
async function assertBackup(path: string): Promise<void> {
  await assertFile(path);
  // A tar archive begins with the name of its first entry.
  const beginning = Buffer.from(`${FIRST_ENTRY}\0`);
  await using file = await openFile(path);
  const { buffer } = await file.read(Buffer.alloc(beginning.length), 0, beginning.length, 0);
  if (!buffer.equals(beginning))
    throw new ConfigError(
      `That is no backup: ${path} does not begin with ${FIRST_ENTRY}. Name a file that Linework made, unpacked and decrypted.`,
    );
}

/** The server runs as the owner of DATA_DIR, and could not read files of root. @throws ConfigError */
async function refuseRootInFolderOfAnother({ dataDir }: Config): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const folder = await stat(dataDir).catch(() => undefined);
  if (!folder || folder.uid === 0) return;
  const user = await readUserName(folder.uid);
  throw new ConfigError(
    `${resolve(dataDir)} belongs to the user ${user}, as whom the server runs. Restore as this user: runuser -u ${user} -- npm run restore …`,
  );
}

/** Chooses where the pictures are restored: in the bucket, among those of DATA_DIR, or in a new folder. */
async function openRestoredPictures(
  config: Config,
  dataDir: string,
  keepPictures: boolean,
): Promise<RestoredPictures> {
  const folder = join(dataDir, 'media');
  if (config.bucket) {
    const { createS3Inventory, createS3Store } = await import('./images/s3_store.ts');
    const store = createS3Store(config.bucket);
    return restoreToStore(store, createS3Inventory(config.bucket), keepPictures);
  }
  return keepPictures
    ? restoreToStore(createDiskStore(folder, ''), createDiskInventory(folder), true)
    : restoreToNewFolder(folder);
}

/**
 * Compares the key of the backup with that of this place.
 * @returns a warning for the operator; undefined if all is well
 * @throws ConfigError when the data directory has another key
 */
async function checkSecretKey(
  config: Config,
  dataDir: string,
  { keyFingerprint, source }: BackupManifest,
  file: string,
): Promise<string | undefined> {
  const present = await findSecretKey(config, dataDir);
  // There was no key yet when the backup was made.
  if (keyFingerprint === null) return undefined;
  if (present && fingerprintOf(present.bytes) === keyFingerprint) return undefined;
  if (present?.from === 'file')
    throw new ConfigError(
      `${join(dataDir, SECRET_KEY_FILE)} is another key than that of the backup, and a backup is restored only into an empty place. Move it away.`,
    );
  const consequence =
    'Logins and the links in sent mails work only with the previous key, and it is not the one that is set now.';
  // The backup has its key in it. Without a SECRET_KEY here, the restore writes that key to DATA_DIR.
  if (source.secretKey === 'file')
    return present
      ? `${consequence} To keep them working, set SECRET_KEY_PREVIOUS to what this prints: tar --extract --to-stdout --file=${file} ${SECRET_KEY_FILE}`
      : undefined;
  return `${consequence} To keep them working, set SECRET_KEY to the previous SECRET_KEY, or SECRET_KEY_PREVIOUS if you want a new one.`;
}

/**
 * Writes the key of the backup, unless SECRET_KEY is set.
 * @param undo receives the function that deletes a new key: with it, no other backup could be restored here
 */
async function writeSecretKey(
  config: Config,
  dataDir: string,
  key: Uint8Array | undefined,
  undo: AsyncDisposableStack,
): Promise<void> {
  if (key === undefined || config.secretKey !== undefined) return;
  const path = join(dataDir, SECRET_KEY_FILE);
  const unfinished = `${path}.restoring`;
  undo.defer(() => rm(unfinished, { force: true }));
  if (!(await exists(path))) undo.defer(() => rm(path, { force: true }));
  await rm(unfinished, { force: true });
  await writeFile(unfinished, key, { flag: 'wx', mode: 0o600, flush: true });
  await rename(unfinished, path);
}

/** Whether there is anything at a path. @throws the error of the file system if this user may not know */
async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) throw error;
    return false;
  }
}
