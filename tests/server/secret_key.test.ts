import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readTokenKeys } from '#server/secret_key.ts';

const NEW_KEY = 'the secret from today on';
const OLD_KEY = 'the secret until today';
const bytes = (text: string) => new TextEncoder().encode(text);

async function openDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'linework-key-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('the key of the settings signs, and the one before it still verifies', async () => {
  const keys = await readTokenKeys(
    { secretKey: NEW_KEY, previousSecretKey: OLD_KEY },
    await openDataDir(),
  );
  expect(keys).toEqual({
    signing: bytes(NEW_KEY),
    verifying: [bytes(NEW_KEY), bytes(OLD_KEY)],
  });
});

test('without a setting, a key is created once and kept in the data directory', async () => {
  const dataDir = await openDataDir();
  const unset = { secretKey: undefined, previousSecretKey: undefined };
  const [one, other] = await Promise.all([1, 2].map(() => readTokenKeys(unset, dataDir)));
  expect(Buffer.from(one?.signing ?? [])).toEqual(await readFile(join(dataDir, 'secret-key')));
  expect(Buffer.from(other?.signing ?? [])).toEqual(Buffer.from(one?.signing ?? []));
});
