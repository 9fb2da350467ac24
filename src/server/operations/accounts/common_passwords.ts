/** The 100,000 most common passwords of at least 8 characters, as hashes (decision 0042). */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** Sorted hashes of `HASH_BYTES` each, without a separator. */
export const COMMON_PASSWORDS_FILE = new URL('./common_passwords.bin', import.meta.url);
/** One of ten million other passwords has the hash of a common one by chance. */
const HASH_BYTES = 5;

let loading: Promise<Buffer> | undefined;

/** Whether a password, in any letter case, is on the list. */
export async function isCommonPassword(password: string): Promise<boolean> {
  loading ??= readFile(COMMON_PASSWORDS_FILE);
  const list = await loading;
  const wanted = hashCommonPassword(password);
  // A binary search.
  let [low, high] = [0, list.length / HASH_BYTES];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const order = wanted.compare(list, middle * HASH_BYTES, (middle + 1) * HASH_BYTES);
    if (order === 0) return true;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return false;
}

/** The form of a password in the list, the same for all letter cases. */
export function hashCommonPassword(password: string): Buffer {
  return createHash('sha256')
    .update(password.normalize().toLowerCase())
    .digest()
    .subarray(0, HASH_BYTES);
}
