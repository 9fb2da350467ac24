import { expect, test } from 'vitest';
import { startCheckout } from '#contract/endpoints.ts';
import { refuse } from '#domain/refusal.ts';
import { respond } from '#server/api/http_call.ts';
import { artists, route } from '#server/api/route.ts';
import { findRoute } from '#server/api/routes.ts';
import type { Uploader } from '#server/operations/context.ts';
import { createAccessToken } from '#support/access_token.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { addArtist } from '#support/database_rows.ts';
import {
  NOT_FOUND,
  NOT_SIGNED_IN,
  TOO_LARGE,
  UNKNOWN_ID,
  validationMessages,
  validationProblem,
  WRONG_MEDIA_TYPE,
} from '#support/problems.ts';
import { FILLED_FORM, findSlot, openTestApp, requestSlot } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

const MANY_FIELDS = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`f${n}`, 1]));
const JSON_TYPE = { 'Content-Type': 'application/json' };
const CONTACT = 'POST /users/artist/nobody/contact';

const ID_PATH = `/appointments/confirmation/${UNKNOWN_ID}`;

test.each<[call: string, status: number, allow: string | null]>([
  ['GET /nothing', 404, null],
  ['GET /api/v1', 404, null],
  ['GET /api', 404, null],
  ['POST /appointments/request/tattoo', 404, null],
  ['POST /../../healthz', 405, 'GET, HEAD, OPTIONS'],
  ['PUT /openapi.json', 405, 'GET, HEAD, OPTIONS'],
  ['PUT /services/', 405, 'GET, HEAD, POST, OPTIONS'],
  ['PROPFIND /services', 405, 'GET, HEAD, POST, OPTIONS'],
  // Both `/users/me` and `/users/:user_id` have this path.
  ['PUT /users/me', 405, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
  ['GET /login/access-token', 405, 'POST, OPTIONS'],
  ['HEAD /login/access-token', 405, 'POST, OPTIONS'],
  ['DELETE /users/artist/nobody/contact', 405, 'POST, OPTIONS'],
  [`HEAD ${ID_PATH}`, 404, null],
  [`OPTIONS ${ID_PATH}`, 204, 'GET, HEAD, POST, OPTIONS'],
  ['OPTIONS /nothing', 204, null],
  ['OPTIONS /login/access-token', 204, 'POST, OPTIONS'],
])('%s is answered with %i and Allow: %s', async (call, status, allow) => {
  const app = await openTestApp();
  const response = await app.call(call);
  expect([response.status, response.headers.get('Allow')]).toEqual([status, allow]);
  if (status !== 204) expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
});

test('a body is accepted as JSON only with the media type of JSON', async () => {
  const app = await openTestApp();
  const raw = JSON.stringify({ name: 'Rosa', email: 'rosa@example.com', message: 'Hello' });
  const send = (type: string) => app.call(CONTACT, { raw, headers: { 'Content-Type': type } });
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    '',
  ])
    expect(await send(type), type).toMatchObject(WRONG_MEDIA_TYPE);
  for (const type of ['application/json; charset=utf-8', 'Application/JSON'])
    expect(await send(type), type).toMatchObject(NOT_FOUND);
});

test('a body that is missing, invalid JSON or not an object is refused with an error for the body', async () => {
  const app = await openTestApp();
  for (const raw of ['{', 'name=Rosa', '', '{"name":"Rosa",}']) {
    const response = await app.call(CONTACT, { raw, headers: JSON_TYPE });
    expect(response).toMatchObject(validationProblem(['body'], 'Not valid JSON'));
  }
  expect(Object.keys(validationMessages(await app.call(CONTACT)))).toEqual(['body']);
  for (const raw of ['null', '[]', '"x"', '1']) {
    const response = await app.call(CONTACT, { raw, headers: JSON_TYPE });
    expect(Object.keys(validationMessages(response))).toEqual(['body']);
  }
});

