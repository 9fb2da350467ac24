// A queue that uploads pictures one after the other and shows their progress.
import { atom } from 'nanostores';
import { ApiError } from '#client/call.ts';
import type { UploadOptions } from '#client/upload.ts';
import { errorText } from '../error_text.ts';
import { $token } from '../session.ts';

/** The types that file pickers allow. Phones then convert other formats, such as HEIC. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'];

const MAX_BYTES = 15 * 1024 * 1024;

export type UploadState =
  | { readonly kind: 'waiting' }
  /** `share` is the part of the bytes that has been sent, 0 to 1. */
  | { readonly kind: 'sending'; readonly share: number }
  /** All bytes are sent; our server resizes the picture. */
  | { readonly kind: 'preparing' }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly text: string; readonly canRetry: boolean };

export interface FileUpload {
  readonly id: number;
  readonly file: File;
  readonly state: UploadState;
}

interface UploadQueueOptions {
  readonly send: (file: File, upload: UploadOptions) => Promise<void>;
  /** Called when no file waits any more, with the number uploaded since the last call, unless 0. */
  readonly onFinished: (uploadedCount: number) => void;
}

let lastUploadId = 0;

/** Uploads files one after the other, so that our server lists them in the chosen order. */
export function createUploadQueue({ send, onFinished }: UploadQueueOptions) {
  const $uploads = atom<readonly FileUpload[]>([]);
  let sending: { readonly id: number; readonly abortController: AbortController } | null = null;

  function add(files: readonly File[]): void {
    const added = files.map((file): FileUpload => {
      lastUploadId += 1;
      const text = findRefusal(file);
      const state: UploadState =
        text === null ? { kind: 'waiting' } : { kind: 'failed', text, canRetry: false };
      return { id: lastUploadId, file, state };
    });
    $uploads.set([...$uploads.get(), ...added]);
    sendNextOrFinish();
  }

  function setState(id: number, state: UploadState): void {
    $uploads.set(
      $uploads.get().map((upload) => (upload.id === id ? { ...upload, state } : upload)),
    );
  }

  /** Sends the next waiting file, unless one is being sent; finishes the queue if none waits. */
  function sendNextOrFinish(): void {
    if (sending !== null) return;
    const next = $uploads.get().find(({ state }) => state.kind === 'waiting');
    if (next) {
      addEventListener('beforeunload', warnBeforeUnload);
      void sendFile(next);
    } else {
      removeEventListener('beforeunload', warnBeforeUnload);
      removeUploaded();
    }
  }

  /** Removes the uploaded files from the queue; failed files stay. */
  function removeUploaded(): void {
    const uploads = $uploads.get();
    const failed = uploads.filter(({ state }) => state.kind !== 'done');
    if (failed.length === uploads.length) return;
    $uploads.set(failed);
    onFinished(uploads.length - failed.length);
  }

  async function sendFile({ id, file }: FileUpload): Promise<void> {
    const abortController = new AbortController();
    sending = { id, abortController };
    setState(id, { kind: 'sending', share: 0 });
    try {
      await send(file, {
        signal: abortController.signal,
        onProgress: (share) =>
          setState(id, share < 1 ? { kind: 'sending', share } : { kind: 'preparing' }),
      });
      setState(id, { kind: 'done' });
    } catch (error) {
      // Worth a retry: no response, too many requests, or an error of our server.
      const canRetry = !(error instanceof ApiError) || error.status === 429 || error.status >= 500;
      // Without effect if `remove` aborted the upload, because its id is gone.
      setState(id, { kind: 'failed', text: errorText(error), canRetry });
    }
    sending = null;
    sendNextOrFinish();
  }

  function remove(id: number): void {
    // `sendFile` then goes on with the next file.
    if (sending?.id === id) sending.abortController.abort();
    $uploads.set($uploads.get().filter((upload) => upload.id !== id));
  }

  return {
    $uploads,
    add,
    retry(id: number): void {
      setState(id, { kind: 'waiting' });
      sendNextOrFinish();
    },
    remove,
  };
}

export type UploadQueue = ReturnType<typeof createUploadQueue>;

/** Makes the browser ask before it leaves the page, which would lose the files in the queue. */
function warnBeforeUnload(event: Event): void {
  // Without a token, the session has expired: the page cannot send the files any more.
  if ($token.get() !== undefined) event.preventDefault();
}

/** The API's text for a file that it would refuse; null for other files. */
function findRefusal({ size, type }: File): string | null {
  if (size === 0) return 'This file is empty';
  // The type is '' if the browser does not know it: the API then decodes the file to find out.
  if (type !== '' && !PICTURE_TYPES.includes(type))
    return 'Only JPEG, PNG, WebP and AVIF pictures can be used';
  return size > MAX_BYTES ? 'A picture may have at most 15 MB' : null;
}
