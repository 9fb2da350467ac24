import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  changeAppointment,
  confirmAppointment,
  createAppointment,
  deleteAppointment,
} from '#client/appointments.ts';
import { changeMe, deleteMe, sendContactMessage } from '#client/artists.ts';
import { recoverPassword } from '#client/login.ts';
import type { Confirmation } from '#contract/appointment.ts';
import type { AppointmentSnapshot } from '#domain/notice.ts';
import { expectOk, refusalOf } from '#support/calls.ts';
import { PASSWORD, type TestArtist } from '#support/new_artist.ts';
import { begin, lapse, newsOf } from '#support/rows.ts';
import {
  aSlot,
  FILLED_FORM,
  minutesAfter,
  openTestApp,
  pickSlot,
  requestSlot,
  shifted,
  type TestApp,
} from '#support/test_app.ts';

const ROSA = 'rosa@example.com';

/** An artist with one appointment; everything that was told so far is forgotten. */
interface Scene {
  readonly studio: TestApp;
  readonly artist: TestArtist;
  readonly id: string;
  readonly slot: { readonly start: string; readonly end: string };
}

type Start = 'requested' | 'held' | 'offered' | 'booked';

async function setScene(start: Start): Promise<Scene> {
  const studio = await openTestApp({ database: 'own' });
  const managed = start === 'requested' || start === 'offered';
  const artist = await studio.artist({ scheduling_type: managed ? 'managed' : 'service' });
  const slot = await aSlot(studio, artist, 40);
  const { id } = await expectOk(managed ? ask(studio, artist) : requestSlot(studio, artist, slot));
  const scene = { studio, artist, id, slot };
  if (start === 'offered') await change(scene, slot);
  if (start === 'booked') await confirm(scene);
  await newsOf(studio);
  return scene;
}

function ask(studio: TestApp, { username }: TestArtist, headers: Record<string, string> = {}) {
  return studio.call<Confirmation>(`POST /appointments/request/design?username=${username}`, {
    json: FILLED_FORM,
    headers,
  });
}

function confirm({ studio, id }: Scene) {
  return confirmAppointment(studio.http(), id);
}

function change({ studio, artist: { token }, id }: Scene, json: Record<string, unknown>) {
  return changeAppointment(studio.http(token), id, json);
}

function moveStudio({ studio, artist: { token } }: Scene, json: Record<string, unknown>) {
  return changeMe(studio.http(token), { studio: json });
}

/** What the mails say that have not been forgotten. */
async function factsToldOf({ database }: TestApp): Promise<AppointmentSnapshot[]> {
  const mails = await database.selectFrom('mails').select('notice').orderBy('created_at').execute();
  return mails.flatMap(({ notice }) => ('appointment' in notice ? [notice.appointment] : []));
}

