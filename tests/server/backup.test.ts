import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import fs, {
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { DamagedArchive, readArchive, writeArchive } from '#server/backup/archive.ts';
import { type BackupSource, backUp } from '#server/backup/back_up.ts';
import { createErasureLog, readErasureLog } from '#server/backup/erasure_log.ts';
import { fingerprintOf } from '#server/backup/manifest.ts';
import { backUpToFolder } from '#server/backup/nightly.ts';
import {
  checkBackup,
  loadBackup,
  type Restored,
  RestoreRefused,
  readErasuresOfBackup,
  refuseUnlessEmpty,
} from '#server/backup/restore.ts';
import { restoreToNewFolder } from '#server/backup/restored_pictures.ts';
import { runRestore } from '#server/backup_commands.ts';
import { findLastBackup } from '#server/database/backups.ts';
import { type Database, openDatabase } from '#server/database/connect.ts';
import { migrate } from '#server/database/migrate.ts';
import { type ImageFile, imagePath } from '#server/images/image_store.ts';
import { openJobRunner } from '#server/jobs/queue.ts';
import { toJob } from '#server/jobs/stored_jobs.ts';
import { readConfig } from '#server/settings/config.ts';
import {
  type ArtistRow,
  addAppointment,
  addArtist,
  addDesign,
  addImage,
} from '#support/database_rows.ts';
import { createEmptyDatabase } from '#support/empty_database.ts';
import { openFolder } from '#support/folder.ts';
import { silentLog } from '#support/recorded_log.ts';
import { createDatabaseCopy } from '#support/test_database.ts';

const { signal } = new AbortController();
const silent = () => {};
const SECRET_KEY = 'a secret key of tests';
const KEY = Buffer.from(SECRET_KEY);

let folder: string;
beforeEach(async () => {
  folder = await openFolder();
});

interface Studio {
  readonly url: string;
  readonly database: Database;
  readonly artist: ArtistRow;
  readonly source: BackupSource;
  /** The files of the pictures, by path. */
  readonly files: Map<string, Uint8Array>;
}

/** A database with an artist, an appointment, a design, an avatar, a job, and files of the pictures. */
async function openStudio(): Promise<Studio> {
  const url = await createDatabaseCopy();
  const database = openDatabase(url);
  onTestFinished(() => database.destroy());
  const artist = await addArtist(database);
  const { imageId } = await addDesign(database, artist);
  const { id: avatarId } = await addImage(database, artist, { kind: 'avatar' });
  // The row of the artist refers to that of the picture, and that to the artist's: a circle.
  await database.updateTable('artists').set({ avatar_id: avatarId }).execute();
  await addAppointment(database, artist);
  const files = new Map<string, Uint8Array>();
  for (const id of [imageId, avatarId])
    for (const width of [400, 800])
      for (const format of ['avif', 'webp'] as const)
        files.set(
          imagePath({ imageId: id, width, format }),
          Buffer.from(`${id} ${width} ${format}`),
        );
  return { url, database, artist, source: createSource(url, database, files), files };
}

function createSource(
  databaseUrl: string,
  database: Database,
  files: ReadonlyMap<string, Uint8Array>,
): BackupSource {
  return {
    databaseUrl,
    database,
    images: {
      async read(file: ImageFile) {
        const bytes = files.get(imagePath(file));
        if (bytes) return bytes;
        throw Object.assign(new Error('There is no such file'), { code: 'ENOENT' });
      },
    },
    secretKey: { bytes: KEY, from: 'file' },
    keyFingerprint: fingerprintOf(KEY),
    kinds: { database: 'url', pictures: 'files' },
    program: '1.2.3',
  };
}

async function restore(path: string, url: string): Promise<Restored> {
  const manifest = await checkBackup(path, signal, silent);
  return loadBackup(path, manifest, url, {
    pictures: restoreToNewFolder(join(folder, 'media')),
    erasures: [],
    beforeCommit: async () => {},
    signal,
    onProgress: silent,
  });
}

/** Runs the command. As with the bundled database, the key is a file; `throwIfAborted` is called at the end. */
function runCommand(
  file: string,
  DATABASE_URL: string,
  { log = silent, throwIfAborted = silent }: { log?(line: string): void; throwIfAborted?(): void },
): Promise<void> {
  const settings = { DATA_DIR: join(folder, 'data'), DATABASE_URL, SECRET_KEY };
  return runRestore(
    { ...readConfig(settings), secretKey: undefined },
    { file, erasures: undefined, withoutErasures: true, keepPictures: false },
    {
      log,
      progress: silent,
      signal: Object.assign(new AbortController().signal, { throwIfAborted }),
    },
  );
}

/** All rows of all tables, for comparisons. */
async function listRows(url: string): Promise<Record<string, unknown>> {
  const database = openDatabase(url, 1);
  try {
    const { rows: tables } = await sql<{ name: string }>`
      SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename
    `.execute(database);
    const entries = tables.map(async ({ name }) => {
      const { rows } = await sql<{ rows: string }>`
        SELECT coalesce(string_agg(t::text, ',' ORDER BY t::text), '') AS rows FROM ${sql.table(name)} AS t
      `.execute(database);
      return [name, rows[0]?.rows];
    });
    return Object.fromEntries(await Promise.all(entries));
  } finally {
    await database.destroy();
  }
}

test('a restored backup has the same rows in every table, the same pictures and the key, for an owner who is not a superuser', async () => {
  const studio = await openStudio();
  const path = join(folder, 'a.tar');
  const { manifest } = await backUp(studio.source, path, signal);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['a.tar']);

  const url = await createEmptyDatabase();
  const { secretKey } = await restore(path, url);
  const [before, after] = [await listRows(studio.url), await listRows(url)];
  expect(after).toEqual(before);
  expect(after['explore_listings']).toContain(studio.artist.id);
  expect(manifest.tables['appointments']?.rows).toBe(1);
  expect(Buffer.from(secretKey ?? []).toString()).toBe(SECRET_KEY);
  for (const [name, bytes] of studio.files) {
    const stored = join(folder, 'media', name);
    expect((await readFile(stored)).equals(bytes)).toBe(true);
    expect((await stat(stored)).mode & 0o777).toBe(0o600);
  }
  // The constraints, triggers and sequences are back, and a server can start on it.
  expect(await migrate(url)).toEqual([]);
  const restored = openDatabase(url, 1);
  onTestFinished(() => restored.destroy());
  await expect(
    restored.deleteFrom('studios').where('id', '=', studio.artist.studioId).execute(),
  ).rejects.toThrow('foreign key');
  await restored.deleteFrom('images').where('kind', '=', 'portfolio').execute();
  const appointmentId = await addAppointment(restored, studio.artist, { start: 0 });
  await restored.deleteFrom('appointments').where('id', '=', appointmentId).execute();
  expect(await restored.selectFrom('erasures').select('subject_id').execute()).toEqual([
    { subject_id: appointmentId },
  ]);
});

