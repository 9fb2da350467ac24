import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTokenKeys } from '#server/settings/secret_key.ts';
import { openFolder } from '#support/folder.ts';

const NEW_KEY = 'the secret from today on';
const OLD_KEY = 'the secret until today';
const bytes = (text: string) => new TextEncoder().encode(text);

test('the key of the settings signs, and the one before it still verifies', async () => {
  const keys = await readTokenKeys(
    { secretKey: NEW_KEY, previousSecretKey: OLD_KEY },
    await openFolder(),
  );
  expect(keys).toEqual({
    signing: bytes(NEW_KEY),
    verifying: [bytes(NEW_KEY), bytes(OLD_KEY)],
  });
});

test('without a setting, a key is created once and kept in the data directory', async () => {
  const dataDir = await openFolder();
  const unset = { secretKey: undefined, previousSecretKey: undefined };
  const [one, other] = await Promise.all([1, 2].map(() => readTokenKeys(unset, dataDir)));
  expect(Buffer.from(one?.signing ?? [])).toEqual(await readFile(join(dataDir, 'secret-key')));
  expect(Buffer.from(other?.signing ?? [])).toEqual(Buffer.from(one?.signing ?? []));
  await writeFile(join(dataDir, 'secret-key'), 'short');
  await expect(readTokenKeys(unset, dataDir)).rejects.toThrow('has only 5 bytes, so it is no key');
});
