import { expect, test } from 'vitest';
import type { Artist, ArtistSelf } from '#contract/artist.ts';
import { ensureSuperuser } from '#server/operations/superuser.ts';
import { expectOk } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { openStudio, type Studio } from '#support/studio.ts';
import { complaints, NOT_FOUND } from './answers.ts';
import { addPicture } from './rows.ts';

function changeMe(studio: Studio, { token }: TestArtist, json: Record<string, unknown>) {
  return studio.call<ArtistSelf>('PATCH /users/me', { token, json });
}

test('anyone sees of an artist what their page shows, and nothing more', async () => {
  const studio = await openStudio({ database: 'own' });
  const artist = await studio.artist();
  await changeMe(studio, artist, { about_me: 'I draw.', instagram: '@rosa' });
  const avatar_id = await addPicture(studio, artist, { kind: 'avatar', widths: [96, 192] });
  await studio.database.updateTable('artists').set({ avatar_id }).execute();
  const { status, body } = await studio.call<Artist>(
    `GET /users/artist/${artist.username.toUpperCase()}`,
  );
  expect(status).toBe(200);
  expect(body).toStrictEqual({
    id: artist.self.id,
    username: artist.username,
    full_name: 'An Artist',
    avatar_url: `/media/${avatar_id}/192.webp`,
    avatar_sources: ['avif', 'webp'].map((format) => ({
      type: `image/${format}`,
      srcset: `/media/${avatar_id}/96.${format} 96w, /media/${avatar_id}/192.${format} 192w`,
    })),
    email: `${artist.username}@example.com`,
    facebook_url: null,
    instagram_url: 'https://www.instagram.com/rosa',
    about_me: 'I draw.',
    scheduling_type: 'service',
    studio: {
      name: 'The Studio',
      address_one: '1 Example Street',
      address_two: null,
      city: 'New York',
      state: 'NY',
      zip_code: '10001',
      time_zone: 'America/New_York',
    },
    taking_bookings: true,
  });
});

test('an artist who is unknown or no longer active has no page', async () => {
  const studio = await openStudio({ database: 'own' });
  const { username } = await studio.artist();
  expect(await studio.call('GET /users/artist/nobody-at-all')).toMatchObject(NOT_FOUND);
  await studio.database.updateTable('artists').set({ is_active: false }).execute();
  expect(await studio.call(`GET /users/artist/${username}`)).toMatchObject(NOT_FOUND);
});

test('the superuser is no artist that anyone can look up', async () => {
  const studio = await openStudio({ database: 'own' });
  const parts = {
    database: studio.database,
    images: { put: async () => {}, urlOf: () => '' },
    terms: { holdMinutes: 30, offerHours: 72 },
    secret: new Uint8Array(32),
  };
  await ensureSuperuser(parts, { email: 'root@example.com', password: 'correct horse' });
  const { username } = await studio.database
    .selectFrom('artists')
    .select('username')
    .executeTakeFirstOrThrow();
  const json = { name: 'Rosa', email: 'rosa@example.com', message: 'Hello' };
  for (const answer of [
    await studio.call(`GET /users/artist/${username}`),
    await studio.call(`GET /services/${username}/available`),
    await studio.call(`GET /designs/${username}/available`),
    await studio.call(`GET /images/artist-portfolio?username=${username}`),
    await studio.call(`POST /users/artist/${username}/contact`, { json }),
  ])
    expect(answer).toMatchObject(NOT_FOUND);
});

test('what a change leaves out keeps its value', async () => {
  const studio = await openStudio({ database: 'own' });
  const artist = await studio.artist();
  const full = {
    full_name: 'Rosa Quint',
    username: 'Rosa-Quint',
    email: 'rosa@example.com',
    about_me: 'I draw.',
    facebook: 'rosa',
    instagram: 'rosa',
    scheduling_type: 'managed',
    studio: {
      name: 'Quint',
      address_one: '2 Street',
      address_two: 'Floor 2',
      city: 'Boston',
      state: 'MA',
      zip_code: '02101',
      time_zone: 'America/Chicago',
    },
  };
  const changed = await expectOk(changeMe(studio, artist, full));
  const { facebook, instagram, ...shown } = full;
  expect(changed).toEqual({
    ...artist.self,
    ...shown,
    username: 'rosa-quint',
    facebook_url: 'https://www.facebook.com/rosa',
    instagram_url: 'https://www.instagram.com/rosa',
  });
  expect(await expectOk(changeMe(studio, artist, {}))).toEqual(changed);
  expect(await expectOk(changeMe(studio, artist, { studio: {} }))).toEqual(changed);
  for (const field of ['full_name', 'about_me', 'scheduling_type'] as const) {
    const again = { [field]: full[field] };
    expect(await expectOk(changeMe(studio, artist, again))).toEqual(changed);
  }
  const moved = await expectOk(changeMe(studio, artist, { studio: { city: 'Salem' } }));
  expect(moved).toEqual({ ...changed, studio: { ...full.studio, city: 'Salem' } });
  expect(await expectOk(studio.call('GET /users/me', { token: artist.token }))).toEqual(moved);
});