test('jobs that wait are in the backup, and are enqueued again as they were', async () => {
  const { source, database, url } = await openStudio();
  const runner = await openJobRunner(url, silentLog);
  onTestFinished(() => runner.stop());
  const id = randomUUID();
  await database.transaction().execute((transaction) =>
    runner.enqueue(transaction, [
      { kind: 'mail', id },
      { kind: 'encode_avif', imageId: id, priority: -3 },
      { kind: 'export', exportId: id },
    ]),
  );
  const path = join(folder, 'a.tar');
  expect((await backUp(source, path, signal)).manifest.jobs).toBe(2);
  const { jobs } = await restore(path, await createEmptyDatabase());
  expect(jobs.map(toJob).toSorted((a, b) => (a?.priority ?? 0) - (b?.priority ?? 0))).toEqual([
    { kind: 'encode_avif', imageId: id, priority: -3 },
    { kind: 'mail', id, priority: 0 },
  ]);
});

test('a picture deleted while a backup is made does not fail it, and is deleted again by a restore', async () => {
  const { source, database, artist, files } = await openStudio();
  const { id: lostId } = await addImage(database, artist, { widths: [400], formats: ['webp'] });
  const { id: deletedId } = await addImage(database, artist, { widths: [400], formats: ['webp'] });
  let isDeleted = false;
  const images = {
    async read(file: ImageFile) {
      // The rows were read before: the backup names this picture.
      if (!isDeleted) await database.deleteFrom('images').where('id', '=', deletedId).execute();
      isDeleted = true;
      return source.images.read(file);
    },
  };
  const path = join(folder, 'a.tar');
  const { manifest } = await backUp({ ...source, images }, path, signal);
  expect(manifest.pictures).toMatchObject({
    count: files.size,
    deletedMeanwhile: 1,
    missing: 1,
    missingNames: [`${lostId}/400.webp`],
  });
  const url = await createEmptyDatabase();
  await restore(path, url);
  const restored = openDatabase(url, 1);
  onTestFinished(() => restored.destroy());
  expect(await restored.selectFrom('erasures').select(['kind', 'subject_id']).execute()).toEqual([
    { kind: 'image', subject_id: deletedId },
  ]);
  expect(await readErasuresOfBackup(path, signal)).toMatchObject([
    { kind: 'image', id: deletedId },
  ]);
});

