import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Confirmation } from '#contract/appointment.ts';
import {
  changeAppointment,
  changeMe,
  confirmAppointment,
  createAppointment,
  deleteAppointment,
  deleteMe,
  recoverPassword,
  sendContactMessage,
} from '#contract/endpoints.ts';
import type { AppointmentSnapshot } from '#domain/mail.ts';
import {
  addHourlyAppointments,
  endUndoTime,
  expireAppointment,
  startAppointment,
  takeNewNotices,
} from '#support/app_rows.ts';
import { expectOk, refusalOf } from '#support/call_api.ts';
import { PASSWORD, type TestArtist } from '#support/new_artist.ts';
import {
  addMinutes,
  bookSlot,
  FILLED_FORM,
  findSlot,
  openTestApp,
  requestSlot,
  shiftSlot,
  type TestApp,
} from '#support/test_app.ts';

const ROSA = 'rosa@example.com';

/** An artist with one appointment, and no mails yet. */
interface Scenario {
  readonly app: TestApp;
  readonly artist: TestArtist;
  readonly id: string;
  readonly slot: { readonly start: string; readonly end: string };
}

type Start = 'requested' | 'held' | 'offered' | 'booked';

async function openScenario(start: Start): Promise<Scenario> {
  const app = await openTestApp({ database: 'own' });
  const managed = start === 'requested' || start === 'offered';
  const artist = await app.newArtist({ scheduling_type: managed ? 'managed' : 'service' });
  const slot = await findSlot(app, artist, 40);
  const { id } = await expectOk(
    managed ? createRequest(app, artist) : requestSlot(app, artist, slot),
  );
  const scenario = { app, artist, id, slot };
  if (start === 'offered') await change(scenario, slot);
  if (start === 'booked') await confirm(scenario);
  await takeNewNotices(app);
  return scenario;
}

function createRequest(
  app: TestApp,
  { username }: TestArtist,
  headers: Record<string, string> = {},
) {
  return app.call<Confirmation>(`POST /appointments/request/design?username=${username}`, {
    json: FILLED_FORM,
    headers,
  });
}

function confirm({ app, id }: Scenario) {
  return call(app.http(), confirmAppointment, { path: { appt_id: id } });
}

function change({ app, artist: { token }, id }: Scenario, json: Record<string, unknown>) {
  return call(app.http(token), changeAppointment, { path: { appt_id: id }, body: json });
}

/** Moves the appointment, and waits until that cannot be undone any more. */
async function setAnotherTime(scenario: Scenario) {
  await change(scenario, shiftSlot(scenario.slot, 60));
  await scenario.app.runJobs();
  await endUndoTime(scenario.app);
}

/** Moves the studio, tells the clients, and waits until that cannot be undone any more. */
async function moveStudio({ app, artist: { token } }: Scenario, json: Record<string, unknown>) {
  await call(app.http(token), changeMe, { body: { studio: json, tell_clients: true } });
  await endUndoTime(app);
}

/** The appointments as described in the mails since the last `takeNewNotices`, oldest first. */
async function loadMailedAppointments({ database }: TestApp): Promise<AppointmentSnapshot[]> {
  const mails = await database.selectFrom('mails').select('notice').orderBy('created_at').execute();
  return mails.flatMap(({ notice }) => ('appointment' in notice ? [notice.appointment] : []));
}

