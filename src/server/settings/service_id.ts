import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { SECRET_KEY_FILE } from './secret_key.ts';

/** In characters: enough that no two services have the same id. */
const ID_LENGTH = 16;

/**
 * The public id of a service: the same for all servers with one key, and of no use for finding the key
 * unless that can be guessed. The health check answers it, so that the doctor knows which service it is.
 */
export function createServiceId(key: Uint8Array): string {
  return createHmac('sha256', key).update('linework service').digest('hex').slice(0, ID_LENGTH);
}

/** The ids of this service, by its keys. Creates no key: before the first start there may be none. */
export async function readServiceIds(
  { secretKey, previousSecretKey }: Pick<Config, 'secretKey' | 'previousSecretKey'>,
  dataDir: string,
): Promise<string[]> {
  const stored = await readFile(join(dataDir, SECRET_KEY_FILE)).catch(() => undefined);
  return [secretKey ?? stored, previousSecretKey]
    .filter((key) => key !== undefined)
    .map((key) => createServiceId(Buffer.from(key)));
}