test('what may be empty is emptied', async () => {
  const studio = await openStudio({ database: 'own' });
  const artist = await studio.artist();
  const filled = { about_me: 'I draw.', facebook: 'rosa', instagram: 'rosa' };
  for (const empty of ['', null]) {
    await expectOk(changeMe(studio, artist, { ...filled, studio: { address_two: 'Floor 2' } }));
    const body = await expectOk(
      changeMe(studio, artist, {
        about_me: empty,
        facebook: empty,
        instagram: empty,
        scheduling_type: null,
        studio: { address_two: empty },
      }),
    );
    expect(body).toMatchObject({
      about_me: null,
      facebook_url: null,
      instagram_url: null,
      scheduling_type: null,
      studio: { address_two: null },
    });
  }
});

test('a handle, an @handle and a profile link all lead to the same profile', async () => {
  const studio = await openStudio({ database: 'own' });
  const artist = await studio.artist();
  for (const [facebook, instagram] of [
    ['rosa.ink', 'rosa.ink'],
    ['@rosa.ink', ' @rosa.ink '],
    ['https://www.facebook.com/rosa.ink', 'https://www.instagram.com/rosa.ink/'],
    ['m.facebook.com/rosa.ink?ref=page', 'instagram.com/rosa.ink?igsh=abc#top'],
  ])
    expect(await changeMe(studio, artist, { facebook, instagram })).toMatchObject({
      status: 200,
      body: {
        facebook_url: 'https://www.facebook.com/rosa.ink',
        instagram_url: 'https://www.instagram.com/rosa.ink',
      },
    });
});

const WRONG: [Record<string, unknown>, Record<string, string>][] = [
  [{ full_name: '' }, { 'body.full_name': 'Full Name is required' }],
  [{ username: 'ab' }, { 'body.username': 'Must be at least 3 characters' }],
  [{ username: 'login' }, { 'body.username': 'This username is not available' }],
  [{ email: 'rosa' }, { 'body.email': 'Invalid email address' }],
  [{ facebook: 'https://evil.example/rosa' }, { 'body.facebook': 'Not a handle' }],
  [{ instagram: 'javascript:alert(1)' }, { 'body.instagram': 'Not a handle' }],
  [{ is_superuser: true }, { 'body.is_superuser': 'Unknown field' }],
  [{ password: 'another horse' }, { 'body.password': 'Unknown field' }],
  [{ studio: { name: '' } }, { 'body.studio.name': 'Studio name is required' }],
  [{ studio: { country: 'US' } }, { 'body.studio.country': 'Unknown field' }],
  [{ studio: { time_zone: 'EST5' } }, { 'body.studio.time_zone': 'Must be an IANA time zone' }],
  [{ studio: { city: null } }, { 'body.studio.city': 'City is required' }],
];

test('a change that is not valid changes nothing', async () => {
  const studio = await openStudio({ database: 'own' });
  const artist = await studio.artist();
  for (const [json, expected] of WRONG)
    expect(complaints(await changeMe(studio, artist, { about_me: 'Lost', ...json }))).toEqual(
      expected,
    );
  const wrongType = await changeMe(studio, artist, { scheduling_type: 'sometimes' });
  expect(Object.keys(complaints(wrongType))).toEqual(['body.scheduling_type']);
  expect(await expectOk(studio.call('GET /users/me', { token: artist.token }))).toEqual(
    artist.self,
  );
});

test("another artist's username or email cannot be taken over, and nothing else changes", async () => {
  const studio = await openStudio({ database: 'own' });
  const [artist, other] = [await studio.artist(), await studio.artist()];
  const taken = {
    'This username is already taken': { username: other.username.toUpperCase() },
    'An account with this email already exists': { email: other.self.email.toUpperCase() },
  };
  for (const [detail, json] of Object.entries(taken))
    expect(
      await changeMe(studio, artist, { about_me: 'Lost', studio: { city: 'Lost' }, ...json }),
    ).toMatchObject({ status: 409, body: { detail } });
  expect(await expectOk(studio.call('GET /users/me', { token: artist.token }))).toEqual(
    artist.self,
  );
  const own = { username: artist.username.toUpperCase(), email: artist.self.email };
  expect(await changeMe(studio, artist, own)).toMatchObject({ status: 200, body: artist.self });
});
