// `node scripts/common_passwords.ts LIST`: writes the bundled list of common passwords from a text file
// with one password a line, the most common first.
import { readFile, writeFile } from 'node:fs/promises';
import {
  COMMON_PASSWORDS_FILE,
  hashCommonPassword,
} from '../src/server/operations/accounts/common_passwords.ts';

const COUNT = 100_000;
/** The sign-up refuses shorter passwords. */
const MIN_LENGTH = 8;

const [listPath] = process.argv.slice(2);
if (listPath === undefined) throw new Error('Usage: node scripts/common_passwords.ts LIST');
const lines = (await readFile(listPath, 'utf8')).split(/\r?\n/);
const passwords = new Set(
  lines.filter((line) => line.length >= MIN_LENGTH).map((line) => line.toLowerCase()),
);
const hashes = [...passwords].slice(0, COUNT).map(hashCommonPassword);
// Sorted, so that the server finds a hash by binary search.
await writeFile(COMMON_PASSWORDS_FILE, Buffer.concat(hashes.toSorted(Buffer.compare)));
console.log(`${hashes.length} common passwords in ${COMMON_PASSWORDS_FILE.pathname}`);
