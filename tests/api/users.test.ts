import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Artist, CurrentArtist } from '#contract/artist.ts';
import { changeBookingRange, changeMe, changeSchedule, fetchMe } from '#contract/endpoints.ts';
import { STYLES } from '#domain/studio/style.ts';
import { addPictureRow } from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { expectOk, refusalOf } from '#support/call_api.ts';
import { PASSWORD, type TestArtist } from '#support/new_artist.ts';
import { validationMessages } from '#support/problems.ts';
import { NEW_YORK } from '#support/sample_people.ts';
import type { TestApp } from '#support/test_app.ts';

const DAY = { start: '10:00', end: '13:00' };

const onMonday = (...windows: [start: unknown, end: unknown, rest?: object][]) => ({
  weekly: [{ weekday: 1, windows: windows.map(([start, end, rest]) => ({ start, end, ...rest })) }],
});
const on = (...dates: string[]) => ({ exceptions: dates.map((date) => ({ date, windows: [] })) });
const BAD_WINDOWS = 'Windows must end after they start and may not overlap';
const WRONG_SCHEDULES: [Record<string, unknown>, string, string?][] = [
  [onMonday(['10:00', '13:00'], ['12:59', '14:00']), 'weekly.0.windows', BAD_WINDOWS],
  [
    { exceptions: [{ date: '2026-12-24', windows: [DAY, DAY] }] },
    'exceptions.0.windows',
    BAD_WINDOWS,
  ],
  [onMonday(['24:00', '24:00']), 'weekly.0.windows.0.start', 'Must be HH:MM'],
  [onMonday(['10:00', '24:01']), 'weekly.0.windows.0.end'],
  [onMonday(['9:00', '10:00']), 'weekly.0.windows.0.start', 'Must be HH:MM'],
  [onMonday(['09:00:00', '10:00']), 'weekly.0.windows.0.start'],
  [onMonday(['09:60', '10:00']), 'weekly.0.windows.0.start', 'Must be HH:MM'],
  [onMonday([9, '10:00']), 'weekly.0.windows.0.start'],
  [onMonday(['10:00', '13:00', { zone: 'UTC' }]), 'weekly.0.windows.0.zone', 'Unknown field'],
  [{ weekly: [1, 1].map((weekday) => ({ weekday, windows: [] })) }, 'weekly', 'Each weekday once'],
  [{ weekly: [{ weekday: 0, windows: [] }] }, 'weekly.0.weekday'],
  [{ weekly: [{ weekday: 'monday', windows: [] }] }, 'weekly.0.weekday'],
  [on('2026-12-24', '2026-12-24'), 'exceptions', 'Each date once'],
  [on('2026-02-29'), 'exceptions.0.date'],
  [{ slot_interval_minutes: 4 }, 'slot_interval_minutes'],
  [{ slot_interval_minutes: 1441 }, 'slot_interval_minutes'],
  [{ slot_interval_minutes: 30.5 }, 'slot_interval_minutes'],
  [{ buffer_minutes: -1 }, 'buffer_minutes'],
  [{ buffer_minutes: '10' }, 'buffer_minutes'],
  [{ minimum_notice_minutes: 525_601 }, 'minimum_notice_minutes'],
  [{ weekly: null }, 'weekly'],
  [{ time_zone: 'UTC' }, 'time_zone', 'Unknown field'],
];

test('an invalid schedule is refused with an error for the field, and changes nothing', async () => {
  const { app, artist } = await openArtistApp();
  for (const [json, field, message] of WRONG_SCHEDULES) {
    const messages = validationMessages(
      await refusalOf(call(artist.http, changeSchedule, { body: { buffer_minutes: 5, ...json } })),
    );
    expect(messages, JSON.stringify(json)).toMatchObject({
      [`body.${field}`]: message ?? expect.any(String),
    });
  }
  expect(await call(app.http(artist.token), fetchMe)).toEqual(artist.self);
});

test.each([
  [{ kind: 'rolling', days: 0 }],
  [{ kind: 'rolling', days: 365 }],
  [{ kind: 'fixed', start: '2026-12-01', end: '2027-01-31' }],
  [{ kind: 'fixed', start: '2026-12-01', end: '2026-12-01' }],
  [{ kind: 'open' }],
] as const)('the booking range can be %j', async (range) => {
  const { app, artist } = await openArtistApp();
  const self = await call(app.http(artist.token), changeBookingRange, { body: range });
  expect(self).toEqual({ ...artist.self, booking_range: range });
});

const WRONG_RANGES: [Record<string, unknown>, string][] = [
  [{}, 'body.kind'],
  [{ kind: 'weekly' }, 'body.kind'],
  [{ kind: 'rolling' }, 'body.days'],
  [{ kind: 'rolling', days: -1 }, 'body.days'],
  [{ kind: 'rolling', days: 1.5 }, 'body.days'],
  [{ kind: 'rolling', days: 100_000 }, 'body.days'],
  [{ kind: 'rolling', days: 60, start: '2026-12-01' }, 'body.start'],
  [{ kind: 'fixed', start: '2026-12-02', end: '2026-12-01' }, 'body.end'],
  [{ kind: 'fixed', start: '2026-12-01' }, 'body.end'],
  [{ kind: 'fixed', start: '2026-13-01', end: '2027-01-01' }, 'body.start'],
  [{ kind: 'fixed', start: '2026-12-01T00:00:00Z', end: '2027-01-01' }, 'body.start'],
  [{ kind: 'open', days: 60 }, 'body.days'],
];