/** From where, what happens, and who is told what of it; `artist` is the artist's address. */
const PROMISES: readonly (readonly [
  Start,
  string,
  (scene: Scene) => Promise<unknown>,
  readonly string[],
])[] = [
  ['held', 'the client confirms', confirm, [`booked to ${ROSA}`, 'new_booking to artist']],
  [
    'held',
    'the client confirms twice',
    async (scene) => [await confirm(scene), await confirm(scene)],
    [`booked to ${ROSA}`, 'new_booking to artist'],
  ],
  [
    'held',
    'the client confirms many times at once',
    (scene) => Promise.all(Array.from({ length: 5 }, () => confirm(scene))),
    [`booked to ${ROSA}`, 'new_booking to artist'],
  ],
  ['offered', 'the client confirms', confirm, [`booked to ${ROSA}`, 'new_booking to artist']],
  [
    'requested',
    'the artist sets a time',
    (scene) => change(scene, scene.slot),
    [`offer to ${ROSA}`],
  ],
  [
    'offered',
    'the artist sets another time',
    (scene) => change(scene, shifted(scene.slot, 60)),
    [`offer to ${ROSA}`],
  ],
  [
    'held',
    'the artist sets another time',
    (scene) => change(scene, shifted(scene.slot, 60)),
    [`hold to ${ROSA}`],
  ],
  [
    'booked',
    'the artist sets another time',
    (scene) => change(scene, shifted(scene.slot, 60)),
    [`moved to ${ROSA}`],
  ],
  [
    'requested',
    'the artist declines',
    (scene) => change(scene, { status: 'declined' }),
    [`declined to ${ROSA}`],
  ],
  ...(['requested', 'held', 'offered', 'booked'] as const).map(
    (start) =>
      [
        start,
        'the artist cancels',
        (scene: Scene) => change(scene, { status: 'cancelled' }),
        [`cancelled to ${ROSA}`],
      ] as const,
  ),
  ['booked', 'it is completed', (scene) => change(scene, { status: 'completed' }), []],
  [
    'booked',
    'the artist sets right when it was',
    async (scene) => {
      await begin(scene.studio, scene.id);
      const today = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
      const start = minutesAfter(today, -180);
      await change(scene, { start, end: minutesAfter(start, 59) });
    },
    [],
  ],
  ['booked', 'nobody shows up', (scene) => change(scene, { status: 'no_show' }), []],
  ['booked', 'a minute passes', ({ studio }) => studio.minute(), []],
  [
    'booked',
    'the studio moves',
    (scene) => moveStudio(scene, { address_one: '2 New Street' }),
    [`moved to ${ROSA}`],
  ],
  [
    'booked',
    'the studio gets another time zone',
    (scene) => moveStudio(scene, { time_zone: 'America/Chicago' }),
    [`moved to ${ROSA}`],
  ],
  [
    'booked',
    'the studio moves, and moves again',
    async (scene) => [
      await moveStudio(scene, { address_one: '2 New Street' }),
      await moveStudio(scene, { address_one: '3 New Street' }),
    ],
    [`moved to ${ROSA}`, `moved to ${ROSA}`],
  ],
  [
    'booked',
    'the studio gets a new name, or the same address again',
    (scene) => moveStudio(scene, { name: 'Quint', address_one: '1 Example Street' }),
    [],
  ],
  [
    'booked',
    'the studio moves once it has begun',
    async (scene) => {
      await begin(scene.studio, scene.id);
      await moveStudio(scene, { address_one: '2 New Street' });
    },
    [],
  ],
  ['held', 'the studio moves', (scene) => moveStudio(scene, { address_one: '2 New Street' }), []],
  ...(['requested', 'held', 'offered', 'booked'] as const).map(
    (start) =>
      [
        start,
        'the artist deletes their account',
        ({ studio, artist: { token } }: Scene) => deleteMe(studio.http(token)),
        [`cancelled to ${ROSA}`],
      ] as const,
  ),
  [
    'booked',
    'a superuser deletes the account',
    async ({ studio, artist }) =>
      expectOk(studio.call(`DELETE /users/${artist.self.id}`, { token: await studio.superuser() })),
    [`cancelled to ${ROSA}`],
  ],
  [
    'held',
    'the artist deletes their account once it has lapsed',
    async ({ studio, artist: { token }, id }) => {
      await lapse(studio, id);
      await deleteMe(studio.http(token));
    },
    [],
  ],
  [
    'booked',
    'the artist deletes it as soon as it is cancelled',
    async (scene) => {
      const { studio, artist, id } = scene;
      await change(scene, { status: 'cancelled' });
      await deleteAppointment(studio.http(artist.token), id);
    },
    [`cancelled to ${ROSA}`],
  ],
];

test.for(PROMISES)('%s, and %s', async ([start, , happens, told]) => {
  const scene = await setScene(start);
  await happens(scene);
  const { email } = scene.artist.self;
  expect((await newsOf(scene.studio)).map((news) => news.replace(email, 'artist'))).toEqual(told);
});

test('a client who picks a time is asked to confirm it, once however often it is sent', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  await newsOf(studio);
  const slot = await aSlot(studio, artist);
  const headers = { 'Idempotency-Key': randomUUID() };
  const send = () => requestSlot(studio, artist, slot, {}, headers);
  await Promise.all([send(), send(), send()]);
  await send();
  expect(await newsOf(studio)).toEqual([`hold to ${ROSA}`]);
});

test('a request is told to both, once however often it is sent', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist({ scheduling_type: 'managed' });
  await newsOf(studio);
  const headers = { 'Idempotency-Key': randomUUID() };
  const send = () => ask(studio, artist, headers);
  await Promise.all([send(), send(), send()]);
  await send();
  expect(await newsOf(studio)).toEqual([
    `new_request to ${artist.self.email}`,
    `request_received to ${ROSA}`,
  ]);
});

test('a booking that comes to nothing is told to nobody', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const slot = await aSlot(studio, artist);
  await pickSlot(studio, artist, slot);
  await newsOf(studio);
  expect((await refusalOf(pickSlot(studio, artist, slot))).status).toBe(409);
  expect(await newsOf(studio)).toEqual([]);
});

test('whom the artist enters is told, unless they left no email or have been there already', async () => {
  const studio = await openTestApp({ database: 'own' });
  const { token } = await studio.artist();
  await newsOf(studio);
  const enter = (email: string | undefined, start: string) =>
    createAppointment(studio.http(token), {
      client: { first_name: 'Rosa', email },
      start,
      end: minutesAfter(start, 59),
    });
  const inDays = (days: number) =>
    `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T15:00:00Z`;
  await enter(ROSA, inDays(3));
  await enter(undefined, inDays(4));
  await enter(ROSA, inDays(-3));
  expect(await newsOf(studio)).toEqual([`booked to ${ROSA}`]);
});

