/** Logs in an artist of the demo or of `many_artists.sql`. */
export async function logIn(url: string, username: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/login/access-token`, {
    method: 'POST',
    body: new URLSearchParams({ username: `${username}@example.com`, password: 'tattoo-demo' }),
  });
  const { access_token }: { access_token: string } = await response.json();
  return access_token;
}

/**
 * Calls the API as an artist; the token bypasses the cache.
 * @throws Error when the call is refused
 */
export async function callAsArtist<T>(
  url: string,
  token: string,
  operation: string,
  body?: object,
): Promise<T> {
  const [method = '', path = ''] = operation.split(' ');
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${operation} is answered ${response.status} ${text}`);
  return JSON.parse(text === '' ? 'null' : text);
}
