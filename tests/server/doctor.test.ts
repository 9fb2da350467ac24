import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { DEMO_PASSWORD_HASH } from '#demo/demo_artists.ts';
import { insertBackup } from '#server/database/backups.ts';
import { LISTENER_NAME } from '#server/database/connect.ts';
import { describeDifference } from '#server/doctor/clock.ts';
import { logFindings, runDoctorChecks } from '#server/doctor/doctor.ts';
import { identifyStore } from '#server/images/store_identity.ts';
import { readConfig } from '#server/settings/config.ts';
import { serveBucket } from '#support/bucket.ts';
import { addArtist } from '#support/database_rows.ts';
import { openFolder } from '#support/folder.ts';
import { freePort } from '#support/free_port.ts';
import { listenForTest } from '#support/listen.ts';
import { MIGRATION_FILES } from '#support/next_version.ts';
import { recordLog } from '#support/recorded_log.ts';
import { queryDatabase } from '#support/sandbox.ts';
import { openSilentPostgres } from '#support/silent_postgres.ts';
import { openSmtpServer } from '#support/smtp_server.ts';
import { openTestApp, TEST_SECRET_KEY } from '#support/test_app.ts';
import { createDatabaseCopy } from '#support/test_database.ts';

const SECRET_KEY = TEST_SECRET_KEY;

async function diagnose(settings: Readonly<Record<string, string>>) {
  const variables = { DATA_DIR: await openFolder(), SECRET_KEY, ...settings };
  return runDoctorChecks(readConfig(variables), variables);
}

/** The findings of one part. */
async function diagnosePart(part: string, settings: Readonly<Record<string, string>>) {
  const findings = await diagnose({ SITE_URL: 'http://127.0.0.1:1', ...settings });
  return findings.filter((finding) => finding.part === part);
}

