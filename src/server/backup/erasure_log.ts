/**
 * The log of erasures: a file of lines outside the database, beside the backups. It shows a restore what
 * was deleted after its backup was made. Lines are added and never removed.
 */
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { type Erasure, formatErasure, parseErasure } from '#domain/clients/erasure.ts';
import type { Database } from '#server/database/connect.ts';
import { readErasures, summarizeErasures } from '#server/database/erasures.ts';
import { errorCode } from '#server/database/error_code.ts';
import { inGroups } from './in_groups.ts';

/** How many erasures are written to the file at once. */
const BATCH = 1000;

/**
 * Returns a function that adds the database's erasures to the file, if any are missing there. It creates the
 * file even without an erasure: so an operator sees that there was none.
 */
export function createErasureLog(database: Database, path: string): () => Promise<void> {
  /** The summary of the erasures that are in the file, as this process has written it. */
  let written: string | undefined;
  return async () => {
    const summary = JSON.stringify(await summarizeErasures(database));
    // Somebody may have moved the file away: then all is written again.
    if (summary === written && (await fs.stat(path).catch(() => null))) return;
    const known = new Set<string>();
    for await (const erasure of readErasureLog(path)) known.add(keyOf(erasure));
    await fs.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await using file = await fs.open(path, 'a', 0o600);
    await file.appendFile(await startOnNewLine(path));
    for await (const erasures of inGroups(readErasures(database), BATCH)) {
      const missing = erasures.filter((erasure) => !known.has(keyOf(erasure)));
      await file.appendFile(missing.map((erasure) => `${formatErasure(erasure)}\n`).join(''));
    }
    await file.sync();
    written = summary;
  };
}

/**
 * Reads the erasures of a log; none if the file does not exist. Skips lines of another form.
 * @throws Error for a pipe or the like, of which reading might never end
 */
export async function* readErasureLog(path: string): AsyncGenerator<Erasure> {
  try {
    if (!(await fs.stat(path)).isFile()) throw new Error(`${path} is not a file`);
    for await (const line of createInterface({ input: createReadStream(path) })) {
      const erasure = parseErasure(line);
      if (erasure) yield erasure;
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

function keyOf({ kind, id }: Erasure): string {
  return `${kind} ${id}`;
}

/** A line break if the file ends within a line, as after a power failure; else nothing. */
async function startOnNewLine(path: string): Promise<string> {
  await using file = await fs.open(path, 'r');
  const { size } = await file.stat();
  if (size === 0) return '';
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() === '\n' ? '' : '\n';
}
