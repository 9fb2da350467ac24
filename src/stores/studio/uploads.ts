import { atom } from 'nanostores';
import { ApiError } from '#client/http.ts';
import type { UploadOptions } from '#client/upload.ts';
import { errorText } from '../error_text.ts';
import { $token } from '../session.ts';

/** What pickers offer; a phone that stores other formats hands out one of these. */
export const PICTURE_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
];

const MAX_BYTES = 15 * 1024 * 1024;

export type UploadState =
  | { readonly kind: 'waiting' }
  /** `share` of the bytes has left, 0 to 1. */
  | { readonly kind: 'sending'; readonly share: number }
  /** All of it has left; the server makes its pictures. */
  | { readonly kind: 'preparing' }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly text: string; readonly canRetry: boolean };

/** One file on its way. */
export interface FileUpload {
  readonly id: number;
  readonly file: File;
  readonly state: UploadState;
}

interface UploadQueueOptions {
  readonly send: (file: File, upload: UploadOptions) => Promise<void>;
  /** Hears how many arrived once nothing is on its way any more. */
  readonly onFinished: (count: number) => void;
}

let lastUploadId = 0;

/**
 * Sends files one after the other, each telling how far it is: they are listed in the order in which
 * they arrive, and so as chosen.
 */
export function createUploadQueue({ send, onFinished: finished }: UploadQueueOptions) {
  /** In the order they were chosen. */
  const $uploads = atom<readonly FileUpload[]>([]);
  let sending: { readonly id: number; readonly calledOff: AbortController } | null = null;

  function add(files: readonly File[]): void {
    const added = files.map((file): FileUpload => {
      lastUploadId += 1;
      return { id: lastUploadId, file, state: toInitialState(file) };
    });
    $uploads.set([...$uploads.get(), ...added]);
    sendNext();
  }

  function setState(id: number, state: UploadState): void {
    $uploads.set($uploads.get().map((one) => (one.id === id ? { ...one, state } : one)));
  }

  function sendNext(): void {
    const next = $uploads.get().find(({ state }) => state.kind === 'waiting');
    if (sending === null && next) void sendFile(next);
    updateUnloadWarning();
    if (sending === null) removeFinished();
  }

  async function sendFile({ id, file }: FileUpload): Promise<void> {
    const abortController = new AbortController();
    sending = { id, calledOff: abortController };
    setState(id, { kind: 'sending', share: 0 });
    try {
      await send(file, {
        signal: abortController.signal,
        onProgress: (share) =>
          setState(id, share < 1 ? { kind: 'sending', share } : { kind: 'preparing' }),
      });
      setState(id, { kind: 'done' });
    } catch (error) {
      setState(id, { kind: 'failed', text: errorText(error), canRetry: isRetryable(error) });
    }
    sending = null;
    sendNext();
  }

  function removeFinished(): void {
    const all = $uploads.get();
    const left = all.filter(({ state }) => state.kind !== 'done');
    if (left.length === all.length) return;
    $uploads.set(left);
    finished(all.length - left.length);
  }

  function remove(id: number): void {
    if (sending?.id === id) sending.calledOff.abort();
    $uploads.set($uploads.get().filter((one) => one.id !== id));
    sendNext();
  }

  function updateUnloadWarning(): void {
    if (sending !== null) addEventListener('beforeunload', warnBeforeUnload);
    else removeEventListener('beforeunload', warnBeforeUnload);
  }

  return {
    $uploads,
    add,
    /** Tries again what did not arrive. */
    retry(id: number): void {
      setState(id, { kind: 'waiting' });
      sendNext();
    },
    /** Calls a file off, or forgets it. */
    remove,
  };
}

/** The way to the login is free: files cannot be kept on it. */
function warnBeforeUnload(event: Event): void {
  if ($token.get() !== undefined) event.preventDefault();
}

/** What the API would refuse is not sent to it first; the words are the API's. */
function toInitialState({ size, type }: File): UploadState {
  if (size === 0) return toFailedState('This file is empty');
  // Where the browser does not know the type, the API judges by decoding.
  if (type !== '' && !PICTURE_TYPES.includes(type))
    return toFailedState('Only JPEG, PNG, WebP and AVIF pictures can be used');
  if (size > MAX_BYTES) return toFailedState('A picture may have at most 15 MB');
  return { kind: 'waiting' };
}

function toFailedState(text: string): UploadState {
  return { kind: 'failed', text, canRetry: false };
}

/** Whether the same file may be taken another time. */
function isRetryable(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status >= 500;
}