test('a damaged or shortened backup is refused by the name of its part, before anything is changed', async () => {
  const { source } = await openStudio();
  const path = join(folder, 'a.tar');
  const { bytes } = (await backUp(source, path, signal)).backup;
  const parts: string[] = [];
  await readArchive(path, signal, async (name) => void parts.push(name));
  expect(parts[0]).toBe('backup.json');
  expect(parts.at(-1)).toBe('manifest.json');

  const content = await readFile(path);
  const offset = content.indexOf('a secret key');
  await using file = await fs.open(path, 'r+');
  await file.write('A', offset);
  await expect(checkBackup(path, signal, silent)).rejects.toThrow(
    'secret-key does not have its SHA-256',
  );
  await file.write('a', offset);
  await checkBackup(path, signal, silent);
  for (const size of [bytes / 2, bytes - 2048, 700, 0]) {
    await truncate(path, size);
    await expect(checkBackup(path, signal, silent)).rejects.toThrow(DamagedArchive);
  }
  await writeFile(path, 'no backup');
  await expect(checkBackup(path, signal, silent)).rejects.toThrow(DamagedArchive);
});

const withText = (from: RegExp, to: string) => (manifest: Buffer) =>
  Buffer.from(manifest.toString().replace(from, to));
const withCount = (field: string, count: number) =>
  withText(new RegExp(`("${field}":\\s*)\\d+`), `$1${count}`);
const STUDIOS = 'database/studios/00001.copy.gz';
const withMore = (part: Buffer) => gzipSync(Buffer.concat([gunzipSync(part), Buffer.alloc(1e6)]));
const withLessSaid = (part: Buffer) =>
  Buffer.concat([withMore(part).subarray(0, -4), Buffer.from([9, 0, 0, 0])]);
const blankLines = () => gzipSync(Buffer.alloc(17 * 2 ** 20, '\n'));
const twice = (part: Buffer) => [part, part];

