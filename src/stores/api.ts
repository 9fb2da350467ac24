import { createHttpTransport, type Transport } from '#client/http.ts';

/** Created at the first call, because pages are also rendered on our server, without a document. */
let http: Transport | null = null;

/** Sends API requests without a login. The attribute `data-api` of `<html>` is the API's origin. */
export function publicApi(): Transport {
  http ??= createHttpTransport(document.documentElement.dataset['api'] ?? '');
  return http;
}
