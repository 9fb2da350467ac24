import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** Adds files to a ZIP file, one after the other: only parts of one file are in memory at a time. */
export interface ZipWriter {
  addText(name: string, parts: Iterable<string> | AsyncIterable<string>): Promise<void>;
  /** Adds a picture as it is, because its own format compresses it. */
  addPicture(name: string, bytes: Uint8Array): Promise<void>;
}

/**
 * Writes a new ZIP file.
 * @param signal interrupts the work, which then rejects
 * @param fill adds the files
 * @returns the size of the ZIP file in bytes
 */
export async function writeZip(
  path: string,
  signal: AbortSignal,
  fill: (zip: ZipWriter) => Promise<void>,
): Promise<number> {
  const zip = new ZipFile();
  const failure = new AbortController();
  const stop = AbortSignal.any([signal, failure.signal]);
  zip.on('error', (error: unknown) => failure.abort(error));
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const written = pipeline(zip.outputStream, file, { signal: stop });
  // Without this, `fill` would wait for ever once writing has failed.
  written.catch((error: unknown) => failure.abort(error));
  const add = async (stream: Readable, name: string, options: { compress: boolean }) => {
    stop.throwIfAborted();
    zip.addReadStream(stream, name, options);
    try {
      await finished(stream, { signal: stop });
    } catch (error) {
      stream.destroy();
      throw error;
    }
  };
  try {
    await fill({
      addText: (name, parts) =>
        add(Readable.from(parts, { objectMode: false }), name, { compress: true }),
      // Not `addBuffer`: yazl would hold the bytes until the file is complete.
      addPicture: (name, bytes) => add(new PassThrough().end(bytes), name, { compress: false }),
    });
    zip.end();
    await written;
  } catch (error) {
    failure.abort(error);
    await Promise.allSettled([written, file.closed ? undefined : once(file, 'close')]);
    // The reason of the interruption, not the error that it causes.
    signal.throwIfAborted();
    throw error;
  }
  return (await stat(path)).size;
}
