/** Makes a backup while our servers run: all tables at one moment, the pictures, and the secret key. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type pg from 'pg';
import { ERASURE_LOG, formatErasure } from '#domain/clients/erasure.ts';
import type { ImageFormat } from '#domain/studio/artwork.ts';
import type { FinishedBackup } from '#server/database/backups.ts';
import type { Database } from '#server/database/connect.ts';
import { readErasures } from '#server/database/erasures.ts';
import {
  beginSnapshot,
  type CopiedTable,
  copyOut,
  listCopiedTables,
  openCopyConnection,
} from '#server/database/table_copy.ts';
import {
  type ImageFile,
  type ImageStore,
  imagePath,
  isMissingFile,
} from '#server/images/image_store.ts';
import { readStoredJobs } from '#server/jobs/stored_jobs.ts';
import { type ArchiveWriter, writeArchive } from './archive.ts';
import { inGroups } from './in_groups.ts';
import * as manifests from './manifest.ts';

/** From where a backup is made, and the facts that its header says about it. */
export interface BackupSource {
  readonly databaseUrl: string;
  /** A pool of connections to `databaseUrl`. */
  readonly database: Database;
  readonly images: Pick<ImageStore, 'read'>;
  readonly secretKey: { readonly bytes: Uint8Array; readonly from: 'setting' | 'file' } | undefined;
  readonly keyFingerprint: string | null;
  readonly kinds: Pick<manifests.BackupHeader['source'], 'database' | 'pictures'>;
  /** The version of Linework. */
  readonly program: string;
}

/** Rows of this many bytes are one part of a table. */
const PART_BYTES = 4 * 1024 * 1024;
/** Lines of this many characters are one part of the jobs or the erasures. */
const PART_CHARACTERS = 1024 * 1024;
/** This many picture files are read at the same time. */
const READ_AT_ONCE = 6;
/** This many pictures are looked up with one query. */
const IMAGES_BATCH = 1000;

const compress = promisify(gzip);

/**
 * Writes a backup to `path`. The rows come from one snapshot, which ends before the pictures are read, so
 * that a slow bucket keeps no transaction open. Pictures that are added meanwhile are in the next backup.
 * Erasures made meanwhile are listed at the end of the file, and made again by a restore.
 * @param onProgress called with a sentence about the part that is being copied
 * @returns the contents of the backup, and the record of it to store
 */
export async function backUp(
  source: BackupSource,
  path: string,
  signal: AbortSignal,
  onProgress: (text: string) => void = () => {},
): Promise<{ readonly manifest: manifests.BackupManifest; readonly backup: FinishedBackup }> {
  const startedAt = performance.now();
  const { filled: manifest, bytes } = await writeArchive(path, signal, async (archive) => {
    const { header, tables, jobs, images } = await addSnapshot(source, archive, onProgress);
    if (source.secretKey?.from === 'file')
      await archive.add(manifests.SECRET_KEY_ENTRY, source.secretKey.bytes);
    const pictures = await addPictures(source, archive, images, onProgress);
    const erasures = await addErasures(source.database, archive);
    const finishedAt = new Date().toISOString();
    const contents = { ...header, finishedAt, tables, jobs, erasures, pictures };
    await archive.add(manifests.LAST_ENTRY, toJson(contents));
    return contents;
  });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return { manifest, backup: { file: basename(path), bytes, seconds } };
}

/** All that is known of a picture until its files are read: small enough for the memory. */
interface ImageFiles {
  readonly id: string;
  readonly widths: readonly number[];
  readonly formats: readonly ImageFormat[];
}

/** Adds the tables and the jobs of one snapshot. @returns also the pictures that the tables name */
async function addSnapshot(
  source: BackupSource,
  archive: ArchiveWriter,
  onProgress: (text: string) => void,
) {
  await using connection = await openCopyConnection(source.databaseUrl);
  const { client } = connection;
  const snapshotAt = await beginSnapshot(client);
  const header = await createHeader(source, client, snapshotAt);
  await archive.add(manifests.FIRST_ENTRY, toJson(header));
  const tables: Record<string, manifests.TableSummary> = {};
  for (const table of await listCopiedTables(client)) {
    onProgress(`Copying the table ${table.name}`);
    tables[table.name] = await addTable(archive, client, table);
  }
  const jobs = await addJobs(archive, client);
  const images = await listImageFiles(client);
  await client.query('COMMIT');
  return { header, tables, jobs, images };
}

async function createHeader(
  source: BackupSource,
  client: pg.Client,
  snapshotAt: Date,
): Promise<manifests.BackupHeader> {
  const { rows: migrations } = await client.query<{ name: string; sha256: string }>(
    'SELECT name, sha256 FROM migrations ORDER BY name',
  );
  const { rows: versions } = await client.query<{ server_version: string }>('SHOW server_version');
  return {
    format: manifests.FORMAT,
    program: source.program,
    snapshotAt: snapshotAt.toISOString(),
    postgres: versions[0]?.server_version ?? '',
    migrations,
    source: { ...source.kinds, secretKey: source.secretKey?.from ?? 'none' },
    keyFingerprint: source.keyFingerprint,
  };
}

