/** Restores a backup into an empty database, in one transaction: a failure leaves it empty. */
import { createHash } from 'node:crypto';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type pg from 'pg';
import * as z from 'zod/mini';
import { MIN_KEY_BYTES } from '#domain/backup.ts';
import { ERASURE_LOG, type Erasure, parseErasure } from '#domain/clients/erasure.ts';
import { describeUnreleased } from '#server/database/database_versions.ts';
import { insertErasures } from '#server/database/erasures.ts';
import { errorCode } from '#server/database/error_code.ts';
import { MIGRATION_LOCK, MIGRATIONS_TABLE, readMigrations } from '#server/database/migrate.ts';
import {
  copyIn,
  countRows,
  findAnyObject,
  listCopiedTables,
  openCopyConnection,
  prepareLoading,
} from '#server/database/table_copy.ts';
import { type ImageFile, parseImagePath } from '#server/images/image_store.ts';
import { StoredJob } from '#server/jobs/stored_jobs.ts';
import { DamagedArchive, MAX_PART_BYTES, readArchive } from './archive.ts';
import { inGroups } from './in_groups.ts';
import {
  BackupHeader,
  BackupManifest,
  FIRST_ENTRY,
  FORMAT,
  fingerprintOf,
  LAST_ENTRY,
  SECRET_KEY_ENTRY,
  type TableSummary,
} from './manifest.ts';
import type { RestoredPictures } from './restored_pictures.ts';

/** The backup cannot be restored here. The message says how the operator can fix it. */
export class RestoreRefused extends Error {}

const ERASURES_BATCH = 1000;
/** Far more than we write: these lines are all in memory at once. */
const MAX_LINES_BYTES = 16 * 1024 * 1024;
const TABLE_PART = /^database\/([^/]+)\/\d+\.copy\.gz$/;

const decompress = promisify(gunzip);

/**
 * Reads the whole backup, compares the sum of each part, and checks that this version can restore it.
 * @throws RestoreRefused, DamagedArchive
 */
export async function checkBackup(
  path: string,
  signal: AbortSignal,
  onProgress: (text: string) => void,
): Promise<BackupManifest> {
  let header: BackupHeader | undefined;
  let manifest: BackupManifest | undefined;
  let key: Uint8Array | undefined;
  let count = 0;
  const found = { pictures: 0, jobs: 0, erasures: 0, tableBytes: new Map<string, number>() };
  await readArchive(path, signal, async (name, bytes) => {
    const isFirst = count === 0;
    if (isFirst !== (name === FIRST_ENTRY)) throw new DamagedArchive(`it has no ${FIRST_ENTRY}`);
    if (manifest) throw new DamagedArchive(`${name} stands after ${LAST_ENTRY}`);
    header ??= await readHeader(bytes);
    count += 1;
    onProgress(`Checking the backup: part ${count}`);
    const part = toPart(name);
    if (part.kind === 'manifest') manifest = parseJson(BackupManifest, name, bytes);
    else if (part.kind === 'picture') found.pictures += 1;
    else if (part.kind === 'lines') found[part.of] += (await readLines(name, bytes)).length;
    else if (part.kind === 'table') {
      const { length } = await unpack(name, bytes, MAX_PART_BYTES);
      found.tableBytes.set(part.table, (found.tableBytes.get(part.table) ?? 0) + length);
    } else if (part.kind === 'key') {
      if (key) throw new DamagedArchive(`it has two of ${name}`);
      key = bytes;
      if (bytes.length < MIN_KEY_BYTES)
        throw new DamagedArchive(`${name} has only ${bytes.length} bytes`);
    }
  });
  if (!manifest) throw new DamagedArchive('it is cut off');
  compareSizes(manifest, found);
  compareKeys(manifest, key);
  if (JSON.stringify(z.parse(BackupHeader, manifest)) !== JSON.stringify(header))
    throw new DamagedArchive(`${LAST_ENTRY} does not repeat ${FIRST_ENTRY}`);
  return manifest;
}

/**
 * Checks that the backup has the key that its manifest names. Nothing is signed: this finds damage, and not
 * the work of a stranger who can write the file. @throws DamagedArchive
 */
