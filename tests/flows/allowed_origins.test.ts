import { expect, test } from 'vitest';
import { readConfig } from '#server/settings/config.ts';
import { openTestApp } from '#support/test_app.ts';

const ALLOWED = ['https://book.example.com', 'http://localhost:4321'];
const FOREIGN = [
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

const openApp = () => openTestApp({ database: 'own', allowedOrigins: ALLOWED });

function corsHeaders(headers: Headers): string[] {
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
])(
  'the response to %s is readable by allowed origins, with credentials, and by no other',
  async (route, status) => {
    const app = await openApp();
    for (const Origin of ALLOWED) {
      const { headers, ...response } = await app.call(route, { headers: { Origin } });
      expect(response.status).toBe(status);
      expect(headers.get('Access-Control-Allow-Origin')).toBe(Origin);
      expect(headers.get('Access-Control-Allow-Credentials')).toBe('true');
      expect(varies(headers)).toContain('origin');
    }
    for (const Origin of FOREIGN) {
      const { headers, ...response } = await app.call(route, { headers: { Origin } });
      expect(response.status).toBe(route.startsWith('POST') ? 403 : status);
      expect(corsHeaders(headers), Origin).toEqual([]);
      // Without Vary, a cache would serve the response for one origin to another.
      expect(varies(headers)).toContain('origin');
    }
    const { headers } = await app.call(route);
    expect(corsHeaders(headers)).toEqual([]);
    expect(varies(headers)).toContain('origin');
  },
);

test('429 and server error responses are readable by allowed origins too', async () => {
  const app = await openTestApp({ database: 'own', allowedOrigins: ALLOWED, rateLimit: true });
  const call = () =>
    app.call('POST /login/access-token', {
      form: { username: 'ana@example.com', password: 'no' },
      headers: { Origin: ALLOWED[0] ?? '' },
    });
  const statuses: number[] = [];
  while (!statuses.includes(429) && statuses.length < 100) {
    const { status, headers } = await call();
    statuses.push(status);
    expect(headers.get('Access-Control-Allow-Origin')).toBe(ALLOWED[0]);
    expect(headers.get('Access-Control-Expose-Headers')).toBe('Retry-After,Date');
  }
  expect(statuses).toContain(429);
  await app.database.destroy();
  const { status, headers } = await app.call('GET /users/artist/ana', {
    headers: { Origin: ALLOWED[0] ?? '' },
  });
  expect(status).toBeGreaterThanOrEqual(500);
  expect(headers.get('Access-Control-Allow-Origin')).toBe(ALLOWED[0]);
});

test('preflight requests permit allowed origins every method and header of the API, and others nothing', async () => {
  const app = await openApp();
  for (const Origin of ALLOWED)
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
      // Without it, each call would cost an extra round trip for its preflight.
      expect(Number(headers.get('Access-Control-Max-Age'))).toBeGreaterThan(600);
      expect(varies(headers)).toContain('origin');
    }
  for (const Origin of FOREIGN) {
    const { headers } = await app.call('OPTIONS /services', { headers: { Origin, ...PREFLIGHT } });
    expect(corsHeaders(headers), Origin).toEqual([]);
    expect(varies(headers)).toContain('origin');
  }
});

test('configured origins are normalized to the form that browsers send', () => {
  const read = (ALLOWED_ORIGINS: string) => readConfig({ ALLOWED_ORIGINS }).allowedOrigins;
  expect(read('https://Book.Example.com/, https://two.example:443,http://localhost:4321')).toEqual([
    'https://book.example.com',
    'https://two.example',
    'http://localhost:4321',
  ]);
  expect(readConfig({ SITE_URL: 'https://book.example.com/' }).allowedOrigins).toEqual([
    'https://book.example.com',
  ]);
});
