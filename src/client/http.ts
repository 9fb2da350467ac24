import ky, { HTTPError, type KyInstance, type SearchParamsOption } from 'ky';
import type { ValidationItem } from '#contract/common.ts';

/** Sends requests to the API, over the network or within the same process. */
export type Transport = KyInstance;

const FALLBACK_TEXT = 'Something went wrong.';

/** An error response of the API. `detail` is a text for people, or a list of invalid fields. */
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

/** How requests authenticate. */
interface BearerAuth {
  /** The current access token; '' when there is none. */
  readonly getToken: () => string;
  /** Called with the token of a request that the API refused with 401. */
  readonly onUnauthorized: (token: string) => void;
}
const NO_AUTH: BearerAuth = { getToken: () => '', onUnauthorized: () => {} };

/**
 * Connects to the API at an origin such as `https://book.example.com`; '' is the page's own origin.
 * Requests fail with an ApiError, or with ky's NetworkError or TimeoutError if there is no response.
 */
export function createHttpTransport(
  origin: string,
  {
    // Looks up the global `fetch` at each request, so that tests can replace it.
    fetchRequest = (...request) => fetch(...request),
    bearer = NO_AUTH,
  }: { fetchRequest?: typeof fetch; bearer?: BearerAuth } = {},
): Transport {
  return ky.create({
    prefix: `${origin}/api/v1`,
    fetch: fetchRequest,
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
          const authorization = request.headers.get('Authorization') ?? '';
          if (response.status === 401) bearer.onUnauthorized(authorization.replace(/^Bearer /, ''));
        },
      ],
      beforeError: [
        ({ error }) => {
          if (!(error instanceof HTTPError)) return error;
          const { status, statusText } = error.response;
          return new ApiError(status, statusText, parseDetail(error.data));
        },
      ],
    },
  });
}

/** The text about a failure for people (specification, section 8: the shared error toast). */
export function formatError(error: unknown): string {
  if (!(error instanceof ApiError)) return FALLBACK_TEXT;
  return typeof error.detail === 'string' ? error.detail : (error.detail[0]?.msg ?? FALLBACK_TEXT);
}

/** Query parameters of a list; the API has defaults for both. */
export type PageParams = Extract<SearchParamsOption, Record<string, unknown>> & {
  skip?: number;
  limit?: number;
};

/** Leaves out undefined and empty values. */
export function toSearchParams(query: Readonly<Record<string, unknown>>): URLSearchParams {
  const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(set.map(([name, value]) => [name, String(value)]));
}

function parseDetail(body: unknown): string | ValidationItem[] {
  if (typeof body !== 'object' || body === null || !('detail' in body)) return FALLBACK_TEXT;
  if (typeof body.detail === 'string') return body.detail;
  return Array.isArray(body.detail) ? body.detail.filter(isValidationItem) : FALLBACK_TEXT;
}

function isValidationItem(item: unknown): item is ValidationItem {
  return typeof item === 'object' && item !== null && 'msg' in item && 'loc' in item;
}
