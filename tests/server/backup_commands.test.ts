import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runBackup, runRestore } from '#server/backup_commands.ts';
import { ConfigError } from '#server/config.ts';
import { loadConfig } from '#server/load_config.ts';
import { createEmptyDatabase } from '#support/empty_database.ts';
import { openFolder } from '#support/folder.ts';
import { createDatabaseCopy } from '#support/test_database.ts';

const SECRET_KEY = 'the key of a server with its own database';
const NOBODY = 'postgresql://app:app@127.0.0.1:1/app';
const terminal = { log: () => {}, progress: () => {}, signal: new AbortController().signal };

let folder: string;
beforeEach(async () => {
  folder = await openFolder();
});

/** The sentence with which a command fails on a new data directory. */
async function failureOf(
  work: (config: ReturnType<typeof loadConfig>) => Promise<void>,
  DATABASE_URL?: string,
): Promise<string> {
  const config = loadConfig({
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

function restore(name: string, databaseUrl?: string, withoutErasures = true): Promise<string> {
  const options = { erasures: undefined, withoutErasures, keepPictures: false };
  return failureOf(
    (config) => runRestore(config, { file: join(folder, name), ...options }, terminal),
    databaseUrl,
  );
}

test('a backup or a restore that cannot be made fails with a sentence, and creates no database', async () => {
  const url = await createDatabaseCopy();
  expect(await backup('a.tar', url)).toBe('It succeeded');
  expect(await backup('a.tar', url)).toContain('exists already');
  expect(await backup('none/a.tar', url)).toContain('does not exist. Create it first');
  expect(await backup('b.tar')).toContain('There is nothing to back up');
  expect(await backup('b.tar', await createEmptyDatabase())).toContain('The database is empty');
  expect(await backup('b.tar', NOBODY)).toContain('ECONNREFUSED');
  expect(await restore('none.tar')).toContain('none.tar does not exist.');
  expect(await restore('a.tar', undefined, false)).toContain(
    'There is no erasures.log beside the backup',
  );
  expect(await restore('a.tar', NOBODY)).toContain('ECONNREFUSED');
  expect(await restore('a.tar', url)).toContain('The database is not empty');
  const wrong = new URL(url);
  wrong.password = 'wrong-and-secret';
  const refusal = await restore('a.tar', wrong.href);
  expect(refusal).toContain('password');
  expect(refusal).not.toContain('wrong-and-secret');
  expect(existsSync(join(folder, 'data/postgres'))).toBe(false);
});
