import ky, { type AfterResponseHook, type Options, type ResponsePromise } from 'ky';
import type { ValidationItem } from '#contract/common.ts';
import {
  type Answer,
  type CallInput,
  type CallOptions,
  type Endpoint,
  type RefusalDetails,
  type Transport,
  toFormData,
} from '#contract/endpoint.ts';
import type { RefusalReason } from '#domain/refusal.ts';
import { FALLBACK_TEXT } from './call.ts';
import { setServerClock } from './server_clock.ts';

const UNREADABLE_TEXT =
  'The answer could not be read. If your network asks you to log in first, do that, then try again.';

/** How long one call may take, with its retries, unless the call says otherwise. */
const TIMEOUT_MS = 20_000;
/** How often a browser repeats a read after a lost connection, or when the API asks for it. */
const MAX_RETRIES = 2;

/** How requests authenticate. */
interface BearerAuth {
  /** The current access token; '' when there is none. */
  readonly getToken: () => string;
  /** Called with the token of a request that the API refused with 401. */
  readonly onUnauthorized?: (token: string) => void;
}

/**
 * Connects to the API at an origin such as `https://book.example.com`; '' is the page's own origin.
 * A call without a response rejects with an error of ky: `NetworkError`, or `TimeoutError`.
 */
export function createHttpTransport(
  origin: string,
  {
    // Looks up the global `fetch` at each request, so that tests can replace it.
    fetchRequest = (...request) => fetch(...request),
    bearer,
  }: { fetchRequest?: typeof fetch; bearer?: BearerAuth } = {},
): Transport {
  return {
    async send<Output>(
      endpoint: Endpoint<CallInput, Output>,
      input: CallInput,
      { fetch: upload, timeout = TIMEOUT_MS, signal }: CallOptions = {},
    ): Promise<Answer<Output>> {
      const token = bearer?.getToken() ?? '';
      const { body, contentType } = toBody(endpoint, input.body);
      const request = ky(`${origin}/api/v1${toPath(endpoint.path, input.path)}`, {
        method: endpoint.method,
        searchParams: new URLSearchParams({ ...input.query }),
        credentials: 'include',
        // Some deletions are sent while the browser leaves the page: they still complete.
        keepalive: endpoint.method === 'DELETE',
        // An upload is given its form, because WebKit cannot read it back from the `Request`.
        fetch: upload ? (sent) => upload(sent, { body: body ?? null }) : fetchRequest,
        signal: signal ?? null,
        headers: {
          ...(contentType !== undefined && { 'Content-Type': contentType }),
          ...input.header,
          ...(token !== '' && { Authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body }),
        throwHttpErrors: false,
        timeout: false,
        totalTimeout: timeout,
        ...(isRepeatable(endpoint) ? repeatWithin(timeout) : { retry: 0 }),
      });
      const response = await request;
      // A server uses its own clock.
      if (typeof document !== 'undefined') measureClock(response.headers);
      const { ok, status, statusText } = response;
      if (!ok) {
        if (status === 401) bearer?.onUnauthorized?.(token);
        return { ok, status, statusText, ...(await readProblem(request)) };
      }
      const value: unknown = await readValue(endpoint, request);
      if (isValueOf(endpoint, value)) return { ok, value };
      return { ok: false, status: 502, statusText: 'Bad Gateway', detail: UNREADABLE_TEXT };
    },
  };
}

/** Reads the server's clock from `Date`, but not in a response that a cache may have stored some time ago. */
function measureClock(headers: Headers): void {
  const serverTime = Date.parse(headers.get('Date') ?? '');
  if (serverTime && headers.get('Cache-Control')?.includes('no-store')) setServerClock(serverTime);
}

/** Whether a failed call is repeated. Never on a server: rendering a page has no time for a second attempt. */
function isRepeatable({ method, canRetry }: Endpoint<CallInput, unknown>): boolean {
  return method === 'GET' && canRetry !== false && typeof document !== 'undefined';
}

/** The options of ky for a call that is repeated after a lost connection or a 503 with `Retry-After`. */
function repeatWithin(timeout: number | false): Pick<Options, 'retry' | 'hooks'> {
  const end = timeout === false ? Infinity : performance.now() + timeout;
  const repeatIfAsked: AfterResponseHook = ({ response: { status, headers }, retryCount }) => {
    const delay = retryDelay(headers.get('Retry-After'));
    if (status !== 503 || delay === null || retryCount >= MAX_RETRIES) return undefined;
    return performance.now() + delay < end ? ky.retry({ delay }) : undefined;
  };
  return { retry: { limit: MAX_RETRIES }, hooks: { afterResponse: [repeatIfAsked] } };
}

/**
 * The time until a call is repeated, in milliseconds: the seconds of `Retry-After`, at least one, and up to
 * a quarter more, so that browsers that were refused together do not return together. Null without seconds.
 */
function retryDelay(retryAfter: string | null): number | null {
  if (!/^\d+$/.test(retryAfter ?? '')) return null;
  return Math.max(Number(retryAfter), 1) * 1000 * (1 + Math.random() / 4);
}

/** Fills the parameters into a path such as `/services/:service_id`. */
function toPath(path: string, parameters: object = {}): string {
  const values = new Map(Object.entries(parameters));
  return path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(values.get(name)));
}