/** Adds a table as `database/<name>/00001.copy.gz` and so on, which joined are one gzip file. */
async function addTable(
  archive: ArchiveWriter,
  client: pg.Client,
  table: CopiedTable,
): Promise<manifests.TableSummary> {
  const hash = createHash('sha256');
  let bytes = 0;
  const rows = copyOut(client, table);
  const parts = createParts(archive, `database/${table.name}`, 'copy.gz');
  for await (const chunks of inGroups(rows, PART_BYTES, ({ length }) => length)) {
    const part = Buffer.concat(chunks);
    hash.update(part);
    bytes += part.length;
    await parts.add(part);
  }
  const { columns } = table;
  const sha256 = hash.digest('hex');
  return { columns: [...columns], rows: rows.rowCount, bytes, sha256, parts: parts.count() };
}

function createParts(archive: ArchiveWriter, folder: string, ending: string) {
  let count = 0;
  return {
    count: () => count,
    async add(content: Uint8Array | string) {
      count += 1;
      const name = `${folder}/${String(count).padStart(5, '0')}.${ending}`;
      await archive.add(name, await compress(content));
    },
  };
}

/** Adds lines in parts. @returns how many lines there are */
async function addLines(
  archive: ArchiveWriter,
  folder: string,
  ending: string,
  lines: AsyncIterable<string>,
): Promise<number> {
  const parts = createParts(archive, folder, ending);
  let count = 0;
  for await (const group of inGroups(lines, PART_CHARACTERS, ({ length }) => length)) {
    count += group.length;
    await parts.add(`${group.join('\n')}\n`);
  }
  return count;
}

function addJobs(archive: ArchiveWriter, client: pg.Client): Promise<number> {
  async function* lines() {
    for await (const batch of readStoredJobs(client))
      for (const job of batch) yield JSON.stringify(job);
  }
  return addLines(archive, 'jobs', 'ndjson.gz', lines());
}

/** Adds the current erasures, not those of the snapshot: a restore repeats the later ones. */
function addErasures(database: Database, archive: ArchiveWriter): Promise<number> {
  async function* lines() {
    for await (const erasure of readErasures(database)) yield formatErasure(erasure);
  }
  return addLines(archive, ERASURE_LOG, 'gz', lines());
}

async function listImageFiles(client: pg.Client): Promise<ImageFiles[]> {
  const { rows } = await client.query<ImageFiles>(
    'SELECT id, widths, formats FROM images ORDER BY id',
  );
  return rows;
}

function* filesOf(images: readonly ImageFiles[]): Generator<ImageFile> {
  for (const { id, widths, formats } of images)
    for (const width of widths) for (const format of formats) yield { imageId: id, width, format };
}

async function addPictures(
  { images: store, database }: BackupSource,
  archive: ArchiveWriter,
  images: readonly ImageFiles[],
  onProgress: (text: string) => void,
): Promise<manifests.BackupManifest['pictures']> {
  const total = images.reduce(
    (sum, { widths, formats }) => sum + widths.length * formats.length,
    0,
  );
  let count = 0;
  let bytes = 0;
  const missing: ImageFile[] = [];
  for await (const files of inGroups(filesOf(images), READ_AT_ONCE)) {
    const contents = await Promise.all(files.map((file) => readIfThere(store, file)));
    for (const [index, file] of files.entries()) {
      const content = contents[index];
      if (content === undefined) {
        missing.push(file);
        continue;
      }
      await archive.add(`media/${imagePath(file)}`, content);
      count += 1;
      bytes += content.length;
    }
    onProgress(`Copying the pictures: ${count + missing.length} of ${total} files`);
  }
  const names = await listNamesOfExisting(database, missing);
  return {
    count,
    bytes,
    deletedMeanwhile: missing.length - names.length,
    missing: names.length,
    missingNames: names.slice(0, manifests.MAX_MISSING_NAMES),
  };
}

/** Undefined for a file that does not exist. */
function readIfThere(store: Pick<ImageStore, 'read'>, file: ImageFile) {
  return store.read(file).catch((error: unknown) => {
    if (isMissingFile(error)) return undefined;
    throw error;
  });
}

/** Of the missing files, the names of those whose pictures are still in the database. */
async function listNamesOfExisting(
  database: Database,
  missing: readonly ImageFile[],
): Promise<string[]> {
  const existing = new Set<string>();
  for await (const ids of inGroups(new Set(missing.map(({ imageId }) => imageId)), IMAGES_BATCH)) {
    const rows = await database.selectFrom('images').select('id').where('id', 'in', ids).execute();
    for (const { id } of rows) existing.add(id);
  }
  return missing.filter(({ imageId }) => existing.has(imageId)).map(imagePath);
}

function toJson(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
