import type { CallOptions } from '#contract/endpoint.ts';

/** Uploads files with progress, which browsers report for XMLHttpRequest but not for `fetch`. */
export interface UploadOptions {
  /** Called with the share of the bytes that has been sent, 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/** The options of a call that sends files. Uploads have no timeout. */
export function toCallOptions({ onProgress = () => {}, signal }: UploadOptions): CallOptions {
  return { fetch: createUploadFetch(onProgress), timeout: false, ...(signal && { signal }) };
}

/** A `fetch` over XMLHttpRequest. */
function createUploadFetch(onProgress: (share: number) => void): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const body = await request.blob();
    // The signal may have aborted while the body was read, before `onabort` below is set.
    request.signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const xhr = new XMLHttpRequest();
      xhr.open(request.method, request.url);
      xhr.withCredentials = request.credentials === 'include';
      for (const [name, value] of request.headers) xhr.setRequestHeader(name, value);
      xhr.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
      xhr.onload = () => {
        const headers = { 'Content-Type': xhr.getResponseHeader('Content-Type') ?? '' };
        const text = xhr.status === 204 ? null : xhr.responseText;
        resolve(new Response(text, { status: xhr.status, statusText: xhr.statusText, headers }));
      };
      xhr.onerror = () => reject(new TypeError('Failed to fetch'));
      request.signal.onabort = () => {
        xhr.abort();
        reject(request.signal.reason);
      };
      xhr.send(body);
    });
  };
}
