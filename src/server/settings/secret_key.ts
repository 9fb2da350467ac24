import { randomBytes } from 'node:crypto';
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MIN_KEY_BYTES } from '#domain/backup.ts';
import { errorCode } from '#server/database/error_code.ts';
import { createTokenKeys, type TokenKeys } from '#server/operations/token_keys.ts';
import { type Config, ConfigError } from './config.ts';

/** The file in the data directory that has the key unless SECRET_KEY is set. */
export const SECRET_KEY_FILE = 'secret-key';

/** Reads the keys that sign tokens: the current one, and one that was used before it. */
export async function readTokenKeys(
  { secretKey, previousSecretKey }: Pick<Config, 'secretKey' | 'previousSecretKey'>,
  dataDir: string,
): Promise<TokenKeys> {
  const found = await findSecretKey({ secretKey }, dataDir);
  const current = found?.bytes ?? (await createSecretKey(join(dataDir, SECRET_KEY_FILE)));
  return createTokenKeys(
    current,
    previousSecretKey ? new TextEncoder().encode(previousSecretKey) : undefined,
  );
}

/** Creates the file of the key at the first start. @returns the key, which another server may have created */
async function createSecretKey(path: string): Promise<Uint8Array> {
  const newPath = `${path}.${process.pid}`;
  await writeFile(newPath, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
  // `link` fails if the file exists, so that servers that start at the same time use the same key.
  await link(newPath, path).catch(async () => {
    // If another server stored a key meanwhile, that key stays. Otherwise `link` failed because the
    // file system has no hard links, or because the file exists and is empty.
    if (!(await readStoredKey(path))) await rename(newPath, path);
  });
  // Fails after `rename`, which has moved the file already.
  await unlink(newPath).catch(() => {});
  return readFile(path);
}

/**
 * Finds the key without creating one: the setting, or the content of the data directory's file. Undefined
 * before the first start.
 */
export async function findSecretKey(
  { secretKey }: Pick<Config, 'secretKey'>,
  dataDir: string,
): Promise<{ readonly bytes: Uint8Array; readonly from: 'setting' | 'file' } | undefined> {
  if (secretKey !== undefined)
    return { bytes: new TextEncoder().encode(secretKey), from: 'setting' };
  const bytes = await readStoredKey(join(dataDir, SECRET_KEY_FILE));
  return bytes && { bytes, from: 'file' };
}

/** Returns undefined if the file is missing or empty. @throws ConfigError when it is cut off */
async function readStoredKey(path: string): Promise<Uint8Array | undefined> {
  const key = await readFile(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (!key || key.length === 0) return undefined;
  if (key.length < MIN_KEY_BYTES)
    throw new ConfigError(
      `${path} has only ${key.length} bytes, so it is no key. Restore it from a backup, or delete it: then everybody has to log in again.`,
    );
  return key;
}
