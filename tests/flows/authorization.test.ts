import { decodeJwt, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { loadAllRows } from '#support/app_rows.ts';
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

/** Tokens that are good for nothing. */
async function badTokens({ owner }: TableFixture): Promise<string[]> {
  const { sub = '', version } = decodeJwt(owner.token);
  const sign = (secret: string, ended: string, ofVersion: unknown) =>
    new SignJWT({ version: ofVersion })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(sub)
      .setAudience('access')
      .setIssuedAt()
      .setExpirationTime(ended)
      .sign(new TextEncoder().encode(secret));
  const ours = 'a secret that only tests know';
  return [
    'garbage',
    await sign(ours, '-1 minute', version),
    await sign(ours, '1 day', Number(version) - 1),
    await sign('a secret that nobody knows', '1 day', version),
  ];
}

test('the table names every operation, and none that is gone', async () => {
  const app = await openTestApp();
  const document = await expectOk(app.call<{ paths: Record<string, object> }>('GET /openapi.json'));
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path.replace('/api/v1', '')}`),
  );
  expect(Object.keys(AUTHORIZATION_TABLE).sort()).toEqual(operations.sort());
});

test('no token, and none that is good for nothing, makes a call that is not for everyone', async () => {
  const world = await openTableFixture();
  const before = await loadAllRows(world.app);
  const tokens = [undefined, ...(await badTokens(world))];
  for (const entry of AUTHORIZATION_RULES) {
    if (entry[1].access === 'public') continue;
    for (const token of tokens) {
      const answer = await makeCall(world, entry, token);
      expect(answer, `${entry[0]} with ${token}`).toMatchObject(NOT_SIGNED_IN);
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
    }
  }
  expect(await loadAllRows(world.app)).toBe(before);
});

test('a call for everyone does not look at a token', async () => {
  const world = await openTableFixture();
  const [bad] = await badTokens(world);
  for (const entry of AUTHORIZATION_RULES) {
    if (entry[1].access !== 'public') continue;
    for (const token of [undefined, bad]) {
      const { status, body } = await makeCall(world, entry, token);
      const where = `${entry[0]} with ${token}: ${JSON.stringify(body)}`;
      if (entry[1].status === undefined) expect(status, where).toBeLessThan(300);
      else expect(status, where).toBe(entry[1].status);
    }
  }
});

test('artists are not allowed what superusers are', async () => {
  const world = await openTableFixture();
  const before = await loadAllRows(world.app);
  for (const entry of AUTHORIZATION_RULES)
    if (entry[1].access === 'superuser')
      expect(await makeCall(world, entry, world.owner.token), entry[0]).toMatchObject(NOT_ALLOWED);
  expect(await loadAllRows(world.app)).toBe(before);
});

test("what is another artist's is not there, and stays as it is", async () => {
  const world = await openTableFixture();
  const before = await loadAllRows(world.app);
  for (const entry of AUTHORIZATION_RULES)
    if (entry[1].access === 'object')
      for (const token of [world.stranger.token, world.superuser])
        expect(await makeCall(world, entry, token), entry[0]).toMatchObject(NOT_FOUND);
  expect(await loadAllRows(world.app)).toBe(before);
});

test('whoever may make a call makes it', async () => {
  const world = await openTableFixture();
  for (const entry of AUTHORIZATION_RULES) {
    const [operation, { access: who, status }] = entry;
    if (who === 'public') continue;
    const artist = await findCaller(world, entry);
    const answer = await makeCall(
      world,
      entry,
      who === 'superuser' ? world.superuser : artist.token,
    );
    const where = `${operation}: ${JSON.stringify(answer.body)}`;
    if (status === undefined) expect(answer.status, where).toBeLessThan(300);
    else expect(answer.status, where).toBe(status);
  }
});