test('bytes that are not UTF-8, and halves of surrogate pairs, are refused in bodies, forms and queries', async () => {
  const { app, token } = await openArtistApp();
  const notUtf8 = validationProblem(['body'], 'Not valid UTF-8');
  const latin1 = Buffer.from('{"name":"Zo\xeb"}', 'latin1');
  expect(await app.call(CONTACT, { raw: latin1, headers: JSON_TYPE })).toMatchObject(notUtf8);
  for (const raw of ['{"name":"\\ud83d"}', '{"\\uDC00":1}'])
    expect(await app.call(CONTACT, { raw, headers: JSON_TYPE }), raw).toMatchObject(
      validationProblem(['body'], 'Not valid JSON'),
    );
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const login = { raw: 'username=a@example.com&password=100%25%&x=%e9', headers };
  expect(await app.call('POST /login/access-token', login)).toMatchObject(notUtf8);
  const search = 'GET /clients?search=Zo%eb';
  expect(await app.call(search, { token })).toMatchObject(
    validationProblem(['query'], 'Not valid UTF-8'),
  );
  expect(await app.call(search)).toMatchObject(NOT_SIGNED_IN);
  expect((await app.call('GET /users/me?search=Zo%eb', { token })).status).toBe(200);
});

test('an answer lists at most twenty errors, however many a body has', async () => {
  const { app, token } = await openArtistApp();
  const unknown = await app.call<{ detail: object[] }>(CONTACT, { json: MANY_FIELDS });
  const ids = Array.from({ length: 100 }, () => 'x');
  const wrong = await app.call<{ detail: object[] }>('POST /users/me/messages/read', {
    ...{ token, json: { ids } },
  });
  for (const { status, body } of [unknown, wrong])
    expect([status, body.detail.length]).toEqual([422, 20]);
});

test('a body above the bound of its route is refused as too large, with and without Content-Length', async () => {
  const app = await openTestApp();
  const chunk = new TextEncoder().encode('x'.repeat(64 * 1024));
  const endless = () => new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
  const large = JSON.stringify({ name: 'x'.repeat(300_000) });
  const withLength = { ...JSON_TYPE, 'Content-Length': '300000' };
  expect(await app.call(CONTACT, { raw: endless(), headers: JSON_TYPE })).toMatchObject(TOO_LARGE);
  expect(await app.call(CONTACT, { raw: large, headers: JSON_TYPE })).toMatchObject(TOO_LARGE);
  expect(await app.call(CONTACT, { raw: '{}', headers: withLength })).toMatchObject(TOO_LARGE);
  const form = { username: 'rosa@example.com', password: 'x'.repeat(300_000) };
  expect(await app.call('POST /login/access-token', { form })).toMatchObject(TOO_LARGE);
  const withinLimit = { ...FILLED_FORM, customer_notes: 'x'.repeat(20_000) };
  const invalid = await app.call('POST /appointments/request/design?username=nobody', {
    json: withinLimit,
  });
  expect(Object.keys(validationMessages(invalid))).toEqual(['body.customer_notes']);
  expect(app.logged).toEqual([]);
});

test('a request is checked for its token first, then media type and size, then validity, then existence', async () => {
  const { app, token } = await openArtistApp();
  const path = `PATCH /appointments/${UNKNOWN_ID}`;
  const text = { raw: 'x', headers: { 'Content-Type': 'text/plain' } };
  const large = { raw: 'x'.repeat(300_000), headers: JSON_TYPE };
  const wrong = { json: { status: 'lost' } };
  for (const body of [text, large, wrong]) {
    const response = await app.call(path, body);
    expect(response).toMatchObject(NOT_SIGNED_IN);
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
  }
  const request = 'POST /appointments/request/service';
  expect(await app.call(request, text)).toMatchObject(WRONG_MEDIA_TYPE);
  expect(await app.call(request, large)).toMatchObject(TOO_LARGE);
  expect(await app.call(path, { token, ...text })).toMatchObject(WRONG_MEDIA_TYPE);
  expect(await app.call(path, { token, ...large })).toMatchObject(TOO_LARGE);
  expect((await app.call(path, { token, ...wrong })).status).toBe(422);
  const valid = { status: 'cancelled', version: 7 };
  expect(await app.call(path, { token, json: valid })).toMatchObject(NOT_FOUND);
  const unknown = await app.call(`${request}?username=nobody`, { json: {} });
  expect(unknown.status).toBe(422);
});

test('a missing service or design (404) is reported before a conflict', async () => {
  const { app, artist } = await openArtistApp({}, { scheduling_type: 'managed' });
  const slot = await findSlot(app, artist);
  for (const missing of [{ service_id: UNKNOWN_ID }, { design_id: UNKNOWN_ID }])
    expect(await requestSlot(app, artist, slot, missing)).toMatchObject(NOT_FOUND);
});

