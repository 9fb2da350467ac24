import { connect, type Http } from '#client/http.ts';

let connection: Http | null = null;

/** The browser's one connection to the API; the page's root element tells where that is. */
export function api(): Http {
  connection ??= connect(document.documentElement.dataset['api'] ?? '');
  return connection;
}
