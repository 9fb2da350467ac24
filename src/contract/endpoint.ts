import type { AlikeDesign, RefusalReason } from '#domain/refusal.ts';
import type { Slot } from './availability.ts';
import type { ValidationItem } from './common.ts';

/** The input of a call. Parameters of `path`, `query` and `header` are named as in the API. */
export interface CallInput {
  readonly path?: object;
  readonly query?: object;
  readonly header?: object;
  readonly body?: unknown;
}

/** The input of a call without parameters and body. */
export type NoInput = Readonly<Record<never, never>>;

/** A file that is too large for memory. */
export interface Download {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly body: ReadableStream<Uint8Array>;
}

/** One call of the API: an HTTP method and a path, and the types of its input and its value. */
export interface Endpoint<Input extends CallInput, Output> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, with the names of its parameters, such as `/services/:service_id`. */
  readonly path: string;
  /** JSON unless set. A `raw` body is text that the API passes on unparsed. */
  readonly bodyKind?: 'json' | 'form' | 'multipart' | 'raw';
  /** JSON unless set. HTML is text, a JPEG is its bytes, a ZIP is a download. */
  readonly responseKind?: 'html' | 'jpeg' | 'zip';
  /**
   * A field of every JSON response, by which a client recognizes one that does not come from the
   * API: `id` unless set. `data` is a list; null: the response has no content.
   */
  readonly field?: string | null;
  /** Whether a browser repeats a GET after a lost connection; unless set, it does. */
  readonly canRetry?: false;
  /** Never set: TypeScript infers the types of a call from it. */
  readonly types?: { readonly input: Input; readonly output: Output };
}

/** Options of one call that do not reach the API. */
export interface CallOptions {
  /** Replaces `fetch`, for example to report the progress of an upload; called with the body, too. */
  readonly fetch?: typeof fetch;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** In milliseconds, 20 s unless set; false for none. */
  readonly timeout?: number | false;
}

/** Optional fields of a refusal, beside its status and text. */
export interface RefusalDetails {
  /** Unset for invalid input, for a bug, for an error of the browser, and when an older server or a proxy answered. */
  readonly reason?: RefusalReason | undefined;
  /** The task of a proof of work; the call may be repeated with its solution. */
  readonly challenge?: unknown;
  /** For a time that cannot be had: free times near to it. */
  readonly nearest?: readonly Slot[];
  /** For a design that cannot be had: designs like it. */
  readonly alike?: readonly AlikeDesign[];
  /** Names the request in the server's log. */
  readonly requestId?: unknown;
}

/** The API's answer to a call: a value, or the status and the text or list of a refusal. */
export type Answer<Output> =
  | { readonly ok: true; readonly value: Output }
  | ({
      readonly ok: false;
      readonly status: number;
      readonly statusText: string;
      readonly detail: string | ValidationItem[];
    } & RefusalDetails);

/** Carries calls to the API: over HTTP, or as a direct call within the server. */
export interface Transport {
  /** Rejects when there is no answer, such as without a connection. */
  send<Output>(
    endpoint: Endpoint<CallInput, Output>,
    input: CallInput,
    options?: CallOptions,
  ): Promise<Answer<Output>>;
}

/** The body of a multipart call; a list becomes one field for each item. */
export function toFormData(body: unknown): FormData {
  const form = new FormData();
  for (const [name, values] of Object.entries(body ?? {}))
    for (const value of [values].flat()) if (value !== undefined) form.append(name, value);
  return form;
}
