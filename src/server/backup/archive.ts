/**
 * The file format of a backup: a tar archive, so that ordinary tools open it. Each part is one entry.
 * Entries `sums/0001.sha256` and so on hold the SHA-256 of the entries before them, as `sha256sum --check`
 * reads them. Writing and reading hold one part in memory, and the sums of at most `SUMS_PER_ENTRY` parts.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { createTarDecoder, createTarPacker } from 'modern-tar';
import { toOneLine } from '#domain/text/one_line.ts';
import { syncFolder } from '#server/database/bundled/data_directory.ts';
import { errorCode } from '#server/database/error_code.ts';

/** The archive was changed, was cut off, or is not a backup. The message names the first damaged part. */
export class DamagedArchive extends Error {
  /** @param message may contain texts of a stranger's file: escape sequences for a terminal are removed */
  constructor(message: string, options?: ErrorOptions) {
    super(toOneLine(message), options);
  }
}

export interface ArchiveWriter {
  /** Adds a part. Parts are read in the order in which they were added. */
  readonly add: (name: string, bytes: Uint8Array) => Promise<void>;
}

/** Bounds the sums that are in memory. */
const SUMS_PER_ENTRY = 1000;
const SUMS_NAME = /^sums\/\d+\.sha256$/;
/** Larger than any part that we write: a damaged header may name any size. */
export const MAX_PART_BYTES = 256 * 1024 * 1024;
/** Bytes that the reader takes from the disk at once. */
const READ_BYTES = 256 * 1024;

/**
 * Writes an archive under another name beside `path`, and renames it when it is complete and on the disk.
 * After a failure nothing is left.
 * @param signal interrupts the work, which then rejects
 * @param fill adds the parts
 * @returns the result of `fill`, and the size of the archive in bytes
 */
export async function writeArchive<T>(
  path: string,
  signal: AbortSignal,
  fill: (archive: ArchiveWriter) => Promise<T>,
): Promise<{ readonly filled: T; readonly bytes: number }> {
  // A new file, never one that somebody else has put there.
  const unfinished = `${path}.${randomUUID()}.part`;
  const file = await fs.open(unfinished, 'wx', 0o600);
  let isComplete = false;
  try {
    const filled = await writeParts(file, signal, fill);
    await file.sync();
    const { size: bytes } = await file.stat();
    await fs.rename(unfinished, path);
    isComplete = true;
    await syncFolder(dirname(path));
    return { filled, bytes };
  } finally {
    await file.close();
    if (!isComplete) await fs.rm(unfinished, { force: true });
  }
}

async function writeParts<T>(
  file: fs.FileHandle,
  signal: AbortSignal,
  fill: (archive: ArchiveWriter) => Promise<T>,
): Promise<T> {
  const { readable, controller } = createTarPacker();
  const written = file.writeFile(readable);
  let writeError: unknown;
  written.catch((error: unknown) => {
    writeError ??= error;
  });
  const addEntry = async (name: string, bytes: Uint8Array) => {
    signal.throwIfAborted();
    const header = { name, size: bytes.length, mode: 0o600, mtime: new Date() };
    const writer = controller.add({ ...header, type: 'file' }).getWriter();
    if (bytes.length > 0) await writer.write(bytes);
    await writer.close();
  };
  const sums = createSums();
  try {
    const filled = await fill({
      async add(name, bytes) {
        await addEntry(name, bytes);
        sums.add(name, bytes);
        if (sums.count() >= SUMS_PER_ENTRY) await addEntry(...sums.take());
      },
    });
    await addEntry(...sums.take());
    controller.finalize();
    await written;
    return filled;
  } catch (error) {
    controller.error(error);
    await written.catch(() => {});
    // A full disk is the reason, and not that the stream was closed because of it.
    throw signal.aborted ? signal.reason : (writeError ?? error);
  }
}

/**
 * Reads all parts in their order, and compares their sums. A part is visited before its sum is compared:
 * undo the work on it if reading fails.
 * @throws DamagedArchive
 */
export async function readArchive(
  path: string,
  signal: AbortSignal,
  visit: (name: string, bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const sums = createSums();
  for await (const { name, bytes } of readEntries(path, signal)) {
    if (SUMS_NAME.test(name)) {
      const [expectedName, expected] = sums.take();
      if (name !== expectedName)
        throw new DamagedArchive(`${name} stands where ${expectedName} should`);
      compareSums(Buffer.from(bytes).toString(), Buffer.from(expected).toString());
    } else {
      sums.add(name, bytes);
      if (sums.count() > SUMS_PER_ENTRY)
        throw new DamagedArchive(`the sums before ${name} are missing`);
      await visit(name, bytes);
    }
  }
  if (sums.count() > 0) throw new DamagedArchive('it is cut off');
}

/** @throws DamagedArchive that names the first part whose sum differs */
function compareSums(stored: string, computed: string): void {
  if (stored === computed) return;
  const storedLines = stored.split('\n');
  const different = computed.split('\n').find((line, index) => line !== storedLines[index]) ?? '';
  // A line is the sum in 64 digits, two spaces and the name.
  const name = different.slice(66) || 'the list of sums';
  throw new DamagedArchive(`${name} does not have its SHA-256`);
}

async function* readEntries(
  path: string,
  signal: AbortSignal,
): AsyncGenerator<{ name: string; bytes: Uint8Array }> {
  const { readable, writable } = createTarDecoder({ strict: true });
  const source = createReadStream(path, { highWaterMark: READ_BYTES, signal });
  // An error of the source becomes that of `readable`.
  void Readable.toWeb(source)
    .pipeTo(writable)
    .catch(() => {});
  try {
    for await (const { header, body } of readable) {
      // Such as a link.
      if (header.type !== 'file') throw new DamagedArchive(`${header.name} is no file`);
      if (header.size > MAX_PART_BYTES) throw new DamagedArchive(`${header.name} is too large`);
      yield { name: header.name, bytes: await collect(body, header.size) };
    }
  } catch (error) {
    source.destroy();
    signal.throwIfAborted();
    // The disk's own error has a code, such as a file that is missing.
    if (error instanceof DamagedArchive || errorCode(error) !== undefined) throw error;
    throw new DamagedArchive(error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}

async function collect(body: ReadableStream<Uint8Array>, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for await (const chunk of body) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** The sums of the parts since the last entry of sums. */
function createSums() {
  let lines: string[] = [];
  let entryCount = 0;
  return {
    add(name: string, bytes: Uint8Array) {
      lines.push(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`);
    },
    count: () => lines.length,
    /** The name and the content of the next entry of sums. */
    take(): [string, Uint8Array] {
      entryCount += 1;
      const content = Buffer.from(lines.join(''));
      lines = [];
      return [`sums/${String(entryCount).padStart(4, '0')}.sha256`, content];
    },
  };
}
