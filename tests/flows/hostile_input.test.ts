import { expect, test } from 'vitest';
import { openArtistApp } from '#support/artist_app.ts';
import { createSignup, type TestArtist } from '#support/new_artist.ts';
import { FILLED_FORM, openTestApp, type TestApp } from '#support/test_app.ts';

/** Request bodies that no call expects. */
const BODIES = [
  '',
  'null',
  '0',
  '1e999',
  '"email"',
  '{}',
  '{',
  '{"email":',
  '{"__proto__":{"email":"rosa@example.com"}}',
  '{"constructor":{"prototype":{"email":"x"}}}',
  '{"toString":1,"hasOwnProperty":2,"email":{"toString":3}}',
  '{"email":"\\ud800"}',
  '{"\\u0000":"\\u0000"}',
  '\u0000',
  '\ufeff{}',
  '['.repeat(100_000),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `{${Array.from({ length: 5000 }, (_, n) => `"k${n}":${n}`).join(',')}}`,
];

/** Values that replace each field in turn. */
const VALUES: readonly unknown[] = [
  null,
  0,
  1e308,
  2_147_483_648,
  '',
  '\u0000',
  'NUL \u0000 inside',
  '\ud800',
  '💉'.repeat(40),
  'x'.repeat(100_000),
  '%00%ff',
  '__proto__',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:00Z',
  '2030-06-01T10:00:00+24:00',
  '-271821-04-20',
  '24:00',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  [],
  [[[[]]]],
  Array(3000).fill(null),
  {},
  { toString: null },
];

const TIMES = { start: '2030-06-01T10:00:00Z', end: '2030-06-01T10:59:00Z' };
const WINDOWS = [{ start: '10:00', end: '12:00' }];

const HUNDREDS_OF_BODIES_MS = 120_000;

/** The calls that take JSON, each with a valid body. */
const CALLS: [string, (artist: TestArtist) => Record<string, unknown>][] = [
  [
    'POST /appointments/request/service?username=USERNAME',
    ({ service }) => ({ ...FILLED_FORM, service_id: service.id, design_id: null, ...TIMES }),
  ],
  ['POST /appointments/request/design?username=USERNAME', () => ({ ...FILLED_FORM })],
  [
    'POST /users/signup',
    () => createSignup({ email: 'new@example.com', full_name: 'New', username: 'new-artist' }),
  ],
  [
    'PATCH /users/me/schedule',
    () => ({
      weekly: [{ weekday: 1, windows: WINDOWS }],
      exceptions: [{ date: '2030-06-01', windows: WINDOWS }],
      slot_interval_minutes: 30,
      buffer_minutes: 0,
      minimum_notice_minutes: 0,
    }),
  ],
  [
    'PATCH /users/me/booking_range',
    () => ({ kind: 'fixed', start: '2030-01-01', end: '2030-02-01' }),
  ],
  [
    'POST /users/artist/USERNAME/contact',
    () => ({ name: 'Rosa', email: 'rosa@example.com', message: 'Hello' }),
  ],
  ['POST /users/artist/USERNAME/links', () => ({ email: 'rosa@example.com' })],
  [
    'PATCH /users/me',
    () => ({
      full_name: 'New',
      about_me: 'I draw.',
      facebook: 'rosa',
      instagram: '@rosa',
      scheduling_type: 'service',
      studio: { name: 'Studio', time_zone: 'UTC' },
    }),
  ],
  [
    'POST /services',
    () => ({ name: 'Flash', description: 'Small', duration: 60, is_available: true }),
  ],
  [
    'POST /appointments',
    ({ service }) => ({
      client: { first_name: 'Rosa', email: 'rosa@example.com', phone_number: '2125550100' },
      service_id: service.id,
      design_id: null,
      customer_notes: 'By phone',
      ...TIMES,
    }),
  ],
];

