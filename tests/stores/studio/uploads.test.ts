import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '#client/http.ts';
import type { UploadOptions } from '#client/upload.ts';
import { endSession, startSession } from '#stores/session.ts';
import { createUploadQueue, type FileUpload } from '#stores/studio/uploads.ts';

/** A file on its way, for the test to decide about. */
interface Sent {
  readonly name: string;
  readonly upload: UploadOptions;
  arrive(): void;
  fail(error: unknown): void;
}

let sent: Sent[];
let finished: number[];
let uploads: ReturnType<typeof createUploadQueue>;

beforeEach(() => {
  sent = [];
  finished = [];
  uploads = createUploadQueue({
    send: ({ name }, upload) =>
      new Promise((arrive, fail) => {
        sent.push({ name, upload, arrive, fail });
        upload.signal?.addEventListener('abort', () => fail(upload.signal?.reason));
      }),
    onFinished: (count) => finished.push(count),
  });
});

afterEach(() => {
  for (const { id } of uploads.$uploads.get()) uploads.remove(id);
});

const photo = (name: string) => new File(['bytes'], name, { type: 'image/jpeg' });
const states = () => uploads.$uploads.get().map(({ state }) => state.kind);

function only(): FileUpload {
  const [one, ...others] = uploads.$uploads.get();
  if (!one || others.length > 0) throw new Error(`${others.length + 1} uploads`);
  return one;
}

function nth(index: number): Sent {
  const one = sent[index];
  if (!one) throw new Error(`Only ${sent.length} were sent`);
  return one;
}

/** Whether the browser would ask before the page is left. */
function isAsked(): boolean {
  const leaving = new Event('beforeunload', { cancelable: true });
  dispatchEvent(leaving);
  return leaving.defaultPrevented;
}

test('files are sent one after the other, in the order they were chosen', async () => {
  uploads.add(['a', 'b', 'c'].map(photo));
  expect(states()).toEqual(['sending', 'waiting', 'waiting']);
  nth(0).arrive();
  await vi.waitFor(() => expect(states()).toEqual(['done', 'sending', 'waiting']));
  expect(sent.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('a file tells how much of it has left, and that it is prepared once all of it has', () => {
  uploads.add([photo('a')]);
  nth(0).upload.onProgress?.(0.4);
  expect(only().state).toEqual({ kind: 'sending', share: 0.4 });
  nth(0).upload.onProgress?.(1);
  expect(only().state).toEqual({ kind: 'preparing' });
});

test('what arrived leaves the list together, and is counted', async () => {
  uploads.add(['a', 'b'].map(photo));
  nth(0).arrive();
  await vi.waitFor(() => expect(states()).toEqual(['done', 'sending']));
  expect(finished).toEqual([]);
  nth(1).arrive();
  await vi.waitFor(() => expect(finished).toEqual([2]));
  expect(states()).toEqual([]);
});

test('the others go on when one is refused, whose words stay', async () => {
  uploads.add(['a', 'b', 'c'].map(photo));
  nth(0).fail(new ApiError(415, 'Unsupported Media Type', 'That is no picture'));
  await vi.waitFor(() => expect(states()).toEqual(['failed', 'sending', 'waiting']));
  nth(1).arrive();
  await vi.waitFor(() => expect(sent).toHaveLength(3));
  nth(2).arrive();
  await vi.waitFor(() => expect(finished).toEqual([2]));
  expect(only().state).toEqual({ kind: 'failed', text: 'That is no picture', canRetry: false });
});

test('a lost connection and a busy server allow another try', async () => {
  uploads.add(['a', 'b'].map(photo));
  nth(0).fail(new TypeError('Failed to fetch'));
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  nth(1).fail(new ApiError(503, 'Service Unavailable', 'A lot is going on'));
  await vi.waitFor(() => expect(states()).toEqual(['failed', 'failed']));
  expect(uploads.$uploads.get().map(({ state }) => 'canRetry' in state && state.canRetry)).toEqual([
    true,
    true,
  ]);
  for (const { id } of uploads.$uploads.get()) uploads.retry(id);
  expect(states()).toEqual(['sending', 'waiting']);
  nth(2).arrive();
  await vi.waitFor(() => expect(sent).toHaveLength(4));
  nth(3).arrive();
  await vi.waitFor(() => expect(finished).toEqual([2]));
});

test('a file that is called off is stopped, forgotten, and makes room for the next', async () => {
  uploads.add(['a', 'b', 'c'].map(photo));
  const [first] = uploads.$uploads.get();
  uploads.remove(first?.id ?? 0);
  expect(nth(0).upload.signal?.aborted).toBe(true);
  await vi.waitFor(() => expect(states()).toEqual(['sending', 'waiting']));
  expect(sent.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('what the API would refuse is never sent', () => {
  uploads.add([
    new File([], 'empty.png', { type: 'image/png' }),
    new File(['<svg/>'], 'line.svg', { type: 'image/svg+xml' }),
    new File([new Uint8Array(15 * 1024 * 1024 + 1)], 'heavy.jpg', { type: 'image/jpeg' }),
  ]);
  expect(uploads.$uploads.get().map(({ state }) => 'text' in state && state.text)).toEqual([
    'This file is empty',
    'Only JPEG, PNG, WebP and AVIF pictures can be used',
    'A picture may have at most 15 MB',
  ]);
  expect(sent).toEqual([]);
});

test('leaving is asked about only while something is on its way, and not on the way to the login', async () => {
  startSession('one');
  expect(isAsked()).toBe(false);
  uploads.add([photo('a')]);
  expect(isAsked()).toBe(true);
  endSession();
  expect(isAsked()).toBe(false);
  startSession('one');
  nth(0).arrive();
  await vi.waitFor(() => expect(isAsked()).toBe(false));
});