test('an invalid booking range is refused with an error for the field, and changes nothing', async () => {
  const { app, artist, token } = await openArtistApp();
  for (const [json, field] of WRONG_RANGES) {
    const response = await app.call('PATCH /users/me/booking_range', { token, json });
    const messages = validationMessages(response);
    expect(Object.keys(messages), JSON.stringify(json)).toEqual([field]);
  }
  expect(await call(app.http(artist.token), fetchMe)).toEqual(artist.self);
});

test('concurrent changes of the schedule all succeed', async () => {
  const { app, token } = await openArtistApp();
  const json = { exceptions: [{ date: '2026-12-24', windows: [] }] };
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => app.call('PATCH /users/me/schedule', { token, json })),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
});

function patchMe(app: TestApp, { token }: TestArtist, json: Record<string, unknown>) {
  return app.call<CurrentArtist>('PATCH /users/me', { token, json });
}

test('the public artist has exactly the fields that their page shows', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  await call(artist.http, changeMe, {
    body: { about_me: 'I draw.', instagram: '@rosa', styles: ['Tribal', 'Dotwork'] },
  });
  const avatar_id = await addPictureRow(app, artist, { kind: 'avatar', widths: [96, 192] });
  await app.database.updateTable('artists').set({ avatar_id }).execute();
  const { status, body } = await app.call<Artist>(
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
    styles: ['Dotwork', 'Tribal'],
    scheduling_type: 'service',
    studio: {
      name: 'The Studio',
      ...NEW_YORK,
      address_two: null,
      offsets: artist.self.studio.offsets,
    },
    taking_bookings: true,
    books: { is_open: true, opens_at: null, draw: null },
  });
});

test('a change of the profile keeps the fields that it leaves out', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const full = {
    full_name: 'Rosa Quint',
    username: 'Rosa-Quint',
    email: 'rosa@example.com',
    current_password: PASSWORD,
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
  const changed = await expectOk(patchMe(app, artist, full));
  const { facebook, instagram, email, current_password, ...otherFields } = full;
  expect(changed).toEqual({
    ...artist.self,
    ...otherFields,
    studio: { ...full.studio, offsets: changed.studio.offsets },
    username: 'rosa-quint',
    // The new email waits for its link.
    pending_email: email,
    facebook_url: 'https://www.facebook.com/rosa',
    instagram_url: 'https://www.instagram.com/rosa',
  });
  expect(await call(artist.http, changeMe, { body: {} })).toEqual(changed);
  expect(await call(artist.http, changeMe, { body: { studio: {} } })).toEqual(changed);
  for (const field of ['full_name', 'about_me', 'scheduling_type'] as const) {
    const unchanged = { [field]: full[field] };
    expect(await call(artist.http, changeMe, { body: unchanged })).toEqual(changed);
  }
  const moved = await call(artist.http, changeMe, { body: { studio: { city: 'Salem' } } });
  expect(moved).toEqual({ ...changed, studio: { ...changed.studio, city: 'Salem' } });
  expect(await call(app.http(artist.token), fetchMe)).toEqual(moved);
});

test('optional fields of the profile are emptied by an empty text or null', async () => {
  const { artist } = await openArtistApp({ database: 'own' });
  const filled = { about_me: 'I draw.', facebook: 'rosa', instagram: 'rosa' };
  for (const empty of ['', null]) {
    await call(artist.http, changeMe, { body: { ...filled, studio: { address_two: 'Floor 2' } } });
    const body = await call(artist.http, changeMe, {
      body: {
        about_me: empty,
        facebook: empty,
        instagram: empty,
        scheduling_type: null,
        studio: { address_two: empty },
      },
    });
    expect(body).toMatchObject({
      about_me: null,
      facebook_url: null,
      instagram_url: null,
      scheduling_type: null,
      studio: { address_two: null },
    });
  }
});

const WRONG_PROFILES: [Record<string, unknown>, Record<string, string>][] = [
  [{ full_name: '' }, { 'body.full_name': 'Full Name is required' }],
  [{ username: 'ab' }, { 'body.username': 'Must be at least 3 characters' }],
  [{ username: 'login' }, { 'body.username': 'This username is not available' }],
  [{ email: 'rosa' }, { 'body.email': 'Invalid email address' }],
  [{ facebook: 'https://evil.example/rosa' }, { 'body.facebook': 'Not a handle' }],
  [{ instagram: 'javascript:alert(1)' }, { 'body.instagram': 'Not a handle' }],
  [{ styles: ['Scratch'] }, { 'body.styles.0': `Must be ${STYLES.join(' or ')}` }],
  [{ styles: STYLES.slice(0, 6) }, { 'body.styles': 'Choose at most 5' }],
  [{ is_superuser: true }, { 'body.is_superuser': 'Unknown field' }],
  [{ password: 'another horse' }, { 'body.password': 'Unknown field' }],
  [{ studio: { name: '' } }, { 'body.studio.name': 'Studio name is required' }],
  [{ studio: { country: 'US' } }, { 'body.studio.country': 'Unknown field' }],
  [{ studio: { time_zone: 'EST5' } }, { 'body.studio.time_zone': 'Must be an IANA time zone' }],
  [{ studio: { city: null } }, { 'body.studio.city': 'City is required' }],
];

test('an invalid change of the profile is refused, and changes nothing', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  for (const [json, expected] of WRONG_PROFILES)
    expect(
      validationMessages(
        await refusalOf(call(artist.http, changeMe, { body: { about_me: 'Lost', ...json } })),
      ),
    ).toEqual(expected);
  const wrongType = await patchMe(app, artist, { scheduling_type: 'sometimes' });
  expect(Object.keys(validationMessages(wrongType))).toEqual(['body.scheduling_type']);
  expect(await call(app.http(artist.token), fetchMe)).toEqual(artist.self);
});
