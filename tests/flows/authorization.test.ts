import { decodeJwt, SignJWT } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { leaveOneConnection, loadAllRows } from '#support/app_rows.ts';
import {
  AUTHORIZATION_RULES,
  AUTHORIZATION_TABLE,
  findCaller,
  makeCall,
  openTableFixture,
  type TableFixture,
} from '#support/authorization_table.ts';
import { expectOk } from '#support/call_api.ts';
import { NOT_FOUND, NOT_SIGNED_IN } from '#support/problems.ts';
import { openTestApp } from '#support/test_app.ts';

const NOT_ALLOWED = { status: 403, body: { detail: 'You are not allowed to do that' } };

/** Malformed, expired, revoked, and signed with a wrong secret. */
async function createInvalidTokens({ owner }: TableFixture): Promise<string[]> {
  const { sub = '', jti = '', version } = decodeJwt(owner.token);
  const sign = (secret: string, expiry: string, tokenVersion: unknown) =>
    new SignJWT({ version: tokenVersion })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(sub)
      .setJti(jti)
      .setAudience('access')
      .setIssuedAt()
      .setExpirationTime(expiry)
      .sign(new TextEncoder().encode(secret));
  const ourSecret = 'a secret that only tests know';
  return [
    'garbage',
    await sign(ourSecret, '-1 minute', version),
    await sign(ourSecret, '1 day', Number(version) - 1),
    await sign('a secret that nobody knows', '1 day', version),
  ];
}

test('the authorization table lists exactly the operations of the API', async () => {
  const app = await openTestApp();
  const document = await expectOk(app.call<{ paths: Record<string, object> }>('GET /openapi.json'));
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path.replace('/api/v1', '')}`),
  );
  expect(Object.keys(AUTHORIZATION_TABLE).sort()).toEqual(operations.sort());
});

test('calls that are not public are refused with 401 without a valid token', async () => {
  const fixture = await openTableFixture();
  const before = await loadAllRows(fixture.app);
  const tokens = [undefined, ...(await createInvalidTokens(fixture))];
  for (const entry of AUTHORIZATION_RULES) {
    if (entry[1].access === 'public') continue;
    for (const token of tokens) {
      const response = await makeCall(fixture, entry, token);
      expect(response, `${entry[0]} with ${token}`).toMatchObject(NOT_SIGNED_IN);
      expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
    }
  }
  expect(await loadAllRows(fixture.app)).toBe(before);
});

test('public calls ignore an invalid token', async () => {
  const fixture = await openTableFixture();
  const [invalid] = await createInvalidTokens(fixture);
  for (const entry of AUTHORIZATION_RULES) {
    if (entry[1].access !== 'public') continue;
    for (const token of [undefined, invalid]) {
      const { status, body } = await makeCall(fixture, entry, token);
      const where = `${entry[0]} with ${token}: ${JSON.stringify(body)}`;
      if (entry[1].status === undefined) expect(status, where).toBeLessThan(300);
      else expect(status, where).toBe(entry[1].status);
    }
  }
});

test('artists are refused calls for superusers', async () => {
  const fixture = await openTableFixture();
  const before = await loadAllRows(fixture.app);
  for (const entry of AUTHORIZATION_RULES)
    if (entry[1].access === 'superuser')
      expect(await makeCall(fixture, entry, fixture.owner.token), entry[0]).toMatchObject(
        NOT_ALLOWED,
      );
  expect(await loadAllRows(fixture.app)).toBe(before);
});

test('calls on an object of another artist give 404 and change nothing, also for superusers', async () => {
  const fixture = await openTableFixture();
  const before = await loadAllRows(fixture.app);
  for (const entry of AUTHORIZATION_RULES)
    if (entry[1].access === 'object')
      for (const token of [fixture.stranger.token, fixture.superuser])
        expect(await makeCall(fixture, entry, token), entry[0]).toMatchObject(NOT_FOUND);
  expect(await loadAllRows(fixture.app)).toBe(before);
});

test('every call succeeds for an allowed caller, with one connection to the database at a time', async () => {
  const fixture = await openTableFixture();
  onTestFinished(await leaveOneConnection(fixture.app));
  for (const entry of AUTHORIZATION_RULES) {
    const [operation, { access, status }] = entry;
    if (access === 'public') continue;
    const artist = await findCaller(fixture, entry);
    const response = await makeCall(
      fixture,
      entry,
      access === 'superuser' ? fixture.superuser : artist.token,
    );
    const where = `${operation}: ${JSON.stringify(response.body)}`;
    if (status === undefined) expect(response.status, where).toBeLessThan(300);
    else expect(response.status, where).toBe(status);
  }
});