/** The first status, what happens, and the expected mails; `artist` is the artist's address. */
const CASES: readonly (readonly [
  Start,
  string,
  (scenario: Scenario) => Promise<unknown>,
  readonly string[],
])[] = [
  ['held', 'the client confirms', confirm, [`booked to ${ROSA}`, 'new_booking to artist']],
  [
    'held',
    'the client confirms twice',
    async (scenario) => [await confirm(scenario), await confirm(scenario)],
    [`booked to ${ROSA}`, 'new_booking to artist'],
  ],
  [
    'held',
    'the client confirms many times at once',
    (scenario) => Promise.all(Array.from({ length: 5 }, () => confirm(scenario))),
    [`booked to ${ROSA}`, 'new_booking to artist'],
  ],
  ['offered', 'the client confirms', confirm, [`booked to ${ROSA}`, 'new_booking to artist']],
  [
    'requested',
    'the artist sets a time',
    (scenario) => change(scenario, scenario.slot),
    [`offer to ${ROSA}`],
  ],
  ['offered', 'the artist sets another time', setAnotherTime, [`offer to ${ROSA}`]],
  ['held', 'the artist sets another time', setAnotherTime, [`hold to ${ROSA}`]],
  ['booked', 'the artist sets another time', setAnotherTime, [`moved to ${ROSA}`]],
  [
    'requested',
    'the artist declines',
    (scenario) => change(scenario, { status: 'declined' }),
    [`declined to ${ROSA}`],
  ],
  ...(['requested', 'held', 'offered', 'booked'] as const).map(
    (start) =>
      [
        start,
        'the artist cancels',
        (scenario: Scenario) => change(scenario, { status: 'cancelled' }),
        [`cancelled to ${ROSA}`],
      ] as const,
  ),
  [
    'booked',
    'it is marked as completed',
    async (scenario) => {
      await startAppointment(scenario.app, scenario.id);
      await change(scenario, { status: 'completed' });
    },
    [],
  ],
  [
    'booked',
    'the artist corrects a time in the past',
    async (scenario) => {
      await startAppointment(scenario.app, scenario.id);
      const today = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
      const start = addMinutes(today, -180);
      await change(scenario, { start, end: addMinutes(start, 59) });
    },
    [],
  ],
  [
    'booked',
    'it is marked as a no-show',
    async (scenario) => {
      await startAppointment(scenario.app, scenario.id);
      await change(scenario, { status: 'no_show' });
    },
    [],
  ],
  ['booked', 'the minutely tasks run', ({ app }) => app.runMinutelyTasks(), []],
  [
    'booked',
    'the studio moves',
    (scenario) => moveStudio(scenario, { address_one: '2 New Street' }),
    [`moved to ${ROSA}`],
  ],
  [
    'booked',
    'the studio gets another time zone',
    (scenario) => moveStudio(scenario, { time_zone: 'America/Chicago' }),
    [`moved to ${ROSA}`],
  ],
  [
    'booked',
    'the studio moves, and moves again',
    async (scenario) => [
      await moveStudio(scenario, { address_one: '2 New Street' }),
      await moveStudio(scenario, { address_one: '3 New Street' }),
    ],
    [`moved to ${ROSA}`, `moved to ${ROSA}, dropped`],
  ],
  [
    'booked',
    'the studio gets a new name, or the same address again',
    (scenario) => moveStudio(scenario, { name: 'Quint', address_one: '1 Example Street' }),
    [],
  ],
  [
    'booked',
    'the studio moves after it began',
    async (scenario) => {
      await startAppointment(scenario.app, scenario.id);
      await moveStudio(scenario, { address_one: '2 New Street' });
    },
    [],
  ],
  [
    'held',
    'the studio moves',
    (scenario) => moveStudio(scenario, { address_one: '2 New Street' }),
    [],
  ],
  ...(['requested', 'held', 'offered', 'booked'] as const).map(
    (start) =>
      [
        start,
        'the artist deletes their account',
        ({ app, artist: { token } }: Scenario) => call(app.http(token), deleteMe),
        ['account_deleted to artist', `cancelled to ${ROSA}`],
      ] as const,
  ),
  [
    'booked',
    'a superuser deletes the account',
    async ({ app, artist }) =>
      expectOk(app.call(`DELETE /users/${artist.self.id}`, { token: await app.superuserToken() })),
    ['account_deleted to artist', `cancelled to ${ROSA}`],
  ],
  [
    'held',
    'the artist deletes their account after the hold expired',
    async ({ app, artist: { token }, id }) => {
      await expireAppointment(app, id);
      await call(app.http(token), deleteMe);
    },
    ['account_deleted to artist'],
  ],
  [
    'booked',
    'the artist deletes it right after cancelling it',
    async (scenario) => {
      const { app, artist, id } = scenario;
      await change(scenario, { status: 'cancelled' });
      await call(app.http(artist.token), deleteAppointment, { path: { appt_id: id } });
    },
    [`cancelled to ${ROSA}`],
  ],
];

test.for(CASES)(
  'from %s, when %s, exactly the expected mails are sent',
  async ([start, , act, expected]) => {
    const scenario = await openScenario(start);
    await act(scenario);
    const { email } = scenario.artist.self;
    expect(
      (await takeNewNotices(scenario.app)).map((notice) => notice.replace(email, 'artist')),
    ).toEqual(expected);
  },
);

test('a booking that is sent repeatedly with one key mails the client once', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  await takeNewNotices(app);
  const slot = await findSlot(app, artist);
  const headers = { 'Idempotency-Key': randomUUID() };
  const send = () => requestSlot(app, artist, slot, {}, headers);
  await Promise.all([send(), send(), send()]);
  await send();
  // It waits for the client to confirm on the page.
  expect(await takeNewNotices(app)).toEqual([`hold to ${ROSA}, queued`]);
});

test('a request that is sent repeatedly with one key mails client and artist once', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  await takeNewNotices(app);
  const headers = { 'Idempotency-Key': randomUUID() };
  const send = () => createRequest(app, artist, headers);
  await Promise.all([send(), send(), send()]);
  await send();
  expect(await takeNewNotices(app)).toEqual([
    `new_request to ${artist.self.email}`,
    `request_received to ${ROSA}`,
  ]);
});

test('a refused booking sends no mail', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  await bookSlot(app, artist, slot);
  await takeNewNotices(app);
  expect((await refusalOf(bookSlot(app, artist, slot))).status).toBe(409);
  expect(await takeNewNotices(app)).toEqual([]);
});

