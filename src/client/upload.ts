// Uploads files with progress, which browsers report for XMLHttpRequest but not for `fetch`.
import type { CallOptions } from '#contract/endpoint.ts';

/** How a caller follows an upload and aborts it. */
export interface UploadOptions {
  /** Called with the share of the bytes that has been sent, 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/** The options of a call that sends files: with progress, and without a timeout. */
export function toCallOptions({ onProgress = () => {}, signal }: UploadOptions): CallOptions {
  return {
    fetch: (input, init) => sendWithProgress(new Request(input), init?.body, onProgress),
    timeout: false,
    ...(signal && { signal }),
  };
}

/** Sends a request over XMLHttpRequest. @param body the request's; only a form is sent */
function sendWithProgress(
  { method, url, credentials, headers, signal }: Request,
  body: BodyInit | null | undefined,
  onProgress: (share: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const xhr = new XMLHttpRequest();
    xhr.open(method, url);
    xhr.withCredentials = credentials === 'include';
    // The browser sets this header itself, with the boundary between the parts of the form.
    headers.delete('Content-Type');
    for (const [name, value] of headers) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    xhr.onload = () => {
      const type = { 'Content-Type': xhr.getResponseHeader('Content-Type') ?? '' };
      const text = xhr.status === 204 ? null : xhr.responseText;
      const { status, statusText } = xhr;
      resolve(new Response(text, { status, statusText, headers: type }));
    };
    // As `fetch` rejects.
    xhr.onerror = () => reject(new TypeError('Failed to fetch'));
    signal.onabort = () => {
      xhr.abort();
      reject(signal.reason);
    };
    xhr.send(body instanceof FormData ? body : null);
  });
}
