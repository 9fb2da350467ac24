import ky, { type Options } from 'ky';
import type { Slot } from '#contract/availability.ts';
import type { ValidationItem } from '#contract/common.ts';
import {
  type Answer,
  type CallInput,
  type CallOptions,
  type Endpoint,
  type Transport,
  toFormData,
} from '#contract/endpoint.ts';
import { FALLBACK_TEXT } from './call.ts';

/** How requests authenticate. */
interface BearerAuth {
  /** The current access token; '' when there is none. */
  readonly getToken: () => string;
  /** Called with the token of a request that the API refused with 401. */
  readonly onUnauthorized?: (token: string) => void;
}

/**
 * Connects to the API at an origin such as `https://book.example.com`; '' is the page's own origin.
 * A call without a response rejects with ky's NetworkError or TimeoutError.
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
      options: CallOptions = {},
    ): Promise<Answer<Output>> {
      const token = bearer?.getToken() ?? '';
      const response = await ky(`${origin}/api/v1${toPath(endpoint.path, input.path)}`, {
        fetch: fetchRequest,
        timeout: 20_000,
        ...options,
        method: endpoint.method,
        credentials: 'include',
        retry: 0,
        throwHttpErrors: false,
        // The request completes even if the browser leaves the page.
        keepalive: endpoint.method === 'DELETE',
        headers: { ...input.header, ...(token !== '' && { Authorization: `Bearer ${token}` }) },
        searchParams: { ...input.query },
        ...toBody(endpoint, input.body),
      });
      const { ok, status, statusText } = response;
      if (!ok) {
        if (status === 401) bearer?.onUnauthorized?.(token);
        return { ok, status, statusText, ...(await readProblem(response)) };
      }
      return { ok, value: await readValue(endpoint, response) };
    },
  };
}

/** Fills the parameters into a path such as `/services/:service_id`. */
function toPath(path: string, parameters: object = {}): string {
  const values = new Map(Object.entries(parameters));
  return path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(values.get(name)));
}

/** The body as the options of ky. */
function toBody(
  { bodyKind = 'json' }: Endpoint<CallInput, unknown>,
  body: unknown,
): Pick<Options, 'json' | 'body'> {
  if (bodyKind === 'raw') return { body: String(body) };
  if (bodyKind === 'form') return { body: new URLSearchParams(Object(body)) };
  if (bodyKind === 'multipart') return { body: toFormData(body) };
  return body === undefined ? {} : { json: body };
}

/** Reads a value of the type that the endpoint declares; responses are not validated. */
function readValue<Output>(
  endpoint: Endpoint<CallInput, Output>,
  response: Response,
): Promise<Output>;
async function readValue(
  endpoint: Endpoint<CallInput, unknown>,
  response: Response,
): Promise<unknown> {
  if (endpoint.responseKind === 'html') return response.text();
  if (endpoint.responseKind === 'jpeg') return new Uint8Array(await response.arrayBuffer());
  return response.status === 204 ? undefined : response.json();
}

async function readProblem(response: Response): Promise<{
  detail: string | ValidationItem[];
  challenge?: unknown;
  nearest?: readonly Slot[];
}> {
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== 'object' || body === null || !('detail' in body))
    return { detail: FALLBACK_TEXT };
  const more = {
    ...('challenge' in body && { challenge: body.challenge }),
    ...('nearest' in body && Array.isArray(body.nearest) && { nearest: body.nearest }),
  };
  if (typeof body.detail === 'string') return { detail: body.detail, ...more };
  const items = Array.isArray(body.detail) ? body.detail.filter(isValidationItem) : FALLBACK_TEXT;
  return { detail: items, ...more };
}

function isValidationItem(item: unknown): item is ValidationItem {
  return typeof item === 'object' && item !== null && 'msg' in item && 'loc' in item;
}
