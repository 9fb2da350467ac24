import { callApi, expectOk } from '#support/call_api.ts';

/** Logs in an artist of the demo or of `many_artists.sql`. */
export async function logIn(url: string, username: string): Promise<string> {
  const form = { username: `${username}@example.com`, password: 'tattoo-demo' };
  const login = callApi<{ access_token: string }>(fetch, url, 'POST /login/access-token', { form });
  return (await expectOk(login)).access_token;
}

/** Calls the API as an artist; the token bypasses the cache. @throws Error when the call is refused */
export function callAsArtist<T>(
  url: string,
  token: string,
  operation: string,
  json?: object,
): Promise<T> {
  return expectOk(callApi<T>(fetch, url, operation, { token, json }));
}