test.each(CALLS)(
  'no request body causes a 5xx: %s',
  async (route, createBody) => {
    const app = await openTestApp();
    const artist = await app.newArtist({
      scheduling_type: route.includes('design') ? 'managed' : 'service',
    });
    const { token } = artist;
    const call = route.replace('USERNAME', artist.username);
    const valid = createBody(artist);
    const failures: unknown[] = [];
    const bodies = [
      ...BODIES.map((raw) => ({ raw, headers: { 'Content-Type': 'application/json' } })),
      ...withHostileValues(valid).map((json) => ({ json })),
    ];
    for (const body of bodies) {
      const { status } = await app.call(call, { token, ...body });
      if (status >= 500) failures.push([status, JSON.stringify(body).slice(0, 200)]);
    }
    expect(failures).toEqual([]);
    expect(app.logged).toEqual([]);
    expect(await stillWorks(app, artist)).toBe(true);
  },
  HUNDREDS_OF_BODIES_MS,
);

test('malformed login forms give 400, 413 or 422', async () => {
  const app = await openTestApp();
  const texts = [
    ...BODIES,
    'username=%',
    'username=%ff&password=%00',
    'username=rosa%00@example.com&password=x',
    'username=rosa@example.com&password=%00',
    'username=rosa@example.com&password=%ed%a0%80',
    `username=rosa@example.com&password=${'x'.repeat(100_000)}`,
    `username=${'a'.repeat(100_000)}@example.com&password=x`,
    'username[]=a&username[]=b&password=x',
    'username=a@b.co&username=c@d.co&password=x&password=y',
    '&&&===',
  ];
  for (const raw of texts) {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const { status } = await app.call('POST /login/access-token', { raw, headers });
    expect([400, 413, 422], raw.slice(0, 80)).toContain(status);
  }
  expect(app.logged.filter((line) => !line.startsWith('Login: A login failed'))).toEqual([]);
});

test('no malformed path or query causes a 5xx', async () => {
  const { app, token } = await openArtistApp();
  const malformed = [
    '%00',
    '%ff',
    '%',
    '%2e%2e',
    '..%2f..',
    '%f0%9f%92%89',
    "'",
    '"',
    '\\',
    'a'.repeat(5000),
  ];
  const paths = malformed.flatMap((part) => [
    `/users/artist/${part}`,
    `/services/${part}`,
    `/services/${part}/available`,
    `/services/${part}/availability?year=2030&month=1`,
    `/designs/${part}`,
    `/appointments/${part}`,
    `/appointments/confirmation/${part}`,
    `/images/artist-portfolio?username=${part}`,
    `/appointments?status=${part}`,
    `/services?skip=${part}&limit=${part}`,
    `/users/availability?year=${part}&month=${part}`,
    `/appointments/schedule?start=${part}&end=${part}`,
  ]);
  for (const path of [
    ...paths,
    '/services?skip=1e9&limit=200',
    '/services?skip=1&skip=2&limit[]=3',
  ]) {
    const { status } = await app.call(`GET ${path}`, { token });
    expect(status, path.slice(0, 80)).toBeLessThan(500);
  }
  expect(app.logged).toEqual([]);
});

/** The body with each field in turn, however deep, replaceAt by each hostile value. */
function withHostileValues(valid: Record<string, unknown>): unknown[] {
  return fieldPaths(valid).flatMap((path) => VALUES.map((value) => replaceAt(valid, path, value)));
}

function fieldPaths(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...fieldPaths(inner).map((path) => [key, ...path]),
  ]);
}

function replaceAt(value: unknown, [key, ...rest]: string[], hostile: unknown): unknown {
  if (key === undefined) return hostile;
  const copy = structuredClone(value);
  if (typeof copy === 'object' && copy !== null)
    Reflect.set(copy, key, replaceAt(Reflect.get(copy, key), rest, hostile));
  return copy;
}

async function stillWorks(app: TestApp, { username, token }: TestArtist): Promise<boolean> {
  const responses = await Promise.all([
    app.call('GET /users/me', { token }),
    app.call(`GET /users/artist/${username}`),
    app.call('GET /appointments', { token }),
  ]);
  return responses.every(({ status }) => status === 200);
}
