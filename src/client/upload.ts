import type { Options } from 'ky';

/** How the browser is told of an upload on its way, and how it is called off. */
export interface UploadOptions {
  /** Hears the share of the bytes that has been sent, 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/** Options of a call that sends files: with progress, and for as long as it takes. */
export function toKyOptions({ onProgress = () => {}, signal }: UploadOptions): Options {
  return { fetch: createUploadFetch(onProgress), timeout: false, ...(signal && { signal }) };
}

/**
 * `fetch` for uploads. It goes over XMLHttpRequest: browsers tell the progress of a request only
 * there, streamed bodies of `fetch` need HTTP/2 and are not in every browser.
 */
function createUploadFetch(onProgress: (share: number) => void): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const body = await request.blob();
    // Called off meanwhile: nobody was listening yet.
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
