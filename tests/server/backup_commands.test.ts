import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runBackup, runRestore } from '#server/backup_commands.ts';
import { ConfigError, readConfig } from '#server/settings/config.ts';
import { createEmptyDatabase } from '#support/empty_database.ts';
import { openFolder } from '#support/folder.ts';
import { createDatabaseCopy } from '#support/test_database.ts';

const SECRET_KEY = 'the key of a server with its own database';
const NOBODY = 'postgresql://app:app@127.0.0.1:1/app';
const logged: string[] = [];
const terminal = {
  log: (line: string) => void logged.push(line),
  progress: () => {},
  signal: new AbortController().signal,
};

let folder: string;
beforeEach(async () => {
  folder = await openFolder();
  logged.length = 0;
});

/** The sentence with which a command fails on a new data directory. */
async function failureOf(
  work: (config: ReturnType<typeof readConfig>) => Promise<void>,
  DATABASE_URL?: string,
): Promise<string> {
  const config = readConfig({
    DATA_DIR: join(folder, 'data'),
    ...(DATABASE_URL !== undefined && { DATABASE_URL, SECRET_KEY }),
  });
  return work(config).then(
    () => 'It succeeded',
    (error: unknown) => {
      if (error instanceof ConfigError) return error.message;
      throw error;
    },
  );
}

function backup(name: string, databaseUrl?: string): Promise<string> {
  return failureOf((config) => runBackup(config, join(folder, name), terminal), databaseUrl);
}

function restore(
  name: string,
  databaseUrl?: string,
  withoutErasures = true,
  logs?: readonly string[],
): Promise<string> {
  const erasures = logs?.map((log) => join(folder, log));
  const options = { erasures, withoutErasures, keepPictures: false };
  return failureOf(
    (config) => runRestore(config, { file: join(folder, name), ...options }, terminal),
    databaseUrl,
  );
}

test('a backup or a restore that cannot be made fails with a sentence, and creates no database', async () => {
  const url = await createDatabaseCopy();
  expect(await backup('a.tar', url)).toBe('It succeeded');
  expect(logged).toContainEqual(expect.stringMatching(/erasures\.log.*Set BACKUP_DIR on a server/));
  expect(await backup('a.tar', url)).toContain('exists already');
  expect(await backup('none/a.tar', url)).toContain('does not exist. Create it first');
  expect(await backup('b.tar')).toContain('There is nothing to back up');
  expect(await backup('b.tar', await createEmptyDatabase())).toContain('The database is empty');
  expect(await backup('b.tar', NOBODY)).toContain('ECONNREFUSED');
  expect(await restore('none.tar')).toContain('none.tar does not exist.');
  // A file that cannot be looked at may exist, as in a folder of another user.
  await symlink('loop', join(folder, 'loop'));
  await expect(restore('loop/a.tar')).rejects.toThrow('ELOOP');
  await writeFile(join(folder, 'photo.tar'), 'no backup');
  for (const what of ['photo.tar', 'a.tar'])
    expect(await restore(what, undefined, false, ['photo.tar'])).toMatch(
      /^That is no backup: .*photo\.tar /,
    );
  expect(await restore('a.tar', undefined, false)).toContain(
    'There is no erasures.log beside the backup',
  );
  await writeFile(join(folder, 'photo.log'), 'no log');
  await copyFile(join(folder, 'a.tar'), join(folder, 'later.tar'));
  await truncate(join(folder, 'later.tar'), 4096);
  execFileSync('mkfifo', [join(folder, 'pipe.tar')]);
  await symlink('/dev/zero', join(folder, 'device'));
  for (const [log, reason] of [
    ['photo.log', /photo\.log is no log of erasures/],
    ['later.tar', /later\.tar is damaged/],
    ['pipe.tar', /pipe\.tar is not a file/],
    ['device', /device is not a file/],
    ['.', /is not a file/],
  ] as const)
    expect(await restore('a.tar', undefined, false, [log])).toMatch(reason);
  for (const file of ['pipe.tar', 'device', '.'])
    expect(await restore(file)).toMatch(/ is not a file\. Name a file/);
  expect(await restore('a.tar', NOBODY)).toContain('ECONNREFUSED');
  expect(await restore('a.tar', url)).toContain('The database is not empty');
  const wrong = new URL(url);
  wrong.password = 'wrong-and-secret';
  const refusal = await restore('a.tar', wrong.href);
  expect(refusal).toContain('password');
  expect(refusal).not.toContain('wrong-and-secret');
  expect(existsSync(join(folder, 'data/postgres'))).toBe(false);
});