/** The body of a request; its `contentType`, where the browser does not set it by itself. */
function toBody(
  { bodyKind = 'json' }: Endpoint<CallInput, unknown>,
  body: unknown,
): { body?: BodyInit; contentType?: string } {
  if (bodyKind === 'raw') return { body: String(body) };
  if (bodyKind === 'form') return { body: new URLSearchParams(Object(body)) };
  if (bodyKind === 'multipart') return { body: toFormData(body) };
  return body === undefined ? {} : { body: JSON.stringify(body), contentType: 'application/json' };
}

/** The body of a response: undefined without content, null if it should be JSON and is not. */
async function readValue(
  { responseKind }: Endpoint<CallInput, unknown>,
  request: ResponsePromise,
): Promise<unknown> {
  const response = await request;
  if (response.status === 204) return undefined;
  // Reading through `request` counts towards its timeout.
  if (responseKind === 'jpeg') return new Uint8Array(await request.arrayBuffer());
  if (responseKind === 'zip') return toDownload(response);
  const text = await request.text();
  if (responseKind === 'html') return text;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function toDownload({ headers, body }: Response) {
  const [, name = ''] = /filename="(.*)"/.exec(headers.get('Content-Disposition') ?? '') ?? [];
  return { name, size: Number(headers.get('Content-Length')), body };
}

/**
 * Whether the endpoint may have returned this value, judged only by the field that all its values have: a proxy
 * or the login page of a network may have answered instead of the API.
 */
function isValueOf<Output>(
  { responseKind, field = 'id' }: Endpoint<CallInput, Output>,
  value: unknown,
): value is Output {
  if (responseKind !== undefined) return true;
  if (field === null) return value === undefined;
  if (typeof value !== 'object' || value === null) return false;
  const found: unknown = Reflect.get(value, field);
  return field === 'data' ? Array.isArray(found) : found !== undefined;
}

/** Reads the body of a refusal. */
async function readProblem(
  request: ResponsePromise,
): Promise<RefusalDetails & { detail: string | ValidationItem[] }> {
  // A body that is no object has no `detail`.
  const body: Readonly<Record<string, unknown>> = Object(await request.json().catch(() => null));
  const { detail, reason, challenge, request_id: requestId, nearest, alike } = body;
  // A gateway has answered instead of our API.
  if (detail === undefined) return { detail: FALLBACK_TEXT };
  const text = typeof detail === 'string' ? detail : FALLBACK_TEXT;
  return {
    detail: Array.isArray(detail) ? detail.filter(isValidationItem) : text,
    reason: isReason(reason) ? reason : undefined,
    challenge,
    requestId,
    ...(Array.isArray(nearest) && { nearest }),
    ...(Array.isArray(alike) && { alike }),
  };
}

function isValidationItem(item: unknown): item is ValidationItem {
  return typeof item === 'object' && item !== null && 'msg' in item && 'loc' in item;
}

/** A server of a later version may have reasons that this code does not know. */
function isReason(value: unknown): value is RefusalReason {
  return typeof value === 'string';
}
