import { randomBytes } from 'node:crypto';
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The key that signs tokens: the setting, else one made once and kept in the data directory.
 * Linked into place, so that of two servers that start together one's key is everyone's.
 */
export async function readOrCreateSecretKey(
  setting: string | undefined,
  dataDir: string,
): Promise<Uint8Array> {
  if (setting !== undefined) return new TextEncoder().encode(setting);
  const path = join(dataDir, 'secret-key');
  const known = await readStoredKey(path);
  if (known) return known;
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
  // Some file systems know no links, and a key that is empty stands for none.
  await link(fresh, path).catch(async () => {
    if (!(await readStoredKey(path))) await rename(fresh, path);
  });
  await unlink(fresh).catch(() => {});
  return readFile(path);
}

async function readStoredKey(path: string): Promise<Uint8Array | undefined> {
  const kept = await readFile(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  return kept && kept.length > 0 ? kept : undefined;
}
