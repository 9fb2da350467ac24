import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open as openFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  getMultipartBoundary,
  MaxFileSizeExceededError,
  MultipartParseError,
  type MultipartPart,
  parseMultipartStream,
} from '@remix-run/multipart-parser/node';
import { refuse } from '#domain/refusal.ts';
import { UploadedFile } from '#server/operations/store_images.ts';
import { InvalidRequest } from './input.ts';

const MEGABYTE = 1024 * 1024;
const MAX_FILE_BYTES = 15 * MEGABYTE;
const MAX_TEXT_BYTES = 64 * 1024;
const MAX_TEXT_FIELDS = 20;
/** The texts and all that stands between the parts. */
const MAX_OVERHEAD_BYTES = MEGABYTE;

/** The most pictures that any call takes. */
export const MAX_IMAGES = 20;

/** What a multipart body holds: text by its name, files in a list under theirs. */
export type MultipartBody = Record<string, string | UploadedFile[]>;

/**
 * Receives a multipart body below a folder; what it holds there is removed with `space`.
 * It is first kept as it comes, as a telephone may take minutes over it, and taken apart when it is
 * all there: no more than one file of a request is ever in memory, and none that is still coming.
 * @param most how many files the call takes
 * @throws Refusal `wrong_media_type`, `picture_too_heavy`, `pictures_too_heavy`,
 *   `too_many_pictures`, `too_large`
 * @throws InvalidRequest when it is not the multipart that it says it is
 */
export async function receiveMultipart(
  request: Request,
  most: number,
  uploads: string,
  space: AsyncDisposableStack,
): Promise<MultipartBody> {
  const type = request.headers.get('Content-Type') ?? '';
  if (!/^multipart\/form-data(?:;|$)/i.test(type.trim())) throw refuse('wrong_media_type');
  const boundary = getMultipartBoundary(type);
  if (!boundary || !request.body) throw malformedBody();
  const tooLarge = most === 1 ? 'picture_too_heavy' : 'pictures_too_heavy';
  const limit = most * MAX_FILE_BYTES + MAX_OVERHEAD_BYTES;
  if (Number(request.headers.get('Content-Length') ?? 0) > limit) throw refuse(tooLarge);

  const folder = join(uploads, randomUUID());
  // What this fails to remove, the next start does.
  space.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {}));
  await mkdir(folder, { recursive: true });
  const whole = join(folder, 'body');
  if (!(await saveBody(request.body, whole, limit))) throw refuse(tooLarge);
  const parts = await parseOneAtATime(() => parseBodyFile(whole, boundary, folder));
  await rm(whole);
  return parts;
}

/**
 * Reads what is left of a body, within bounds: who is still sending does not hear the answer.
 * @param patienceMs how long at most, also for someone who sends nothing more
 */
export async function drainBody({ body }: Request, patienceMs = DRAIN_TIMEOUT_MS): Promise<void> {
  if (!body || body.locked) return;
  const reader = body.getReader();
  const timer = new AbortController();
  const timeIsUp = sleep(patienceMs, TIMED_OUT, { signal: timer.signal });
  try {
    for (let bytes = 0; bytes < MAX_DRAIN_BYTES; ) {
      const { done, value } = await Promise.race([reader.read(), timeIsUp]);
      if (done || !value) return;
      bytes += value.byteLength;
    }
  } catch {
    // They hung up.
  } finally {
    timeIsUp.catch(() => {});
    timer.abort();
    // A read that is still pending fails by this, unheard.
    reader.releaseLock();
  }
}
const TIMED_OUT = { done: true, value: undefined } as const;
const MAX_DRAIN_BYTES = 64 * MEGABYTE;
const DRAIN_TIMEOUT_MS = 30_000;

/** Writes a body to a file; false when there is more of it than the limit. */
async function saveBody(
  body: ReadableStream<Uint8Array>,
  path: string,
  limit: number,
): Promise<boolean> {
  const reader = body.getReader();
  try {
    await using file = await openFile(path, 'wx');
    for (let bytes = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return true;
      bytes += value.byteLength;
      if (bytes > limit) return false;
      await file.writeFile(value);
    }
  } finally {
    // Not cancelled: what is left may have to be drained.
    reader.releaseLock();
  }
}

/** The last of those who wait; one body at a time, so that one file at most is in memory. */
let lastParse: Promise<unknown> = Promise.resolve();

function parseOneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const turn = lastParse.then(work);
  lastParse = turn.catch(() => {});
  return turn;
}

async function parseBodyFile(
  whole: string,
  boundary: string,
  folder: string,
): Promise<MultipartBody> {
  const stream = createReadStream(whole, { end: await findLastByte(whole) });
  try {
    const parts = parseMultipartStream(stream, {
      boundary,
      maxFileSize: MAX_FILE_BYTES,
      // How much there is in all was judged before.
      maxTotalSize: Number.POSITIVE_INFINITY,
    });
    return await collectParts(parts, folder);
  } catch (error) {
    if (error instanceof MaxFileSizeExceededError) throw refuse('picture_too_heavy');
    if (error instanceof MultipartParseError) throw malformedBody();
    throw error;
  } finally {
    stream.destroy();
  }
}

async function collectParts(
  parts: AsyncIterable<MultipartPart>,
  folder: string,
): Promise<MultipartBody> {
  const texts = new Map<string, string>();
  const files = new Map<string, UploadedFile[]>();
  let count = 0;
  for await (const part of parts) {
    const { name, text } = toField(part);
    if (text !== undefined) {
      texts.set(name, text);
      if (texts.size > MAX_TEXT_FIELDS) throw refuse('too_large');
      continue;
    }
    count += 1;
    if (count > MAX_IMAGES) throw refuse('too_many_pictures');
    const path = join(folder, `${count}`);
    await writeFile(path, part.content);
    files.set(name, [...(files.get(name) ?? []), new UploadedFile(path, part.size)]);
  }
  return Object.fromEntries([...texts, ...files]);
}

function toField(part: MultipartPart): { name: string; text: string | undefined } {
  const { name, isText } = decodeHeaders(part);
  if (isText && part.size > MAX_TEXT_BYTES) throw refuse('too_large');
  const text = isText ? decodeText(part) : undefined;
  if (name === undefined) throw malformedBody();
  return { name, text };
}

function decodeHeaders(part: MultipartPart) {
  try {
    return { name: part.name, isText: part.isText };
  } catch {
    throw malformedBody();
  }
}

function decodeText(part: MultipartPart): string {
  try {
    return part.text;
  } catch {
    throw malformedBody();
  }
}

/** The last byte that the parser is given: it takes the usual line end at the end for more to come. */
async function findLastByte(path: string): Promise<number> {
  await using file = await openFile(path);
  const { size } = await file.stat();
  if (size < 3) throw malformedBody();
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, size - 2);
  return buffer.toString('latin1') === '\r\n' ? size - 3 : size - 1;
}

function malformedBody(): InvalidRequest {
  const msg = 'Not valid multipart form data';
  return new InvalidRequest([{ type: 'multipart_invalid', loc: ['body'], msg }]);
}