test('what is told is what is so afterwards', async () => {
  const scene = await setScene('booked');
  const { studio, slot, id, artist } = scene;
  const later = shifted(slot, 60);
  await change(scene, later);
  await moveStudio(scene, { address_one: '2 New Street' });
  await change(scene, { status: 'cancelled', note: 'I am ill.' });
  const time = { start: Date.parse(later.start), end: Date.parse(later.end) + 60_000 };
  const common = { id, wasBooked: true, lapsesAt: null, time };
  const names = { client: { name: 'Rosa Quint', email: ROSA }, service: artist.service.name };
  expect(await factsToldOf(studio)).toMatchObject([
    {
      ...{ ...common, ...names, version: 3, note: null, movedFrom: Date.parse(slot.start) },
      studio: { address_one: '1 Example Street' },
    },
    {
      ...{ ...common, ...names, version: 4, note: null, movedFrom: null },
      studio: { address_one: '2 New Street' },
    },
    { ...common, ...names, version: 5, note: 'I am ill.' },
  ]);
});

test('only what was booked leaves a calendar when it is cancelled', async () => {
  const scene = await setScene('offered');
  await change(scene, { status: 'cancelled' });
  expect(await factsToldOf(scene.studio)).toMatchObject([{ wasBooked: false }]);
});

test('a studio that moves tells each of many clients', async () => {
  const studio = await openTestApp({ database: 'own' });
  const { token, self } = await studio.artist();
  const booked = 620;
  const day = Date.UTC(new Date().getUTCFullYear() + 1, 0, 1);
  const { id: client_id } = await studio.database
    .insertInto('clients')
    .values({ artist_id: self.id, email: ROSA })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { studio_id: place_id } = await studio.database
    .selectFrom('artists')
    .select('studio_id')
    .where('id', '=', self.id)
    .executeTakeFirstOrThrow();
  const appointments = Array.from({ length: booked }, () => ({
    id: randomUUID(),
    artist_id: self.id,
    place_id,
    client_id,
    email: ROSA,
    status: 'confirmed' as const,
  }));
  await studio.database.insertInto('appointments').values(appointments).execute();
  await studio.database
    .insertInto('appointment_times')
    .values(
      appointments.map(({ id }, nth) => {
        const [start, end] = [nth, nth + 1].map((hour) => new Date(day + hour * 3_600_000));
        const during = `[${start?.toISOString()},${end?.toISOString()})`;
        const kept = { during, blocked: during, occupies: true, lapses_at: null };
        return { appointment_id: id, artist_id: self.id, place_id, ...kept };
      }),
    )
    .execute();
  await newsOf(studio);
  const json = { studio: { address_one: '2 New Street' } };
  await changeMe(studio.http(token), json);
  const mails = await studio.database.selectFrom('mails').select('appointment_id').execute();
  expect(new Set(mails.map(({ appointment_id }) => appointment_id)).size).toBe(booked);
});

test('a message from a visitor is told to the artist', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  await newsOf(studio);
  const json = { name: 'Rosa', email: ROSA, message: 'Do you draw swallows?' };
  await sendContactMessage(studio.http(), artist.username, json);
  expect(await newsOf(studio)).toEqual([`contact_message to ${artist.self.email}`]);
});

test('a new artist is welcomed, whoever made their account', async () => {
  const studio = await openTestApp({ database: 'own' });
  const token = await studio.superuser();
  const { self } = await studio.artist({ signsUp: true });
  expect(await newsOf(studio)).toEqual([`welcome to ${self.email}`]);
  const json = {
    email: 'otto@example.com',
    full_name: 'Otto',
    username: 'otto',
    password: PASSWORD,
    studio_name: 'Otto',
    address_one: '1 Example Street',
    city: 'New York',
    state: 'NY',
    zip_code: '10001',
    time_zone: 'America/New_York',
  };
  await expectOk(studio.call('POST /users/', { token, json }));
  expect(await newsOf(studio)).toEqual(['welcome to otto@example.com']);
});

test('a new password is told to the artist, whichever way it was set', async () => {
  const studio = await openTestApp({ database: 'own' });
  const { token, self } = await studio.artist();
  const told = [`password_changed to ${self.email}`];
  const superuser = await studio.superuser();
  const change = (json: object) => studio.call('PATCH /users/me/password', { token, json });
  await newsOf(studio);
  expect((await change({ current_password: 'no', new_password: 'battery staple' })).status).toBe(
    400,
  );
  expect(await newsOf(studio)).toEqual([]);
  await expectOk(change({ current_password: PASSWORD, new_password: 'battery staple' }));
  expect(await newsOf(studio)).toEqual(told);

  await recoverPassword(studio.http(), self.email);
  const text = (await studio.mails()).at(-1)?.text;
  expect(await newsOf(studio)).toEqual([`password_recovery to ${self.email}`]);
  const [, link] = /token=([\w-]+)/.exec(text ?? '') ?? [];
  const json = { token: link, new_password: 'horse battery' };
  await expectOk(studio.call('POST /reset-password/', { json }));
  expect(await newsOf(studio)).toEqual(told);

  const path = `PATCH /users/${self.id}`;
  await expectOk(studio.call(path, { token: superuser, json: { password: 'staple horse' } }));
  expect(await newsOf(studio)).toEqual(told);
  await expectOk(studio.call(path, { token: superuser, json: { about_me: 'Draws.' } }));
  expect(await newsOf(studio)).toEqual([]);
});