test('all errors of query, headers and body are reported in one response', async () => {
  const app = await openTestApp();
  const long = 'a'.repeat(101);
  const response = await app.call(`POST /appointments/request/service?username=${long}`, {
    json: { ...FILLED_FORM, service_id: 'flash', start: 'soon', end: 'later' },
    headers: { 'Idempotency-Key': 'x' },
  });
  expect(Object.keys(validationMessages(response)).sort()).toEqual([
    'body.end',
    'body.service_id',
    'body.start',
    'header.idempotency-key',
    'query.username',
  ]);
});

test('API responses have Cache-Control: no-store', async () => {
  const { app, username, token } = await openArtistApp();
  for (const [call, status] of [
    [`GET /users/artist/${username}`, 200],
    ['GET /users/me', 200],
    ['GET /nothing', 404],
    ['GET /healthz', 200],
    ['GET /healthz/nothing', 404],
    ['POST /users/signup', 422],
  ] as const) {
    const response = await app.call(call, { token });
    expect(response.status).toBe(status);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  }
});

test('rate limits are separate by client network and path, and refusals have Retry-After', async () => {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const spend = (address: string, path = '/login/access-token') =>
    app.call(`POST ${path}`, { address });
  const statuses = [];
  for (let n = 0; n < 22; n += 1) statuses.push((await spend('192.0.2.7')).status);
  expect(statuses).toEqual([...Array(20).fill(422), 429, 429]);
  const refused = await spend('192.0.2.7');
  expect(refused.body).toStrictEqual({
    detail: 'Too many tries. Please try again in 1 minute.',
    reason: 'rate_limited',
  });
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(60);
  expect((await spend('198.51.100.8')).status).toBe(422);
  expect((await spend('192.0.2.7', '/users/signup')).status).toBe(422);
  expect((await app.call('GET /users/artist/nobody', { address: '192.0.2.7' })).status).toBe(404);
  expect(app.logged).toEqual([]);
});

test.each([
  ['POST /users/signup', 20],
  ['POST /users/artist/nobody/contact', 20],
  ['POST /users/artist/nobody/links', 20],
  ['POST /appointments/request/service', 300],
  [`POST /appointments/confirmation/${UNKNOWN_ID}`, 300],
])('%s has a rate limit of %i a minute', async (call, limit) => {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const responses = await Promise.all(Array.from({ length: limit + 5 }, () => app.call(call)));
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(5);
});

test('a proof that is undefined is refused like one without a password', async () => {
  const { context } = await openTestContext();
  const { id } = await addArtist(context.database);
  const token = await createAccessToken(context.database, context.tokenKeys, id);
  // The types exclude it.
  const ownerProof = () => Reflect.get({}, 'proof');
  const handle = async () => ({ url: '/' });
  const checked = route(startCheckout, artists, { summary: '', input: {}, ownerProof, handle });
  const request = new Request('http://localhost', {
    headers: { Authorization: `Bearer ${token}` },
  });
  const call = { path: {}, network: '192.0.2.0/24' };
  await expect(respond(checked, context, request, call)).rejects.toThrow('Password is required');
});

test('an upload counts for its artist, and by whether their email is proven', async () => {
  const uploaders: Uploader[] = [];
  const uploadSpace = {
    open: (uploader: Uploader) => {
      uploaders.push(uploader);
      throw refuse('uploads_full');
    },
  };
  const { context } = await openTestContext({ uploadSpace });
  const avatar = findRoute({ method: 'PATCH', path: '/users/me/avatar' });
  const proven = await addArtist(context.database);
  const unproven = await addArtist(context.database, { email_proven_at: null });
  for (const { id } of [proven, unproven]) {
    const token = await createAccessToken(context.database, context.tokenKeys, id);
    const request = new Request('http://localhost', {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${token}` },
      body: new FormData(),
    });
    await expect(
      respond(avatar, context, request, { path: {}, network: '192.0.2.0/24' }),
    ).rejects.toMatchObject({
      reason: 'uploads_full',
    });
  }
  expect(uploaders).toMatchObject([
    { id: proven.id, isEmailProven: true },
    { id: unproven.id, isEmailProven: false },
  ]);
});
