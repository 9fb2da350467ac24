// @vitest-environment node
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ApiError, call, formatError } from '#client/call.ts';
import { createHttpTransport } from '#client/http.ts';
import type { Transport } from '#contract/endpoint.ts';
import {
  bookService,
  deleteDesign,
  deleteService,
  fetchArtist,
  fetchConfirmation,
  listAppointments,
} from '#contract/endpoints.ts';

const ORIGIN = 'http://api.test';
const ANA = { path: { username: 'ana' } };

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

/** Why a call fails. */
const failureOf = (http: Transport): Promise<unknown> =>
  call(http, fetchArtist, ANA).catch((thrown: unknown) => thrown);

const problem = (status: number, body: unknown) => () => Response.json(body, { status });

test('requests go to /api/v1 of the origin, with encoded path segments', async () => {
  const { http, requests } = createTransport(problem(200, { id: 'ana' }));
  await call(http, fetchArtist, { path: { username: 'a/b?c' } });
  expect(requests.map(({ url }) => url)).toEqual([`${ORIGIN}/api/v1/users/artist/a%2Fb%3Fc`]);
});

test.each([
  [500, '5b0c3ea1f2-1z', 'That was our fault, not yours. (Reference: 5b0c3ea1f2-1z)'],
  [500, undefined, 'Something went wrong.'],
  [503, '5b0c3ea1f2-1z', 'Something went wrong. (Reference: 5b0c3ea1f2-1z)'],
  [409, '5b0c3ea1f2-1z', 'Something went wrong.'],
  [422, '5b0c3ea1f2-1z', 'Something went wrong.'],
])(
  'an error response with status %i and reference %s is an ApiError: %s',
  async (status, reference, text) => {
    const body = { detail: 'Something went wrong.', request_id: reference };
    const { http } = createTransport(problem(status, body));
    const error = await failureOf(http);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status, detail: 'Something went wrong.' });
    expect(formatError(error)).toBe(text);
  },
);

test.each([
  ['time_taken', 'time_taken'],
  // Of a server of an earlier version.
  [undefined, undefined],
  [7, undefined],
])('the reason %s in the body of a refusal is that of the ApiError: %s', async (sent, reason) => {
  const { http } = createTransport(problem(409, { detail: 'It is taken', reason: sent }));
  expect(await failureOf(http)).toMatchObject({ detail: 'It is taken', reason });
});

test('a 422 response lists all invalid fields; formatError returns the first', async () => {
  const items = ['Too long', 'Not an email'].map((msg) => ({ type: 'value', loc: ['body'], msg }));
  const { http } = createTransport(problem(422, { detail: [...items, 'no item', null] }));
  const error = await failureOf(http);
  expect(error).toMatchObject({ status: 422, message: 'Validation Error', detail: items });
  expect(formatError(error)).toBe('Too long');
});

test.each([null, 'text', 7, {}, { detail: 7 }, { request_id: 'of-a-gateway', reason: 'busy' }])(
  'an error response with the body %j has the text “Something went wrong.”',
  async (body) => {
    const { http } = createTransport(problem(502, body));
    const error = await failureOf(http);
    expect(error).toMatchObject({ status: 502, detail: 'Something went wrong.' });
    expect(formatError(error)).toBe('Something went wrong.');
  },
);

/** The page of a network that asks for a login. */
const webPage = () =>
  new Response('<h1>Log in to the café’s network</h1>', {
    headers: { 'Content-Type': 'text/html' },
  });
const UNREADABLE = {
  name: 'ApiError',
  status: 502,
  detail:
    'The answer could not be read. If your network asks you to log in first, do that, then try again.',
};

const WRONG_ANSWERS: readonly (readonly [string, () => Response])[] = [
  ['a web page', webPage],
  ['no content', () => new Response(null, { status: 204 })],
  ...[null, 'text', 7, [], {}, { data: 'text' }, { ok: true }].map(
    (body) => [JSON.stringify(body), problem(200, body)] as const,
  ),
];
test.each(WRONG_ANSWERS)(
  '%s in place of an object or a list is an error with words (malformed)',
  async (_, respond) => {
    const { http } = createTransport(respond);
    expect(await failureOf(http)).toMatchObject(UNREADABLE);
    await expect(call(http, listAppointments)).rejects.toMatchObject(UNREADABLE);
  },
);

test('a call without content succeeds only with the status 204', async () => {
  const input = { path: { service_id: 'flash' } };
  const deleted = createTransport(() => new Response(null, { status: 204 }));
  expect(await call(deleted.http, deleteService, input)).toBeUndefined();
  for (const respond of [webPage, problem(200, {})])
    await expect(call(createTransport(respond).http, deleteService, input)).rejects.toMatchObject(
      UNREADABLE,
    );
});

test('a connection lost during the response is no ApiError', async () => {
  const start = (stream: ReadableStreamDefaultController) =>
    stream.error(new TypeError('network error'));
  const { http } = createTransport(() => new Response(new ReadableStream({ start })));
  const error = await failureOf(http);
  expect(String(error)).toContain('network error');
  expect(error).not.toBeInstanceOf(ApiError);
});