test('a whole installation passes every check, and nothing of the checks stays', async () => {
  await using smtp = await openSmtpServer();
  const { settings } = await serveBucket();
  const app = await openTestApp({ database: 'own' });
  const site = await app.serve();
  const listTables = () =>
    queryDatabase(app.databaseUrl, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  const before = await listTables();
  const findings = await diagnose({
    ...settings,
    DATABASE_URL: app.databaseUrl,
    SITE_URL: 'https://book.linework.example',
    PUBLIC_API_URL: site.origin,
    S3_PUBLIC_URL: `${settings.S3_ENDPOINT}${settings.S3_BUCKET}`,
    SMTP_URL: smtp.url,
    ALLOWED_ORIGINS: 'https://book.linework.example',
  });
  expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
  const lines: string[] = [];
  logFindings(findings, recordLog(lines));
  expect(lines).toEqual([`All ${findings.length} checks passed`]);
  expect(findings.map(({ part }) => part)).toEqual(
    expect.arrayContaining(['settings', 'database', 'migrations', 'writes', 'mail', 'images']),
  );
  expect(await listTables()).toEqual(before);
  expect(smtp.mails).toEqual([]);
});

test('the service of another SECRET_KEY at the public address is another service', async () => {
  const app = await openTestApp();
  const site = await app.serve();
  const findings = await diagnose({ SITE_URL: site.origin, SECRET_KEY: 'another secret key' });
  expect(findings).toContainEqual(
    expect.objectContaining({
      status: 'error',
      message: `Another Linework answers at ${site.origin}: it has another SECRET_KEY.`,
    }),
  );
});

test('unknown and missing migrations are named; ALLOW_NEWER_DATABASE=1 makes unknown ones a warning', async () => {
  const url = await createDatabaseCopy();
  const diagnoseMigrations = (settings = {}) =>
    diagnosePart('migrations', { DATABASE_URL: url, ...settings });
  await queryDatabase(url, "INSERT INTO migrations VALUES ('9999_future.sql', 'x', now(), true)");
  expect(await diagnoseMigrations({ ALLOW_NEWER_DATABASE: '1' })).toEqual([
    expect.objectContaining({
      status: 'warning',
      message: expect.stringContaining('9999_future.sql'),
      advice: 'Finish the upgrade, and remove ALLOW_NEWER_DATABASE.',
    }),
  ]);
  await queryDatabase(url, "DELETE FROM migrations WHERE name <> '9999_future.sql'");
  expect((await diagnoseMigrations()).map(({ message }) => message)).toEqual([
    'A newer version has changed the database; this one does not know 9999_future.sql.',
    `Not applied yet: ${MIGRATION_FILES.join(', ')}.`,
  ]);
  await queryDatabase(url, `UPDATE migrations SET name = '${MIGRATION_FILES[0]}'`);
  expect(await diagnoseMigrations()).toContainEqual(
    expect.objectContaining({
      message: expect.stringContaining(`${MIGRATION_FILES[0]} was changed`),
    }),
  );
});

test('a database that hangs ends the checks within the time limit, with one error', async () => {
  const findings = await diagnose({
    DATABASE_URL: await openSilentPostgres(),
    SITE_URL: 'http://127.0.0.1:1',
  });
  expect(findings.filter(({ status }) => status === 'error')).toEqual([
    expect.objectContaining({ part: 'database', message: expect.stringContaining('in time') }),
  ]);
});

test('demo accounts with their known password are named when the site is public', async () => {
  const app = await openTestApp({ database: 'own' });
  const account = { email: 'ana@example.com', password_hash: DEMO_PASSWORD_HASH };
  await addArtist(app.database, account);
  const demo = async (settings = {}) =>
    (await diagnosePart('demo', { DATABASE_URL: app.databaseUrl, ...settings }))[0];
  expect(await demo()).toMatchObject({ status: 'ok' });
  expect(await demo({ HOST: '0.0.0.0' })).toMatchObject({
    status: 'warning',
    message: 'Everyone can log in as ana@example.com: their password is known.',
  });
  for (const nth of [1, 2, 3, 4, 5])
    await addArtist(app.database, { ...account, email: `bo${nth}@example.com` });
  expect(await demo({ HOST: '0.0.0.0' })).toMatchObject({
    message: expect.stringContaining(
      'as ana@example.com, bo1@example.com, bo2@example.com and 3 more',
    ),
  });
});

test('accounts whose username nobody can type are a warning', async () => {
  const { database, databaseUrl } = await openTestApp({ database: 'own' });
  for (const username of ['zoë', 'josé', 'jose', 'äda', 'øle'])
    await addArtist(database, { username });
  expect(await diagnosePart('emails', { DATABASE_URL: databaseUrl })).toMatchObject([
    { message: expect.stringMatching(/nobody can type: 4 \(.*, .*, .* and 1 more\)\. .*: 0\.$/) },
  ]);
});

test('a last backup that is old, and none after more than a day, is a warning with what to do', async () => {
  const { database, databaseUrl } = await openTestApp({ database: 'own' });
  const diagnoseBackups = async (settings = {}) =>
    (await diagnosePart('backups', { DATABASE_URL: databaseUrl, ...settings }))[0];
  const setAges = (hours: number) => {
    const time = new Date(Date.now() - hours * 3_600_000);
    return Promise.all([
      database.updateTable('artists').set({ created_at: time }).execute(),
      database.updateTable('backups').set({ finished_at: time }).execute(),
    ]);
  };
  const SET = { advice: expect.stringMatching(/^Set BACKUP_DIR /) };
  expect(await diagnoseBackups()).toMatchObject({ status: 'ok', message: 'There is none yet.' });
  await addArtist(database, { password_hash: DEMO_PASSWORD_HASH });
  await setAges(27);
  expect(await diagnoseBackups()).toMatchObject({ status: 'ok' });
  await addArtist(database);
  expect(await diagnoseBackups()).toMatchObject({ status: 'ok' });
  await setAges(27);
  expect(await diagnoseBackups()).toMatchObject({ status: 'warning', ...SET });

  await insertBackup(database, { file: 'linework.tar', bytes: 1, seconds: 1 });
  await setAges(25);
  expect(await diagnoseBackups()).toMatchObject({
    status: 'ok',
    message: 'The last backup was made 25 hours ago.',
  });
  await setAges(26);
  expect(await diagnoseBackups()).toMatchObject({ status: 'warning', ...SET });
  expect(await diagnoseBackups({ BACKUP_DIR: await openFolder() })).toMatchObject({
    advice: 'Search the log for “Backup”.',
  });
});

test('a BACKUP_DIR where the server’s user cannot write is an error, also while it is missing', async () => {
  const folder = await openFolder();
  await chmod(folder, 0o755);
  const [DATA_DIR, BACKUP_DIR] = [join(folder, 'data'), join(folder, 'backups')];
  await Promise.all([DATA_DIR, BACKUP_DIR].map((path) => mkdir(path)));
  // Root may write everywhere, so the server's user is another one then, who may by a group only.
  const isRoot = process.getuid?.() === 0;
  const { uid, gid } = await findGroupMember();
  if (isRoot) await chown(DATA_DIR, uid, 65534);
  await chmod(BACKUP_DIR, 0o775);
  const setWritable = (isWritable: boolean) =>
    isRoot
      ? chown(BACKUP_DIR, 0, isWritable ? gid : 0)
      : chmod(BACKUP_DIR, isWritable ? 0o755 : 0o555);
  const diagnoseAt = async (path: string) => {
    const [found] = await diagnosePart('backup folder', { DATA_DIR, BACKUP_DIR: path });
    return `${found?.status}: ${found?.message}`;
  };
  const paths = [BACKUP_DIR, join(BACKUP_DIR, 'not/yet')];
  await setWritable(false);
  for (const path of paths)
    expect(await diagnoseAt(path)).toMatch(/^error: .* cannot write .*\(permission denied\)/);
  await setWritable(true);
  for (const path of paths) expect(await diagnoseAt(path)).toMatch(/^ok: /);
  expect(await readdir(BACKUP_DIR)).toEqual([]);
  // As another user may have left it, such as root.
  await writeFile(join(BACKUP_DIR, 'erasures.log'), '', { mode: 0o400 });
  expect(await diagnoseAt(BACKUP_DIR)).toMatch(/^error: .*\(permission denied\)/);
  // As to a disk that is not mounted.
  const link = join(BACKUP_DIR, 'disk');
  await symlink('/not/mounted', link);
  for (const path of [link, join(link, 'backups')])
    expect(await diagnoseAt(path)).toMatch(/^error: .*\(no such file or directory\)/);
});

/** A user and a supplementary group of theirs; on a system without any, `nobody` and its own group. */
async function findGroupMember(): Promise<{ uid: number; gid: number }> {
  const [, gid = '65534', name = 'nobody'] =
    /^[^:]+:[^:]*:([1-9]\d*):(?!root\b)([^,\s]+)/m.exec(await readFile('/etc/group', 'utf8')) ?? [];
  return { uid: Number(execFileSync('id', ['-u', name])), gid: Number(gid) };
}

test('each of VARNISH_URLS that refuses purges, is something else, or does not answer is an error', async () => {
  const answer = async (status: number) =>
    (await listenForTest((_, response) => response.writeHead(status).end())).origin;
  const urls = [await answer(400), await answer(403), await answer(404)];
  urls.push(`http://127.0.0.1:${await freePort()}`);
  expect(await diagnosePart('varnish', { VARNISH_URLS: urls.join() })).toMatchObject([
    { status: 'ok' },
    { status: 'error', advice: expect.stringContaining('servers_of_ours') },
    { status: 'error', message: expect.stringContaining('answers 404 to a purge') },
    { status: 'error', message: expect.stringContaining('ECONNREFUSED') },
  ]);
});

test('servers that may together open more connections than PostgreSQL allows are a warning', async () => {
  const { databaseUrl } = await openTestApp({ database: 'own' });
  const { pathname } = new URL(databaseUrl);
  const limit = (count: number) =>
    queryDatabase(databaseUrl, `ALTER DATABASE "${pathname.slice(1)}" CONNECTION LIMIT ${count}`);
  // Later tests get this database too.
  onTestFinished(async () => void (await limit(-1)));
  await limit(30);
  const listen = async () => {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: LISTENER_NAME,
    });
    await client.connect();
    onTestFinished(() => client.end());
  };
  // The app listens too.
  await listen();
  const settings = { DATABASE_URL: databaseUrl };
  expect(await diagnosePart('connections', settings)).toMatchObject([{ status: 'ok' }]);
  await listen();
  const message =
    'PostgreSQL allows 30 connections, and the 3 processes of our servers that run now may open up to 36.';
  expect(await diagnosePart('connections', settings)).toMatchObject([
    { status: 'warning', message },
  ]);
});

