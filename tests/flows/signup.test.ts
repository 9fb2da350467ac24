import { expect, test } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import { updateArtist } from '#server/database/artists.ts';
import { replaceUsername } from '#server/database/former_usernames.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { createSignup } from '#support/new_artist.ts';
import { validationMessages } from '#support/problems.ts';
import { NEW_YORK } from '#support/sample_people.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

const SIGNUP = createSignup({
  ...{ email: 'Rosa@Example.com', full_name: 'Rosa Quint', username: 'Rosa-Ink' },
  ...{ studio_name: 'Quint Tattoo', address_two: 'Floor 2' },
});

function postSignUp(app: TestApp, changes: Record<string, unknown> = {}) {
  return app.call<CurrentArtist>('POST /users/signup', { json: { ...SIGNUP, ...changes } });
}

test('signing up returns the complete account of the artist', async () => {
  const app = await openTestApp({ database: 'own' });
  const { status, body } = await postSignUp(app);
  expect(status).toBe(201);
  expect(body).toStrictEqual({
    id: body.id,
    username: 'rosa-ink',
    full_name: 'Rosa Quint',
    avatar_url: null,
    avatar_sources: [],
    email: 'Rosa@Example.com',
    facebook_url: null,
    instagram_url: null,
    about_me: null,
    styles: [],
    scheduling_type: null,
    studio: {
      name: 'Quint Tattoo',
      ...NEW_YORK,
      address_two: 'Floor 2',
      offsets: body.studio.offsets,
    },
    schedule: {
      weekly: [],
      exceptions: [],
      slot_interval_minutes: 30,
      buffer_minutes: 0,
      minimum_notice_minutes: 120,
      client_cancel_notice_hours: 48,
      client_move_notice_hours: null,
    },
    booking_range: { kind: 'rolling', days: 60 },
    is_active: true,
    is_superuser: false,
    reminder_hours: [72, 24],
    confirm_by_mail: false,
    is_listed: true,
    email_proven: false,
    public_email: { kind: 'account' },
    pending_email: null,
    country: 'US',
    currency: 'USD',
    booking_policy: '',
    deposit: null,
    subscription: null,
    taking_bookings: true,
    books: { is_open: true, opens_at: null, draw: null, state: null },
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  });
});

test('of ten concurrent signups with one username, one succeeds', async () => {
  const app = await openTestApp({ database: 'own' });
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, n) => postSignUp(app, { email: `rosa${n}@example.com` })),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  expect(app.logged).toEqual([]);
});

test('every missing or blank required field gets its own message', async () => {
  const app = await openTestApp({ database: 'own' });
  const required = {
    'body.email': 'Email is required',
    'body.full_name': 'Full Name is required',
    'body.password': 'Password is required',
    'body.confirm_password': 'Password confirmation is required',
    'body.username': 'Username is required',
    'body.studio_name': 'Studio name is required',
    'body.address_one': 'Address is required',
    'body.city': 'City is required',
    'body.state': 'State is required',
    'body.zip_code': 'Zip code is required',
    'body.time_zone': 'Time zone is required',
  };
  const blank = Object.fromEntries(Object.keys(SIGNUP).map((field) => [field, '']));
  const spaces = { ...blank, full_name: '  ', studio_name: ' ', city: ' ' };
  const empty = Object.fromEntries(Object.keys(SIGNUP).map((field) => [field, null]));
  for (const json of [{}, blank, spaces, empty])
    expect(validationMessages(await app.call('POST /users/signup', { json }))).toEqual(required);
});

const UNAVAILABLE = 'This username is not available';
const PATTERN =
  'Use letters, digits, dots, dashes and underscores, with a letter or digit at both ends, and no file ending such as .txt';
const INVALID: [string, unknown, string][] = [
  ['email', 'rosa', 'Invalid email address'],
  ['email', 'rosa@example', 'Invalid email address'],
  ['password', '1234567', 'Password must be at least 8 characters'],
  ['confirm_password', 'something else', 'The passwords do not match'],
  ['username', 'ab', 'Must be at least 3 characters'],
  ['username', 'a'.repeat(31), 'Must be at most 30 characters'],
  ['username', '@rosa.css', PATTERN],
  ['username', 'Login', UNAVAILABLE],
  ['time_zone', 'Mars/Olympus', 'Must be an IANA time zone'],
  ['time_zone', '+02:00', 'Must be an IANA time zone'],
  ['is_superuser', true, 'Unknown field'],
  ['full_name', 'Ro\u0000sa', 'Must not contain NUL characters'],
];

test('an invalid signup gets a message for the invalid field, and stores nothing', async () => {
  const app = await openTestApp({ database: 'own' });
  for (const [field, value, message] of INVALID) {
    const password = field === 'password' ? { confirm_password: value } : {};
    const response = await postSignUp(app, { [field]: value, ...password });
    expect(validationMessages(response), `${field} ${value}`).toEqual({
      [`body.${field}`]: message,
    });
  }
  expect(await app.database.selectFrom('artists').select('id').execute()).toEqual([]);
});

test('a username is typed with or without @, here and in the address of a call', async () => {
  const app = await openTestApp({ database: 'own' });
  const { body } = await postSignUp(app, { username: ' @Rosa.Tattoo ' });
  expect(body.username).toBe('rosa.tattoo');
  expect(await app.call('GET /users/artist/@rosa.tattoo')).toMatchObject({ body: { id: body.id } });
  const token = await app.superuserToken();
  for (const list of ['/users', '/admin/artists'])
    expect(await app.call(`GET ${list}?search=@rosa.t`, { token })).toMatchObject({
      body: { data: [{ username: 'rosa.tattoo' }] },
    });
});

test('whether a username is free is answered with the sentence that a sign-up would refuse it with', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ username: 'dr.woo' });
  await updateArtist(app.database, artist.self.id, { is_active: false });
  await inTransaction(app.database, replaceUsername, artist.self.id, { from: 'woo', to: 'dr.woo' });
  for (const [username, why] of [
    ['mika.tattoo', null],
    ['@mika', null],
    ['@Dr.Woo', 'This username is already taken'],
    ['woo', 'This username is already taken'],
    ['login', UNAVAILABLE],
    ['robots.txt', PATTERN],
    ['ab', 'Must be at least 3 characters'],
  ]) {
    const { status, headers, body } = await app.call(`GET /users/names/${username}`);
    expect([status, headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    expect(body, `${username}`).toEqual({ is_free: why === null, why });
  }
});

test('a password may begin and end with a space, and contain non-ASCII characters', async () => {
  const app = await openTestApp({ database: 'own' });
  const password = ' p\u00e4ss\u{1f489} wörd ';
  expect(await postSignUp(app, { password, confirm_password: password })).toMatchObject({
    status: 201,
  });
  const form = { username: 'rosa@example.com', password };
  expect(await app.call('POST /login/access-token', { form })).toMatchObject({ status: 200 });
});
