import { expect, test } from 'vitest';
import { PASSWORD, type TestArtist } from '#support/new_artist.ts';
import { FILLED_FORM, openTestApp, type TestApp } from '#support/test_app.ts';

/** Texts that no call expects; sent as whole bodies. */
const BODIES = [
  '',
  ' ',
  'null',
  'true',
  '0',
  '-0',
  '1e999',
  '""',
  '"email"',
  '[]',
  '[[],{}]',
  '{}',
  '{',
  '{"email":',
  '{"email":undefined}',
  "{'email':'rosa@example.com'}",
  '{"a":1,"a":2}',
  '{"__proto__":{"email":"rosa@example.com"}}',
  '{"constructor":{"prototype":{"email":"x"}}}',
  '{"toString":1,"hasOwnProperty":2,"email":{"toString":3}}',
  '{"":""}',
  '{"email":"\\ud800"}',
  '{"\\u0000":"\\u0000"}',
  '\u0000',
  '\ufeff{}',
  '<xml/>',
  '['.repeat(100_000),
  '['.repeat(50_000) + ']'.repeat(50_000),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `{${Array.from({ length: 5000 }, (_, n) => `"k${n}":${n}`).join(',')}}`,
];

/** Values that are put in the place of each field in turn. */
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2_147_483_648,
  '',
  ' ',
  '\u0000',
  'NUL \u0000 inside',
  '\ud800',
  'half a \udc00 pair',
  '\u202eright to left\u202c',
  '💉'.repeat(40),
  'x'.repeat(100_000),
  "'; DROP TABLE artists; --",
  '%00%ff',
  '__proto__',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:00Z',
  '1999-12-31T23:59:00Z',
  '2199-12-31T23:59:00-23:59',
  '2026-02-30T10:00:00Z',
  '2030-06-01T10:00:60Z',
  '2030-06-01T10:00:00+24:00',
  '-271821-04-20',
  '2199-12-31',
  '24:00',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  [],
  [null],
  [[[[]]]],
  Array(3000).fill(null),
  {},
  { toString: null },
  { length: -1 },
];

const TIMES = { start: '2030-06-01T10:00:00Z', end: '2030-06-01T10:59:00Z' };
const WINDOWS = [{ start: '10:00', end: '12:00' }];

/** Every call that takes JSON, with a body that is right. */
const CALLS: [string, (artist: TestArtist) => Record<string, unknown>][] = [
  [
    'POST /appointments/request/service?username=USERNAME',
    ({ service }) => ({ ...FILLED_FORM, service_id: service.id, design_id: null, ...TIMES }),
  ],
  ['POST /appointments/request/design?username=USERNAME', () => ({ ...FILLED_FORM })],
  [
    'POST /users/signup',
    () => ({
      email: 'new@example.com',
      full_name: 'New',
      password: PASSWORD,
      confirm_password: PASSWORD,
      username: 'new-artist',
      studio_name: 'Studio',
      address_one: '1 Street',
      address_two: null,
      city: 'City',
      state: 'ST',
      zip_code: '10001',
      time_zone: 'UTC',
    }),
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

/** Hundreds of bodies for each call are sent by several tests, each of which is short. */
const PARTS = [0, 1, 2, 3];
const PARTS_OF_CALLS = CALLS.flatMap(([what, make]) =>
  PARTS.map((part) => ({
    what,
    make,
    part,
    name: `${what}, part ${part + 1} of ${PARTS.length},`,
  })),
);

test.each(PARTS_OF_CALLS)(
  'nothing sent to $name is answered with a 5xx',
  async ({ what, make, part }) => {
    const app = await openTestApp();
    const artist = await app.newArtist({
      scheduling_type: what.includes('design') ? 'managed' : 'service',
    });
    const { token } = artist;
    const call = what.replace('USERNAME', artist.username);
    const right = make(artist);
    const unanswered: unknown[] = [];
    const answers = [
      ...BODIES.map((raw) => ({ raw, headers: { 'Content-Type': 'application/json' } })),
      ...withHostileValues(right).map((json) => ({ json })),
    ];
    for (const body of answers.filter((_, nth) => nth % PARTS.length === part)) {
      const { status } = await app.call(call, { token, ...body });
      if (status >= 500) unanswered.push([status, JSON.stringify(body).slice(0, 200)]);
    }
    expect(unanswered).toEqual([]);
    expect(app.logged).toEqual([]);
    expect(await stillWorks(app, artist)).toBe(true);
  },
);

test('no login form is answered with a 5xx', async () => {
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
    expect([400, 422], raw.slice(0, 80)).toContain(status);
  }
  expect(app.logged).toEqual([]);
});

test('no address is answered with a 5xx', async () => {
  const app = await openTestApp();
  const { token } = await app.newArtist();
  const odd = [
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
  const paths = odd.flatMap((part) => [
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

/** The body with each field in turn, however deep, replaced by each hostile value. */
function withHostileValues(right: Record<string, unknown>): unknown[] {
  return placesIn(right).flatMap((path) => VALUES.map((value) => replaced(right, path, value)));
}

function placesIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...placesIn(inner).map((path) => [key, ...path]),
  ]);
}

function replaced(value: unknown, [key, ...rest]: string[], hostile: unknown): unknown {
  if (key === undefined) return hostile;
  const copy = structuredClone(value);
  if (typeof copy === 'object' && copy !== null)
    Reflect.set(copy, key, replaced(Reflect.get(copy, key), rest, hostile));
  return copy;
}

async function stillWorks(app: TestApp, { username, token }: TestArtist): Promise<boolean> {
  const answers = await Promise.all([
    app.call('GET /users/me', { token }),
    app.call(`GET /users/artist/${username}`),
    app.call('GET /appointments', { token }),
  ]);
  return answers.every(({ status }) => status === 200);
}