function compareKeys(
  { source, keyFingerprint }: BackupManifest,
  key: Uint8Array | undefined,
): void {
  const isExpected = source.secretKey === 'file';
  if (isExpected && !key) throw new DamagedArchive(`it has no ${SECRET_KEY_ENTRY}`);
  if (!isExpected && key)
    throw new DamagedArchive(
      `it has a ${SECRET_KEY_ENTRY}, though ${LAST_ENTRY} says that it has none`,
    );
  if (key && fingerprintOf(key) !== keyFingerprint)
    throw new DamagedArchive(`${SECRET_KEY_ENTRY} is another key than ${LAST_ENTRY} says`);
}

interface FoundParts {
  readonly pictures: number;
  readonly jobs: number;
  readonly erasures: number;
  /** The unpacked bytes by table. A table without rows has no part. */
  readonly tableBytes: ReadonlyMap<string, number>;
}

/** Compares the counts and bytes of the parts with the manifest. @throws DamagedArchive when they differ */
function compareSizes(manifest: BackupManifest, found: FoundParts): void {
  const { tables, pictures, jobs, erasures } = manifest;
  for (const [what, count, expected] of [
    ['picture files', found.pictures, pictures.count],
    ['jobs', found.jobs, jobs],
    ['erasures', found.erasures, erasures],
  ] as const)
    if (count !== expected)
      throw new DamagedArchive(
        `it has ${count} of the ${expected} ${what} that ${LAST_ENTRY} counts`,
      );
  for (const table of found.tableBytes.keys())
    if (!Object.hasOwn(tables, table))
      throw new DamagedArchive(`${LAST_ENTRY} does not list the table ${table}`);
  for (const [table, summary] of Object.entries(tables)) {
    const bytes = found.tableBytes.get(table) ?? 0;
    if (bytes !== summary.bytes)
      throw new DamagedArchive(
        `the table ${table} unpacks to ${bytes} bytes and not ${summary.bytes}, as ${LAST_ENTRY} says`,
      );
  }
}

type Part =
  | { readonly kind: 'header' | 'manifest' | 'key' }
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'lines'; readonly of: 'jobs' | 'erasures' }
  | { readonly kind: 'picture'; readonly file: ImageFile };

/** Reads from a name which part it is. @throws DamagedArchive for another name, such as one with `..` in it */
function toPart(name: string): Part {
  if (name === FIRST_ENTRY) return { kind: 'header' };
  if (name === LAST_ENTRY) return { kind: 'manifest' };
  if (name === SECRET_KEY_ENTRY) return { kind: 'key' };
  const [, table] = TABLE_PART.exec(name) ?? [];
  if (table !== undefined) return { kind: 'table', table };
  if (name.startsWith('jobs/')) return { kind: 'lines', of: 'jobs' };
  if (name.startsWith(`${ERASURE_LOG}/`)) return { kind: 'lines', of: 'erasures' };
  const file = name.startsWith('media/') ? parseImagePath(name.slice('media/'.length)) : undefined;
  if (file) return { kind: 'picture', file };
  throw new DamagedArchive(`${name} is no part of a backup`);
}

/** @throws RestoreRefused for a backup of another version, DamagedArchive */
async function readHeader(bytes: Uint8Array): Promise<BackupHeader> {
  const { format } = parseJson(z.looseObject({ format: z.int() }), FIRST_ENTRY, bytes);
  if (format > FORMAT)
    throw new RestoreRefused(
      'This backup has the form of a newer Linework. Install that version, and restore with it.',
    );
  const header = parseJson(BackupHeader, FIRST_ENTRY, bytes);
  const refusal = describeUnreleased(
    header.migrations.map(({ name }) => name),
    'backup',
  );
  if (refusal !== undefined) throw new RestoreRefused(refusal);
  const known = new Map([...(await readMigrations())].map(([name, { sha256 }]) => [name, sha256]));
  for (const { name, sha256 } of header.migrations) {
    if (!known.has(name))
      throw new RestoreRefused(
        `This backup is of a newer Linework (${header.program}): it has the migration ${name}, which this version does not know. Install that version, and restore with it.`,
      );
    if (known.get(name) !== sha256)
      throw new RestoreRefused(
        `This backup is of another Linework (${header.program}): its migration ${name} differs from the one of this version. Install that version, and restore with it.`,
      );
  }
  return header;
}

