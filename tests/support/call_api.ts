import { ApiError } from '#client/call.ts';

export interface ApiResponse<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface CallOptions {
  readonly token?: string | undefined;
  readonly json?: unknown;
  readonly form?: Record<string, string>;
  readonly multipart?: FormData;
  /** A body that is sent unchanged. */
  readonly raw?: string | Uint8Array<ArrayBuffer> | ReadableStream;
  readonly headers?: Record<string, string>;
}

/** Calls an operation such as `GET /services`, below `/api/v1` of the origin. */
export async function callApi<T = unknown>(
  fetchResponse: typeof fetch,
  origin: string,
  operation: string,
  options: CallOptions = {},
): Promise<ApiResponse<T>> {
  const [method = 'GET', path = '/'] = operation.split(' ');
  const response = await fetchResponse(toRequest(origin, method, path, options));
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: parseBody(response, text),
  };
}

/** The body of a successful call; throws otherwise. */
export async function expectOk<T>(response: Promise<ApiResponse<T>>): Promise<T> {
  const { status, body } = await response;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** The status and body of a refused call of `client`. */
export async function refusalOf(
  call: Promise<unknown>,
): Promise<Pick<ApiResponse, 'status' | 'body'>> {
  const error: unknown = await call.then(
    () => new Error('The call was not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw error;
  const { status, detail, nearest } = error;
  return { status, body: { detail, ...(nearest.length > 0 && { nearest }) } };
}

/** The query of the availability of the month so many ahead: `year=2026&month=12`. */
export function monthQuery(ahead: number, now = new Date()): string {
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
  return `year=${month.getUTCFullYear()}&month=${month.getUTCMonth() + 1}`;
}

/** The number of responses by status. */
export function countStatuses(responses: readonly { readonly status: number | undefined }[]) {
  const counts: Record<string, number> = {};
  for (const { status } of responses) counts[String(status)] = (counts[String(status)] ?? 0) + 1;
  return counts;
}

function toRequest(
  origin: string,
  method: string,
  path: string,
  { token, json, form, multipart, raw, headers }: CallOptions,
): Request {
  const body =
    json !== undefined
      ? JSON.stringify(json)
      : form !== undefined
        ? new URLSearchParams(form)
        : (multipart ?? raw);
  const isAbsolute = path.startsWith('/api') || /^\/(healthz|readyz)/.test(path);
  const request = {
    method,
    headers: {
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body }),
    // Node requires it when the body is a stream.
    duplex: 'half',
  };
  return new Request(`${origin}${isAbsolute ? '' : '/api/v1'}${path}`, request);
}

function parseBody({ headers }: Response, text: string) {
  if (text === '') return undefined;
  return headers.get('Content-Type')?.startsWith('application/json') ? JSON.parse(text) : text;
}
