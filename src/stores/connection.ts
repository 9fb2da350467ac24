import { createHttpTransport, type Transport } from '#client/http.ts';

let connection: Transport | null = null;

/** The browser's one connection to the API; the page's root element tells where that is. */
export function api(): Transport {
  connection ??= createHttpTransport(document.documentElement.dataset['api'] ?? '');
  return connection;
}
