import { randomBytes } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The key that signs tokens: the setting, else one made once and kept in the data directory.
 * Linked into place, so that of two servers that start together one's key is everyone's.
 */
export async function readSecret(
  setting: string | undefined,
  dataDir: string,
): Promise<Uint8Array> {
  if (setting !== undefined) return new TextEncoder().encode(setting);
  const path = join(dataDir, 'secret-key');
  const known = await readFile(path).catch(() => undefined);
  if (known) return known;
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, randomBytes(32).toString('base64url'), { mode: 0o600 });
  await link(fresh, path).catch(() => {});
  await unlink(fresh);
  return readFile(path);
}