test.each<[string, string, (bytes: Buffer) => Buffer | Buffer[] | undefined, string]>([
  ['no rows of a table', STUDIOS, () => undefined, 'the table studios unpacks to 0 bytes'],
  ['fewer jobs than it says', 'manifest.json', withCount('jobs', 2), 'it has 0 of the 2 jobs'],
  ['fewer erasures', 'manifest.json', withCount('erasures', 1), 'has 0 of the 1 erasures'],
  ['no key', 'secret-key', () => undefined, 'it has no secret-key'],
  ['fewer pictures than it says', 'manifest.json', withCount('count', 9), 'has 8 of the 9 picture'],
  ['more pictures than it says', 'manifest.json', withCount('count', 7), 'has 8 of the 7 picture'],
  ['an unknown part', 'run\x1b.sh', (bytes) => bytes, 'run .sh is no part of a backup'],
  ['a path out of its folder', 'media/../x', (bytes) => bytes, 'media/../x is no part of a backup'],
  ['another key', 'secret-key', () => Buffer.from('a key of somebody'), 'is another key than'],
  ['two keys', 'secret-key', twice, 'it has two of secret-key'],
  ['a key by no manifest', 'manifest.json', withText(/"file"/, '"none"'), 'says that it has none'],
  ['a part after its end', 'manifest.json', twice, 'manifest.json stands after manifest.json'],
  ['another beginning', 'manifest.json', withText(/1\.2\.3/, '1'), 'does not repeat backup.json'],
  ['a short key', 'secret-key', () => Buffer.from('short'), 'secret-key has only 5 bytes'],
  ['more rows than it says', STUDIOS, withMore, 'the table studios unpacks to'],
  ['a bomb', STUDIOS, () => gzipSync(Buffer.alloc(257 * 2 ** 20)), 'unpacks to more than 256 MB'],
  ['a size that is not said', STUDIOS, withLessSaid, 'unpacks to more than it says'],
  ['blank lines', 'jobs/00001.ndjson.gz', blankLines, 'unpacks to more than 16 MB'],
  ['a part that is not packed', STUDIOS, () => Buffer.from('rows'), ' cannot be unpacked'],
])('a backup with %s is refused before anything is changed', async (_, part, change, message) => {
  const { source } = await openStudio();
  const path = join(folder, 'a.tar');
  await backUp(source, path, signal);
  // Its sums are right, as a stranger would write them.
  const other = join(folder, 'b.tar');
  let isChanged = false;
  await writeArchive(other, signal, ({ add }) =>
    readArchive(path, signal, async (name, bytes) => {
      const isNew = name === 'manifest.json' && name !== part && !isChanged;
      isChanged ||= name === part;
      const changed = isNew || name === part ? change(Buffer.from(isNew ? '' : bytes)) : undefined;
      for (const one of [changed].flat()) if (one) await add(part, one);
      if (name !== part) await add(name, bytes);
    }),
  );
  const url = await createEmptyDatabase();
  const work = restore(other, url);
  await expect(work).rejects.toThrow(DamagedArchive);
  await expect(work).rejects.toThrow(message);
  expect(await listRows(url)).toEqual({});
  expect(await readdir(folder)).toEqual(['a.tar', 'b.tar']);
});

test('a restore that fails at its end leaves no rows, pictures or key, and can be repeated', async () => {
  const { source, files } = await openStudio();
  const path = join(folder, 'a.tar');
  await backUp(source, path, signal);
  const DATABASE_URL = await createEmptyDatabase();
  const DATA_DIR = join(folder, 'data');
  const key = join(DATA_DIR, 'secret-key');
  const run = (throwIfAborted: () => void) => runCommand(path, DATABASE_URL, { throwIfAborted });
  const failAtEnd = () => {
    if (existsSync(key)) throw new Error('Ctrl-C');
  };
  await expect(run(failAtEnd)).rejects.toThrow('Ctrl-C');
  expect(await readdir(DATA_DIR)).toEqual([]);
  expect(await listRows(DATABASE_URL)).toEqual({});
  await run(silent);
  expect((await readFile(key)).equals(KEY)).toBe(true);
  for (const name of files.keys()) expect(existsSync(join(DATA_DIR, 'media', name))).toBe(true);
});