test('an appointment that the artist creates is mailed if it has an email and lies ahead', async () => {
  const app = await openTestApp({ database: 'own' });
  const { token } = await app.newArtist();
  await takeNewNotices(app);
  const create = (email: string | undefined, start: string) =>
    call(app.http(token), createAppointment, {
      body: {
        client: { first_name: 'Rosa', email },
        start,
        end: addMinutes(start, 59),
      },
    });
  const inDays = (days: number) =>
    `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T15:00:00Z`;
  await create(ROSA, inDays(3));
  await create(undefined, inDays(4));
  await create(ROSA, inDays(-3));
  expect(await takeNewNotices(app)).toEqual([`booked to ${ROSA}`]);
});

test('a mail about a change describes the appointment after the change', async () => {
  const scenario = await openScenario('booked');
  const { app, slot, id, artist } = scenario;
  const later = shiftSlot(slot, 60);
  await change(scenario, later);
  await moveStudio(scenario, { address_one: '2 New Street' });
  await change(scenario, { status: 'cancelled', note: 'I am ill.' });
  const time = { start: Date.parse(later.start), end: Date.parse(later.end) + 60_000 };
  const common = { id, wasBooked: true, expiresAt: null, time };
  const names = { client: { name: 'Rosa Quint', email: ROSA }, service: artist.service.name };
  expect(await loadMailedAppointments(app)).toMatchObject([
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

test('deleting the account tells a mere request in words that fit', async () => {
  const { app, artist } = await openScenario('requested');
  await call(app.http(artist.token), deleteMe);
  const [mail, ...others] = await app.mailsAbout(
    'Your request to An Artist at The Studio has ended',
  );
  expect(others).toEqual([]);
  expect(mail?.text).toContain('no longer takes requests here');
  expect(mail?.text).not.toContain('This appointment was cancelled');
});

test('the cancellation of an unconfirmed offer is mailed as not booked', async () => {
  const scenario = await openScenario('offered');
  await change(scenario, { status: 'cancelled' });
  expect(await loadMailedAppointments(scenario.app)).toMatchObject([{ wasBooked: false }]);
});

test('moving the studio queues a mail for each of 620 appointments', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const count = 620;
  await addHourlyAppointments(app, artist, count);
  await takeNewNotices(app);
  const json = { studio: { address_one: '2 New Street' }, tell_clients: true };
  await call(app.http(artist.token), changeMe, { body: json });
  const mails = await app.database.selectFrom('mails').select('appointment_id').execute();
  expect(new Set(mails.map(({ appointment_id }) => appointment_id)).size).toBe(count);
});

test('a contact message is mailed to the artist', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  await takeNewNotices(app);
  const json = { name: 'Rosa', email: ROSA, message: 'Do you draw swallows?' };
  await call(app.http(), sendContactMessage, { path: { username: artist.username }, body: json });
  expect(await takeNewNotices(app)).toEqual([`contact_message to ${artist.self.email}`]);
});

test('a new artist gets a welcome mail after signing up or being created by a superuser', async () => {
  const app = await openTestApp({ database: 'own' });
  const token = await app.superuserToken();
  const { self } = await app.newArtist({ viaSignup: true });
  expect(await takeNewNotices(app)).toEqual([`welcome to ${self.email}`]);
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
  await expectOk(app.call('POST /users/', { token, json }));
  expect(await takeNewNotices(app)).toEqual(['welcome to otto@example.com']);
});

test('every way to set a new password sends a mail to the artist', async () => {
  const app = await openTestApp({ database: 'own' });
  const { token, self } = await app.newArtist();
  const expected = [`password_changed to ${self.email}`];
  const superuser = await app.superuserToken();
  const change = (json: object) => app.call('PATCH /users/me/password', { token, json });
  await takeNewNotices(app);
  expect((await change({ current_password: 'no', new_password: 'battery staple' })).status).toBe(
    400,
  );
  expect(await takeNewNotices(app)).toEqual([]);
  await expectOk(change({ current_password: PASSWORD, new_password: 'battery staple' }));
  expect(await takeNewNotices(app)).toEqual(expected);

  await call(app.http(), recoverPassword, { path: { email: self.email } });
  const text = (await app.mails()).at(-1)?.text;
  expect(await takeNewNotices(app)).toEqual([`password_recovery to ${self.email}`]);
  const [, link] = /token=([\w-]+)/.exec(text ?? '') ?? [];
  const json = { token: link, new_password: 'horse battery' };
  await expectOk(app.call('POST /reset-password/', { json }));
  expect(await takeNewNotices(app)).toEqual(expected);

  const path = `PATCH /users/${self.id}`;
  await expectOk(app.call(path, { token: superuser, json: { password: 'staple horse' } }));
  expect(await takeNewNotices(app)).toEqual(expected);
  await expectOk(app.call(path, { token: superuser, json: { about_me: 'Draws.' } }));
  expect(await takeNewNotices(app)).toEqual([]);
});
