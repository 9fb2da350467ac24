import { atom } from 'nanostores';
import { ApiError } from '#client/http.ts';
import type { UploadOptions } from '#client/upload.ts';
import { reasonOf } from '../reason.ts';
import { $token } from '../session.ts';

/** What pickers offer; a phone that stores other formats hands out one of these. */
export const PICTURE_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
];

const MOST_BYTES = 15 * 1024 * 1024;

export type UploadState =
  | { readonly kind: 'waiting' }
  /** `share` of the bytes has left, 0 to 1. */
  | { readonly kind: 'sending'; readonly share: number }
  /** All of it has left; the server makes its pictures. */
  | { readonly kind: 'preparing' }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly text: string; readonly again: boolean };

/** One file on its way. */
export interface FileUpload {
  readonly id: number;
  readonly file: File;
  readonly state: UploadState;
}

interface UploadCalls {
  readonly send: (file: File, upload: UploadOptions) => Promise<void>;
  /** Hears how many arrived once nothing is on its way any more. */
  readonly finished: (count: number) => void;
}

let lastId = 0;

/**
 * Sends files one after the other, each telling how far it is: they are listed in the order in which
 * they arrive, and so as chosen.
 */
export function createUploads({ send, finished }: UploadCalls) {
  /** In the order they were chosen. */
  const $uploads = atom<readonly FileUpload[]>([]);
  let sending: { readonly id: number; readonly calledOff: AbortController } | null = null;

  function add(files: readonly File[]): void {
    const added = files.map((file): FileUpload => {
      lastId += 1;
      return { id: lastId, file, state: judged(file) };
    });
    $uploads.set([...$uploads.get(), ...added]);
    goOn();
  }

  function setState(id: number, state: UploadState): void {
    $uploads.set($uploads.get().map((one) => (one.id === id ? { ...one, state } : one)));
  }

  function goOn(): void {
    const next = $uploads.get().find(({ state }) => state.kind === 'waiting');
    if (sending === null && next) void run(next);
    guard();
    if (sending === null) finish();
  }

  async function run({ id, file }: FileUpload): Promise<void> {
    const calledOff = new AbortController();
    sending = { id, calledOff };
    setState(id, { kind: 'sending', share: 0 });
    try {
      await send(file, {
        signal: calledOff.signal,
        onProgress: (share) =>
          setState(id, share < 1 ? { kind: 'sending', share } : { kind: 'preparing' }),
      });
      setState(id, { kind: 'done' });
    } catch (error) {
      setState(id, { kind: 'failed', text: reasonOf(error), again: isWorthATry(error) });
    }
    sending = null;
    goOn();
  }

  function finish(): void {
    const all = $uploads.get();
    const left = all.filter(({ state }) => state.kind !== 'done');
    if (left.length === all.length) return;
    $uploads.set(left);
    finished(all.length - left.length);
  }

  function remove(id: number): void {
    if (sending?.id === id) sending.calledOff.abort();
    $uploads.set($uploads.get().filter((one) => one.id !== id));
    goOn();
  }

  function guard(): void {
    if (sending !== null) addEventListener('beforeunload', ask);
    else removeEventListener('beforeunload', ask);
  }

  return {
    $uploads,
    add,
    /** Tries again what did not arrive. */
    retry(id: number): void {
      setState(id, { kind: 'waiting' });
      goOn();
    },
    /** Calls a file off, or forgets it. */
    remove,
  };
}

/** The way to the login is free: files cannot be kept on it. */
function ask(event: Event): void {
  if ($token.get() !== undefined) event.preventDefault();
}

/** What the API would refuse is not sent to it first; the words are the API's. */
function judged({ size, type }: File): UploadState {
  if (size === 0) return refused('This file is empty');
  // Where the browser does not know the type, the API judges by decoding.
  if (type !== '' && !PICTURE_TYPES.includes(type))
    return refused('Only JPEG, PNG, WebP and AVIF pictures can be used');
  if (size > MOST_BYTES) return refused('A picture may have at most 15 MB');
  return { kind: 'waiting' };
}

function refused(text: string): UploadState {
  return { kind: 'failed', text, again: false };
}

/** Whether the same file may be taken another time. */
function isWorthATry(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status >= 500;
}
