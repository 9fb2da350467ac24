import { createHttpTransport, type Transport } from '#client/http.ts';

let http: Transport | null = null;

/** The browser's one connection to the API; the page's root element tells where that is. */
export function publicApi(): Transport {
  http ??= createHttpTransport(document.documentElement.dataset['api'] ?? '');
  return http;
}
