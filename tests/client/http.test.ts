import { expect, test } from 'vitest';
import { ApiError, call, formatError } from '#client/call.ts';
import { createHttpTransport } from '#client/http.ts';

import { deleteService, fetchArtist, listAppointments } from '#contract/endpoints.ts';

const ORIGIN = 'http://api.test';

/** A transport to an API that answers every request with `respond`. */
function createTransport(
  respond: () => Response | Promise<Response>,
  token = '',
  refused: string[] = [],
) {
  const requests: Request[] = [];
  const fetchRequest: typeof fetch = async (input, init) => {
    requests.push(new Request(input, init));
    return respond();
  };
  const bearer = {
    getToken: () => token,
    onUnauthorized: (refusedToken: string) => refused.push(refusedToken),
  };
  return { http: createHttpTransport(ORIGIN, { fetchRequest, bearer }), requests, refused };
}

const problem = (status: number, body: unknown) => () => Response.json(body, { status });

test('requests go to /api/v1 of the origin, with encoded path segments', async () => {
  const { http, requests } = createTransport(problem(200, { id: 'ana' }));
  await call(http, fetchArtist, { path: { username: 'a/b?c' } });
  expect(requests.map(({ url }) => url)).toEqual([`${ORIGIN}/api/v1/users/artist/a%2Fb%3Fc`]);
});

test('an error response is an ApiError with its status and text', async () => {
  const { http } = createTransport(problem(409, { detail: 'That time is taken' }));
  const error: unknown = await call(http, fetchArtist, { path: { username: 'ana' } }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 409, detail: 'That time is taken' });
  expect(formatError(error)).toBe('That time is taken');
});

test.each([
  [500, 'That was our fault, not yours. (Reference: 5b0c3ea1f2-1z)'],
  [503, 'Something went wrong. (Reference: 5b0c3ea1f2-1z)'],
  [409, 'Something went wrong.'],
  [422, 'Something went wrong.'],
])('the text of an error response with status %i: %s', async (status, text) => {
  const body = { detail: 'Something went wrong.', request_id: '5b0c3ea1f2-1z' };
  const { http } = createTransport(problem(status, body));
  const error: unknown = await call(http, fetchArtist, { path: { username: 'ana' } }).catch(
    (thrown: unknown) => thrown,
  );
  expect(formatError(error)).toBe(text);
});

test('a failure of a server that names no request has no reference', async () => {
  const { http } = createTransport(problem(500, { detail: 'Something went wrong.' }));
  const error: unknown = await call(http, fetchArtist, { path: { username: 'ana' } }).catch(
    (thrown: unknown) => thrown,
  );
  expect(formatError(error)).toBe('Something went wrong.');
});

test('a 422 response lists all invalid fields; formatError returns the first', async () => {
  const items = ['Too long', 'Not an email'].map((msg) => ({ type: 'value', loc: ['body'], msg }));
  const { http } = createTransport(problem(422, { detail: [...items, 'no item', null] }));
  const error: unknown = await call(http, fetchArtist, { path: { username: 'ana' } }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ status: 422, message: 'Validation Error', detail: items });
  expect(formatError(error)).toBe('Too long');
});

test.each([null, 'text', 7, {}, { detail: 7 }])(
  'an error response with the body %j has the text “Something went wrong.”',
  async (body) => {
    const { http } = createTransport(problem(502, body));
    await expect(call(http, fetchArtist, { path: { username: 'ana' } })).rejects.toMatchObject({
      status: 502,
      detail: 'Something went wrong.',
    });
  },
);

const page = (status: number) => () =>
  new Response('<h1>Log in to the café’s network</h1>', {
    status,
    headers: { 'Content-Type': 'text/html' },
  });
const UNREADABLE = {
  name: 'ApiError',
  status: 502,
  detail:
    'The answer could not be read. If your network asks you to log in first, do that, then try again.',
};

const WRONG_ANSWERS: readonly (readonly [string, () => Response | Promise<Response>])[] = [
  ['a web page', page(200)],
  ['no content', () => new Response(null, { status: 204 })],
  ...[null, 'text', 7, [], {}, { data: 'text' }, { ok: true }].map(
    (body) => [JSON.stringify(body), problem(200, body)] as const,
  ),
];
test.each(WRONG_ANSWERS)(
  '%s in place of an object or a list is an error with words (malformed)',
  async (_, respond) => {
    const { http } = createTransport(respond);
    await expect(call(http, fetchArtist, { path: { username: 'ana' } })).rejects.toMatchObject(
      UNREADABLE,
    );
    await expect(call(http, listAppointments)).rejects.toMatchObject(UNREADABLE);
  },
);

test('a call without content succeeds only with the status 204', async () => {
  const input = { path: { service_id: 'flash' } };
  const deleted = createTransport(() => new Response(null, { status: 204 }));
  expect(await call(deleted.http, deleteService, input)).toBeUndefined();
  for (const respond of [page(200), problem(200, {})])
    await expect(call(createTransport(respond).http, deleteService, input)).rejects.toMatchObject(
      UNREADABLE,
    );
});

test('a connection lost during the response is no ApiError', async () => {
  const { http } = createTransport(
    () =>
      new Response(
        new ReadableStream({
          start: (stream) => stream.error(new TypeError('network error')),
        }),
      ),
  );
  const error: unknown = await call(http, listAppointments).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain('network error');
  expect(error).not.toBeInstanceOf(ApiError);
});

test('without a response there is no ApiError', async () => {
  const { http } = createTransport(() => Promise.reject(new TypeError('Failed to fetch')));
  const error: unknown = await call(http, fetchArtist, { path: { username: 'ana' } }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).not.toBeInstanceOf(ApiError);
  expect(formatError(error)).toBe('Something went wrong.');
});

test('a failed request is not retried', async () => {
  const { http, requests } = createTransport(problem(503, { detail: 'Busy' }));
  await expect(call(http, fetchArtist, { path: { username: 'ana' } })).rejects.toMatchObject({
    status: 503,
  });
  expect(requests).toHaveLength(1);
});

test('each request sends the token, and onUnauthorized reports a refused one', async () => {
  const { http, requests, refused } = createTransport(problem(401, { detail: 'Log in' }), 'one');
  await expect(call(http, fetchArtist, { path: { username: 'ana' } })).rejects.toMatchObject({
    status: 401,
  });
  expect(requests[0]?.headers.get('Authorization')).toBe('Bearer one');
  expect(refused).toEqual(['one']);
});

test('undefined and empty parameters are left out of the query', async () => {
  const { http, requests } = createTransport(problem(200, { data: [], count: 0 }));
  const query = { search: '', status: undefined, skip: 0, order: 'newest' } as const;
  await call(http, listAppointments, { query });
  expect(requests.map(({ url }) => url)).toEqual([
    `${ORIGIN}/api/v1/appointments/?skip=0&order=newest`,
  ]);
});
