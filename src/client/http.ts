import ky, { HTTPError, type KyInstance, type SearchParamsOption } from 'ky';
import type { ValidationItem } from '#contract/common.ts';

/** The one way to the API: HTTP, over a socket or inside the same process. */
export type Transport = KyInstance;

/** The API said no. `detail` is its text for a person, or all that is wrong with what was sent. */
export class ApiError extends Error {
  readonly status: number;
  readonly statusText: string;
  readonly detail: string | ValidationItem[];

  constructor(status: number, statusText: string, detail: string | ValidationItem[]) {
    super(status === 422 ? 'Validation Error' : `${status} ${statusText}`);
    this.name = 'ApiError';
    this.status = status;
    this.statusText = statusText;
    this.detail = detail;
  }
}

/** Whom calls speak for. */
export interface BearerAuth {
  /** The access token held now, '' when there is none. */
  readonly getToken: () => string;
  /** Hears which token the API refused. */
  readonly onUnauthorized: (token: string) => void;
}
const NO_AUTH: BearerAuth = { getToken: () => '', onUnauthorized: () => {} };

/**
 * A connection to the API of an origin such as `https://book.example.com`; '' is the page's own.
 * Failures are ApiErrors when the API answered, ky's NetworkError or TimeoutError when it did not.
 */
export function createHttpTransport(
  origin: string,
  over: typeof fetch = (...request) => fetch(...request),
  bearer: BearerAuth = NO_AUTH,
): Transport {
  return ky.create({
    prefix: `${origin}/api/v1`,
    fetch: over,
    credentials: 'include',
    retry: 0,
    timeout: 20_000,
    hooks: {
      beforeRequest: [
        ({ request }) => {
          const token = bearer.getToken();
          if (token !== '') request.headers.set('Authorization', `Bearer ${token}`);
        },
      ],
      afterResponse: [
        ({ request, response }) => {
          if (response.status === 401) bearer.onUnauthorized(bearerTokenOf(request));
        },
      ],
      beforeError: [({ error }) => (error instanceof HTTPError ? toApiError(error) : error)],
    },
  });
}

/** What to tell a person about a failure (specification, section 8: the shared error toast). */
export function formatError(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something went wrong.';
  if (typeof error.detail === 'string') return error.detail;
  return error.detail[0]?.msg ?? 'Something went wrong.';
}

/** Query parameters of a list; what is left out takes the API's default. */
export type PageParams = Extract<SearchParamsOption, Record<string, unknown>> & {
  skip?: number;
  limit?: number;
};

/** The query that names only what is set. */
export function toSearchParams(query: Readonly<Record<string, unknown>>): URLSearchParams {
  const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(set.map(([name, value]) => [name, String(value)]));
}

function bearerTokenOf(request: Request): string {
  return request.headers.get('Authorization')?.replace(/^Bearer /, '') ?? '';
}

function toApiError(error: HTTPError): ApiError {
  const { status, statusText } = error.response;
  return new ApiError(status, statusText, parseDetail(error.data));
}

function parseDetail(body: unknown): string | ValidationItem[] {
  if (typeof body !== 'object' || body === null || !('detail' in body))
    return 'Something went wrong.';
  if (typeof body.detail === 'string') return body.detail;
  return Array.isArray(body.detail)
    ? body.detail.filter(isValidationItem)
    : 'Something went wrong.';
}

function isValidationItem(item: unknown): item is ValidationItem {
  return typeof item === 'object' && item !== null && 'msg' in item && 'loc' in item;
}
