import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '#server/config.ts';
import { openTestApp } from '#support/test_app.ts';

const OURS = ['https://book.example.com', 'http://localhost:4321'];
const THEIRS = [
  'https://evil.example',
  'https://book.example.com.evil.example',
  'https://evil-book.example.com',
  'http://book.example.com',
  'https://book.example.com:8443',
  'https://BOOK.example.com',
  'null',
  '*',
];
const PREFLIGHT = {
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
};

const open = () => openTestApp({ database: 'own', allowedOrigins: OURS });

/** What an answer tells browsers of other sites. */
function toldTo(headers: Headers): string[] {
  return [...headers.keys()].filter((name) => name.startsWith('access-control-'));
}

function varies(headers: Headers): string[] {
  return (headers.get('Vary') ?? '').toLowerCase().split(/, */);
}

test.each([
  ['GET /services', 401],
  ['GET /users/artist/nobody', 404],
  ['POST /users/signup', 422],
  ['GET /nothing', 404],
  ['GET /openapi.json', 200],
])('%s is readable for allowed sites, with credentials, and for no other', async (what, status) => {
  const app = await open();
  for (const Origin of OURS) {
    const { headers, ...answer } = await app.call(what, { headers: { Origin } });
    expect(answer.status).toBe(status);
    expect(headers.get('Access-Control-Allow-Origin')).toBe(Origin);
    expect(headers.get('Access-Control-Allow-Credentials')).toBe('true');
    expect(varies(headers)).toContain('origin');
  }
  for (const Origin of THEIRS) {
    const { headers, ...answer } = await app.call(what, { headers: { Origin } });
    expect(answer.status).toBe(status);
    expect(toldTo(headers), Origin).toEqual([]);
    // Or a cache would hand our answer to them, and theirs to us.
    expect(varies(headers)).toContain('origin');
  }
  const { headers } = await app.call(what);
  expect(toldTo(headers)).toEqual([]);
  expect(varies(headers)).toContain('origin');
});

test('an answer that came of a fault or of too many tries is readable for allowed sites too', async () => {
  const app = await openTestApp({ database: 'own', allowedOrigins: OURS, rateLimit: true });
  const call = () =>
    app.call('POST /login/access-token', {
      form: { username: 'ana@example.com', password: 'no' },
      headers: { Origin: OURS[0] ?? '' },
    });
  const statuses: number[] = [];
  while (!statuses.includes(429) && statuses.length < 100) {
    const { status, headers } = await call();
    statuses.push(status);
    expect(headers.get('Access-Control-Allow-Origin')).toBe(OURS[0]);
    expect(headers.get('Access-Control-Expose-Headers')).toBe('Retry-After');
  }
  expect(statuses).toContain(429);
  await app.database.destroy();
  const { status, headers } = await app.call('GET /users/artist/ana', {
    headers: { Origin: OURS[0] ?? '' },
  });
  expect(status).toBeGreaterThanOrEqual(500);
  expect(headers.get('Access-Control-Allow-Origin')).toBe(OURS[0]);
});

test('a browser on an allowed site may send every method and header that the API takes', async () => {
  const app = await open();
  for (const Origin of OURS)
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      const { status, headers } = await app.call('OPTIONS /services', {
        headers: { Origin, ...PREFLIGHT, 'Access-Control-Request-Method': method },
      });
      expect(status).toBe(204);
      expect(headers.get('Access-Control-Allow-Origin')).toBe(Origin);
      expect(headers.get('Access-Control-Allow-Credentials')).toBe('true');
      expect(headers.get('Access-Control-Allow-Methods')?.split(',')).toContain(method);
      for (const name of PREFLIGHT['Access-Control-Request-Headers'].split(','))
        expect(headers.get('Access-Control-Allow-Headers')).toContain(name);
      // Asked before every call, it would cost each of them a round trip.
      expect(Number(headers.get('Access-Control-Max-Age'))).toBeGreaterThan(600);
      expect(varies(headers)).toContain('origin');
    }
});

test('a browser on any other site may send nothing that it must ask for', async () => {
  const app = await open();
  for (const Origin of THEIRS) {
    const { headers } = await app.call('OPTIONS /services', {
      headers: { Origin, ...PREFLIGHT },
    });
    expect(toldTo(headers), Origin).toEqual([]);
    expect(varies(headers)).toContain('origin');
  }
});

test('allowed origins are written as browsers write them, however they were typed', () => {
  const read = (ALLOWED_ORIGINS: string) => readConfig({ ALLOWED_ORIGINS }).allowedOrigins;
  expect(read('https://Book.Example.com/, https://two.example:443,http://localhost:4321')).toEqual([
    'https://book.example.com',
    'https://two.example',
    'http://localhost:4321',
  ]);
  expect(readConfig({ SITE_URL: 'https://book.example.com/' }).allowedOrigins).toEqual([
    'https://book.example.com',
  ]);
  for (const wrong of ['*', 'book.example.com', 'https://a.example https://b.example', 'null'])
    expect(() => read(wrong), wrong).toThrow(ConfigError);
});