test('texts of a foreign backup are printed without escape sequences of a terminal', async () => {
  const { source, database } = await openStudio();
  await sql`CREATE TABLE ${sql.table('\x1b[31mred')} (id int)`.execute(database);
  const path = join(folder, 'a.tar');
  await backUp({ ...source, program: '\x1b[1m9' }, path, signal);
  const logged: string[] = [];
  await runCommand(path, await createEmptyDatabase(), { log: (line) => void logged.push(line) });
  expect(logged).toContain("The table [31mred is not Linework's: left out.");
  expect(logged[0]).toMatch(/^This is a backup of Linework \[1m9 of /);
});

test('a backup of a newer version, from before 0.1, or with another migration, is refused', async () => {
  const { source } = await openStudio();
  const path = join(folder, 'a.tar');
  const { manifest } = await backUp(source, path, signal);
  const writeWith = async (changes: object) => {
    const other = join(folder, `${randomUUID()}.tar`);
    const text = JSON.stringify({ ...manifest, ...changes });
    await writeArchive(other, signal, async ({ add }) => {
      await add('backup.json', Buffer.from(text));
      await add('manifest.json', Buffer.from(text));
    });
    return other;
  };
  const { migrations } = manifest;
  const newer = [...migrations, { name: '9999_later.sql', sha256: '' }];
  const unreleased = [{ name: '0001_booking.sql', sha256: '' }];
  const changed = migrations.map(({ name }) => ({ name, sha256: 'other' }));
  for (const [changes, message] of [
    [{ migrations: newer, program: '1\x1b.2' }, /newer Linework \(1 \.2\).*9999_later\.sql/],
    [{ migrations: changed }, /0001_schema\.sql differs/],
    [{ migrations: unreleased }, /^This backup was made by a version of Linework before 0\.1/],
    [{ format: 2 }, /form of a newer Linework/],
  ] as const) {
    const check = checkBackup(await writeWith(changes), signal, silent);
    await expect(check).rejects.toThrow(RestoreRefused);
    await expect(check).rejects.toThrow(message);
  }
});

test('a backup is restored only into an empty place: a table or a picture refuses it', async () => {
  const { source, url: usedUrl } = await openStudio();
  const path = join(folder, 'a.tar');
  await backUp(source, path, signal);
  const before = await listRows(usedUrl);
  await expect(restore(path, usedUrl)).rejects.toThrow('The database is not empty');
  await expect(refuseUnlessEmpty(usedUrl, undefined)).rejects.toThrow('The database is not empty');
  expect(await listRows(usedUrl)).toEqual(before);
  const media = join(folder, 'media');
  await mkdir(media);
  // Each start writes this file.
  await writeFile(join(media, '.store-id'), '');
  const pictures = restoreToNewFolder(media);
  await refuseUnlessEmpty(undefined, pictures);
  await writeFile(join(media, 'a picture'), '');
  await expect(refuseUnlessEmpty(undefined, pictures)).rejects.toThrow(
    'There are pictures already',
  );
});

test('the newest nightly backups are kept, and a backup that fails deletes none', async () => {
  const { source, database } = await openStudio();
  const old = ['05', '06', '07'].map((day) => `linework-2020-01-${day}T03-41-00Z.tar`);
  for (const name of [...old, 'erasures.log', 'mine.tar']) await writeFile(join(folder, name), '');
  const subfolder = 'linework-2020-01-01T00-00-00Z.tar';
  await mkdir(join(folder, subfolder));
  const images = { read: () => Promise.reject(new Error('The bucket is away')) };
  await expect(backUpToFolder({ ...source, images }, folder, 2, signal)).rejects.toThrow('away');
  expect(await readdir(folder)).toEqual(['erasures.log', subfolder, ...old, 'mine.tar']);
  expect(await findLastBackup(database)).toBeUndefined();

  const { file, bytes } = await backUpToFolder(source, folder, 2, signal);
  expect((await readdir(folder)).toSorted()).toEqual(
    ['erasures.log', subfolder, old[2], file, 'mine.tar'].toSorted(),
  );
  expect(await findLastBackup(database)).toMatchObject({ file, bytes });
  expect((await stat(join(folder, file))).size).toBe(bytes);
});

test('unfinished backups that a killed process has left are deleted after a day', async () => {
  const { source } = await openStudio();
  const left = (hour: string, id: string) => `linework-2020-01-05T${hour}-00-00Z.tar.${id}.part`;
  const abandoned = [left('01', randomUUID()), left('02', '4711')];
  const running = left('03', randomUUID());
  for (const name of [...abandoned, running]) await writeFile(join(folder, name), 'half');
  const setAge = (name: string, hours: number) => {
    const at = Date.now() / 1000 - hours * 3600;
    return utimes(join(folder, name), at, at);
  };
  for (const name of abandoned) await setAge(name, 25);
  await setAge(running, 0);
  const { file } = await backUpToFolder(source, folder, 2, signal);
  expect((await readdir(folder)).toSorted()).toEqual([running, file].toSorted());
});

test('a backup is written to a new file of a random name, which only its owner can read', async () => {
  const unfinished: string[] = [];
  for (const name of ['a.tar', 'b.tar'])
    await writeArchive(join(folder, name), signal, async ({ add }) => {
      await add('backup.json', Buffer.from('{}'));
      const [part = ''] = (await readdir(folder)).filter((file) => file.endsWith('.part'));
      expect((await stat(join(folder, part))).mode & 0o777).toBe(0o600);
      unfinished.push(part);
    });
  expect(unfinished[0]).toMatch(/^a\.tar\.[0-9a-f-]{36}\.part$/);
  expect(unfinished[1]).toMatch(/^b\.tar\.[0-9a-f-]{36}\.part$/);
  expect(unfinished[0]?.slice(1)).not.toBe(unfinished[1]?.slice(1));
  expect(await readdir(folder)).toEqual(['a.tar', 'b.tar']);
});

test('a backup does not follow a link that stands where its unfinished file should', async () => {
  const victim = join(folder, 'victim');
  await writeFile(victim, 'untouched');
  const { open } = fs;
  const spy = vi.spyOn(fs, 'open').mockImplementation(async (path, ...options) => {
    await symlink(victim, path);
    return open(path, ...options);
  });
  onTestFinished(() => spy.mockRestore());
  await expect(writeArchive(join(folder, 'a.tar'), signal, async () => {})).rejects.toThrow(
    'EEXIST',
  );
  expect(await readFile(victim, 'utf8')).toBe('untouched');
  expect(await readdir(folder)).not.toContain('a.tar');
});

test('an interrupted backup leaves no file', async () => {
  const { source } = await openStudio();
  const interruption = new AbortController();
  const images = {
    async read() {
      interruption.abort(new Error('Ctrl-C'));
      return new Uint8Array(10);
    },
  };
  const work = backUp({ ...source, images }, join(folder, 'a.tar'), interruption.signal);
  await expect(work).rejects.toThrow('Ctrl-C');
  expect(await readdir(folder)).toEqual([]);
});

test('the log of erasures gets each deletion once, keeps older lines, and mends half a line', async () => {
  const { database, artist } = await openStudio();
  const path = join(folder, 'not yet there/erasures.log');
  const write = createErasureLog(database, path);
  await write();
  expect(await readFile(path, 'utf8')).toBe('');
  const earlier = `2026-01-01T00:00:00.000Z client ${randomUUID()}\n`;
  await writeFile(path, `${earlier}2026-01-01T00:0`);
  await database.deleteFrom('appointments').execute();
  await write();
  await write();
  await createErasureLog(database, path)();
  expect(await readFile(path, 'utf8')).toMatch(
    new RegExp(`^${earlier}2026-01-01T00:0\n\\S+ appointment \\S+\n$`),
  );
  // Somebody has moved the file away, and nothing was deleted since.
  await rm(path);
  await write();
  expect(await readFile(path, 'utf8')).toMatch(/^\S+ appointment \S+\n$/);
  await rm(path);
  await sql`DELETE FROM designs`.execute(database);
  await sql`DELETE FROM artists WHERE id = ${artist.id}`.execute(database);
  await write();
  const erasures = await Array.fromAsync(readErasureLog(path));
  // The clients and pictures went with their artist.
  expect(erasures.map(({ kind }) => kind)).toEqual(['appointment', 'artist']);
  // A pipe would keep the job waiting for ever.
  await rm(path);
  execFileSync('mkfifo', [path]);
  await expect(createErasureLog(database, path)()).rejects.toThrow('erasures.log is not a file');
});