/** @throws RestoreRefused when the database has tables, or the store has pictures */
export async function refuseUnlessEmpty(
  databaseUrl: string | undefined,
  pictures: RestoredPictures | undefined,
): Promise<void> {
  if (pictures && !(await pictures.isEmpty()))
    throw new RestoreRefused(
      'There are pictures already, and a backup is restored only into an empty place. Move them away, or add --keep-pictures to keep them and add those that are missing.',
    );
  if (databaseUrl === undefined) return;
  await using connection = await openCopyConnection(databaseUrl);
  await refuseUnlessDatabaseEmpty(connection.client);
}

async function refuseUnlessDatabaseEmpty(client: pg.Client): Promise<void> {
  const found = await findAnyObject(client);
  if (found !== undefined)
    throw new RestoreRefused(
      `The database is not empty: it has ${found}. A backup is restored only into an empty place: create a new database, or move DATA_DIR away.`,
    );
}

/** The parts that belong to no table, for the caller to restore. */
export interface Restored {
  readonly jobs: readonly StoredJob[];
  readonly secretKey: Uint8Array | undefined;
  /** Tables in the backup that are not Linework's, and were left out. */
  readonly unknownTables: readonly string[];
}

interface LoadOptions {
  readonly pictures: RestoredPictures;
  readonly erasures: readonly Erasure[];
  readonly beforeCommit: (restored: Restored, undo: AsyncDisposableStack) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/**
 * Creates the schema as it was when the backup was made, and loads the tables and the pictures. Compares the
 * counts and the sums of all tables before anything is visible.
 * @param erasures made after the backup, for the table `erasures`: nothing is deleted here
 * @param beforeCommit the last step before the commit; adds to `undo` the steps that a failure must take back
 * @throws RestoreRefused, DamagedArchive
 */
export async function loadBackup(
  path: string,
  manifest: BackupManifest,
  databaseUrl: string,
  options: LoadOptions,
): Promise<Restored> {
  const { pictures, erasures, beforeCommit, signal, onProgress } = options;
  await using connection = await openCopyConnection(databaseUrl);
  const { client } = connection;
  const undo = new AsyncDisposableStack();
  undo.defer(() => pictures.undo());
  await client.query('BEGIN');
  try {
    // A server that starts meanwhile waits for this lock before it migrates.
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await refuseUnlessDatabaseEmpty(client);
    onProgress('Creating the tables');
    await createSchema(client, manifest);
    const loading = await prepareLoading(client);
    const { storedErasures, ...restored } = await loadParts(path, manifest, client, options);
    onProgress('Checking the tables');
    await compareCounts(client, manifest, restored.unknownTables);
    await loading.finish();
    for await (const batch of inGroups([...storedErasures, ...erasures], ERASURES_BATCH))
      await insertErasures(client, batch);
    await client.query('ANALYZE');
    await pictures.finish();
    await beforeCommit(restored, undo);
    signal.throwIfAborted();
    await client.query('COMMIT');
    return restored;
  } catch (error) {
    await undo.disposeAsync();
    throw error;
  }
}

async function createSchema(client: pg.Client, manifest: BackupManifest): Promise<void> {
  await client.query(MIGRATIONS_TABLE);
  const names = new Set(manifest.migrations.map(({ name }) => name));
  for (const [name, { sql }] of await readMigrations())
    if (names.has(name)) await client.query(sql);
}

/** Loads the tables and stores the pictures. @returns the other parts */
async function loadParts(
  path: string,
  manifest: BackupManifest,
  client: pg.Client,
  { pictures, signal, onProgress }: LoadOptions,
) {
  const ownTables = new Set((await listCopiedTables(client)).map(({ name }) => name));
  const jobs: StoredJob[] = [];
  const storedErasures: Erasure[] = [];
  let secretKey: Uint8Array | undefined;
  /** The table whose parts are being loaded. The parts of a table follow each other. */
  let current: OpenTable | undefined;
  let pictureCount = 0;
  await readArchive(path, signal, async (name, bytes) => {
    const part = toPart(name);
    const table = part.kind === 'table' ? part.table : undefined;
    if (table !== current?.name) {
      await current?.finish();
      current = undefined;
    }
    if (table !== undefined) {
      const summary = manifest.tables[table];
      if (!summary || !ownTables.has(table)) return;
      if (!current) onProgress(`Loading the table ${table}`);
      current ??= openTable(client, table, summary);
      await current.write(await unpack(name, bytes, MAX_PART_BYTES));
    } else if (part.kind === 'picture') {
      await pictures.put(part.file, bytes);
      pictureCount += 1;
      onProgress(`Storing the pictures: ${pictureCount} of ${manifest.pictures.count} files`);
    } else if (part.kind === 'lines')
      for (const line of await readLines(name, bytes))
        if (part.of === 'jobs') jobs.push(parseJson(StoredJob, name, Buffer.from(line)));
        else addErasure(storedErasures, line);
    else if (part.kind === 'key') secretKey = bytes;
  });
  await current?.finish();
  const unknownTables = Object.keys(manifest.tables).filter((name) => !ownTables.has(name));
  return { jobs, storedErasures, secretKey, unknownTables };
}

type OpenTable = ReturnType<typeof openTable>;

/** Loads a table part by part, and compares its sum at the end. */
function openTable(client: pg.Client, name: string, summary: TableSummary) {
  const hash = createHash('sha256');
  const stream = copyIn(client, { name, columns: summary.columns });
  const ended = finished(stream);
  // Awaited below; without this, a rejection before that would end the process.
  ended.catch(() => {});
  return {
    name,
    async write(rows: Uint8Array) {
      hash.update(rows);
      // After an error of PostgreSQL, the stream never calls back, but `ended` rejects.
      await Promise.race([
        new Promise<void>((resolve, reject) =>
          stream.write(rows, (error) => (error ? reject(error) : resolve())),
        ),
        ended,
      ]);
    },
    async finish() {
      stream.end();
      await ended;
      if (hash.digest('hex') !== summary.sha256)
        throw new DamagedArchive(`the table ${name} does not have its SHA-256`);
    },
  };
}

/** Compares the rows of the loaded tables with the manifest. @throws DamagedArchive */
async function compareCounts(
  client: pg.Client,
  { tables }: BackupManifest,
  unknownTables: readonly string[],
): Promise<void> {
  for (const [name, { rows }] of Object.entries(tables)) {
    if (unknownTables.includes(name)) continue;
    const count = await countRows(client, name);
    if (count !== rows)
      throw new DamagedArchive(`the table ${name} has ${count} rows and not ${rows}`);
  }
}

/** Reads the erasures that a backup lists at its end. */
export async function readErasuresOfBackup(path: string, signal: AbortSignal): Promise<Erasure[]> {
  const erasures: Erasure[] = [];
  await readArchive(path, signal, async (name, bytes) => {
    if (!name.startsWith(`${ERASURE_LOG}/`)) return;
    for (const line of await readLines(name, bytes)) addErasure(erasures, line);
  });
  return erasures;
}

/** Adds the erasure of a line. Skips a line of another form. */
function addErasure(erasures: Erasure[], line: string): void {
  const erasure = parseErasure(line);
  if (erasure) erasures.push(erasure);
}

/** Reads the lines of a packed part; `name` is for errors. */
async function readLines(name: string, bytes: Uint8Array): Promise<string[]> {
  const text = (await unpack(name, bytes, MAX_LINES_BYTES)).toString();
  return text.split('\n').filter((line) => line !== '');
}

/** @throws DamagedArchive, also for a small part that would unpack to more than `maxBytes` */
async function unpack(name: string, bytes: Uint8Array, maxBytes: number): Promise<Buffer> {
  // The last four bytes of a gzip file say how long it is unpacked. Zeros replace those that are cut off.
  const expectedBytes = Buffer.concat([bytes.subarray(-4), Buffer.alloc(4)]).readUInt32LE();
  const maxOutputLength = Math.max(1, Math.min(expectedBytes, maxBytes));
  try {
    return await decompress(bytes, { maxOutputLength });
  } catch (cause) {
    const isTooLarge = errorCode(cause) === 'ERR_BUFFER_TOO_LARGE';
    const limit = expectedBytes > maxBytes ? `${maxBytes / 2 ** 20} MB` : 'it says';
    const what = isTooLarge ? `unpacks to more than ${limit}` : 'cannot be unpacked';
    throw new DamagedArchive(`${name} ${what}`, { cause });
  }
}

/** @throws DamagedArchive when the text has another form */
function parseJson<T>(schema: z.ZodMiniType<T>, name: string, bytes: Uint8Array): T {
  try {
    return z.parse(schema, JSON.parse(Buffer.from(bytes).toString()));
  } catch (cause) {
    throw new DamagedArchive(`${name} cannot be read`, { cause });
  }
}