/** An API on a port of its own, which loses the connection of the first `lost` requests. */
async function startApi(lost: number, answer: RequestListener) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (requests.length <= lost) request.socket.destroy();
    else answer(request, response);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { http: createHttpTransport(`http://127.0.0.1:${port}`), requests };
}

const NO_CONNECTION = { name: 'NetworkError' };

test.for([
  { lost: 1, sent: 2, result: 'ana' },
  { lost: 2, sent: 3, result: 'ana' },
  { lost: 3, sent: 3, result: 'NetworkError' },
])('a browser repeats a GET twice after lost connections: $lost lost, $result', async (example) => {
  vi.stubGlobal('document', {});
  const { http, requests } = await startApi(example.lost, (_, response) =>
    response.end('{"id": "ana"}'),
  );
  const result = await call(http, fetchArtist, ANA).then(
    ({ id }) => id,
    ({ name }: Error) => name,
  );
  expect(result).toBe(example.result);
  expect(requests).toEqual(Array(example.sent).fill('GET /api/v1/users/artist/ana'));
});

test('a POST, a DELETE, the confirmation and the calls of a server are never repeated', async () => {
  const { http, requests } = await startApi(Infinity, () => {});
  await expect(call(http, fetchArtist, ANA)).rejects.toMatchObject(NO_CONNECTION);
  vi.stubGlobal('document', {});
  const path = { appt_id: 'one' };
  await expect(call(http, fetchConfirmation, { path })).rejects.toMatchObject(NO_CONNECTION);
  const body = { service_id: 'one', start: '', end: '', email: '' };
  await expect(call(http, bookService, { body })).rejects.toMatchObject(NO_CONNECTION);
  await expect(call(http, deleteDesign, { path: { design_id: 'one' } })).rejects.toMatchObject(
    NO_CONNECTION,
  );
  expect(requests.map((request) => request.replace(/ .*v1/, ' '))).toEqual([
    'GET /users/artist/ana',
    'GET /appointments/confirmation/one',
    'POST /appointments/request/service',
    'DELETE /designs/one',
  ]);
});

/** An answer of the API with the status 503; without `seconds` it has no `Retry-After`. */
const unavailable = (seconds?: string) => () =>
  Response.json(
    { detail: 'Busy' },
    { status: 503, headers: seconds === undefined ? {} : { 'Retry-After': seconds } },
  );

test.for([
  { name: 'without Retry-After', seconds: undefined, sent: 1, endMs: 0 },
  { name: 'after a text', seconds: 'soon', sent: 1, endMs: 0 },
  { name: 'after -5 s', seconds: '-5', sent: 1, endMs: 0 },
  { name: 'after 0 s', seconds: '0', sent: 3, endMs: 2_400 },
  { name: 'after 2 s', seconds: '2', sent: 3, endMs: 4_800 },
  { name: 'after 15 s, the second time beyond 20 s', seconds: '15', sent: 2, endMs: 18_000 },
  { name: 'after 20 s', seconds: '20', sent: 1, endMs: 0 },
])('a GET with the status 503 is repeated when the API asks for it: $name', async (example) => {
  vi.stubGlobal('document', {});
  vi.useFakeTimers();
  // Each wait is a fifth longer.
  vi.spyOn(Math, 'random').mockReturnValue(0.8);
  const { http, requests } = createTransport(unavailable(example.seconds));
  let endMs: number | undefined;
  const start = Date.now();
  const answer = call(http, fetchArtist, ANA).catch((error: unknown) => {
    endMs = Date.now() - start;
    return error;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await answer).toMatchObject({ status: 503, detail: 'Busy' });
  expect(requests).toHaveLength(example.sent);
  expect(endMs).toBe(example.endMs);
});

test.for([
  ['a response', () => new Promise<never>(() => {})],
  ['the rest of a response', () => new Response(new ReadableStream())],
] as const)(
  'a call that waits for %s ends after 20 s with a TimeoutError',
  async ([_, respond]) => {
    vi.stubGlobal('document', {});
    vi.useFakeTimers();
    const { http, requests } = createTransport(respond);
    const answer = call(http, fetchArtist, ANA).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await answer).toMatchObject({ name: 'TimeoutError' });
    expect(requests).toHaveLength(1);
  },
);

test('a deletion completes even if the browser leaves the page (keepalive)', async () => {
  const { http, requests } = createTransport(() => new Response(null, { status: 204 }));
  await call(http, deleteDesign, { path: { design_id: 'one' } });
  expect(requests.map(({ method, keepalive }) => [method, keepalive])).toEqual([['DELETE', true]]);
});

test('each request sends the token, and onUnauthorized reports a refused one', async () => {
  const { http, requests, refused } = createTransport(problem(401, { detail: 'Log in' }), 'one');
  expect(await failureOf(http)).toMatchObject({ status: 401 });
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