test('the probe of a folder of pictures is deleted again', async () => {
  const DATA_DIR = await openFolder();
  await mkdir(join(DATA_DIR, 'media'));
  expect(await diagnosePart('images', { DATA_DIR })).toMatchObject([{ status: 'ok' }]);
  expect(await readdir(join(DATA_DIR, 'media'))).toEqual([]);
});

test('a folder of pictures keeps its id, and another folder has another', async () => {
  const [first, second] = [await openFolder(), await openFolder()];
  const ids = await Promise.all(
    [first, first, second].map(async (folder) => (await identifyStore(undefined, folder)).store),
  );
  expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
});

test.each([
  [0, 'ok'],
  [-1900, 'ok'],
  [2500, 'warning'],
  [-29_000, 'warning'],
  [31_000, 'error'],
])('a clock that is %i ms ahead of the database’s is: %s', (differenceMs, status) => {
  expect(describeDifference(differenceMs).status).toBe(status);
});

test('each trouble is one line of the summary, with its status and its advice', () => {
  const part = `part ${randomUUID()}`;
  const lines: string[] = [];
  logFindings(
    [
      { status: 'ok', part: 'other', message: 'Fine.' },
      { status: 'error', part, message: 'It is broken.', advice: 'Mend it.' },
    ],
    recordLog(lines),
  );
  expect(lines).toEqual([`${part}: It is broken. Mend it.`]);
});
