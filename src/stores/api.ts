import { createHttpTransport } from '#client/http.ts';
import type { Transport } from '#contract/endpoint.ts';

/** Created at the first call, because pages are also rendered on our server, without a document. */
let http: Transport | null = null;

/** Sends API requests without a login. */
export function publicApi(): Transport {
  http ??= createHttpTransport(apiOrigin());
  return http;
}

/** The origin of the API: the attribute `data-api` of `<html>`, or '' for the page's own origin. */
export function apiOrigin(): string {
  return document.documentElement.dataset['api'] ?? '';
}
