import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { UploadOptions } from '#client/upload.ts';

import { endSession, startSession } from '#stores/session.ts';
import { createUploadQueue } from '#stores/studio/uploads.ts';

/** A running upload; the test resolves or rejects it. */
interface SentFile {
  readonly name: string;
  readonly upload: UploadOptions;
  succeed(): void;
  fail(error: unknown): void;
}

let sent: SentFile[];
let finished: number[];
let uploads: ReturnType<typeof createUploadQueue>;

beforeEach(() => {
  sent = [];
  finished = [];
  uploads = createUploadQueue({
    send: ({ name }, upload) =>
      new Promise((succeed, fail) => {
        sent.push({ name, upload, succeed, fail });
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

function nthSent(index: number): SentFile {
  const file = sent[index];
  if (!file) throw new Error(`Only ${sent.length} were sent`);
  return file;
}

/** Whether the page asks for confirmation before it unloads. */
function asksBeforeLeaving(): boolean {
  const leaving = new Event('beforeunload', { cancelable: true });
  dispatchEvent(leaving);
  return leaving.defaultPrevented;
}

test('removing a running upload aborts it and starts the next', async () => {
  uploads.add(['a', 'b', 'c'].map(photo));
  const [first] = uploads.$uploads.get();
  uploads.remove(first?.id ?? 0);
  expect(nthSent(0).upload.signal?.aborted).toBe(true);
  await vi.waitFor(() => expect(states()).toEqual(['sending', 'waiting']));
  expect(sent.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('an invalid file is never sent and shows its error', () => {
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

test('leaving the page asks for confirmation only during an upload of a logged-in artist', async () => {
  startSession('one');
  expect(asksBeforeLeaving()).toBe(false);
  uploads.add([photo('a')]);
  expect(asksBeforeLeaving()).toBe(true);
  endSession();
  expect(asksBeforeLeaving()).toBe(false);
  startSession('one');
  nthSent(0).succeed();
  await vi.waitFor(() => expect(asksBeforeLeaving()).toBe(false));
});
