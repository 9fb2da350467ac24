import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { ArtistChanges, CurrentArtist } from '#contract/artist.ts';
import {
  changeAppointment,
  changeMe,
  confirmAppointment,
  createAppointment,
  fetchAppointment,
  listAppointmentEvents,
  undoStudioChange,
} from '#contract/endpoints.ts';
import { formatShortDay } from '#domain/time/format_time.ts';
import { HOUR_MS, toRfc3339 } from '#domain/time/time.ts';
import { endUndoTime, loadAllRows, takeNewNotices } from '#support/app_rows.ts';
import { expectOk } from '#support/call_api.ts';
import { addMinutes, bookSlot, findSlot, openTestApp, shiftSlot } from '#support/test_app.ts';

const CHICAGO = 'America/Chicago';
const CONFIRMED_COUNT = 20;

type Scenario = Awaited<ReturnType<typeof openScenario>>;

async function openScenario(options: { time_zone?: string } = {}) {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist(options);
  return { app, artist };
}

/** An artist in New York with twenty confirmed appointments, back to back, whose mails are sent. */
async function openBusyScenario(): Promise<Scenario> {
  const scenario = await openScenario();
  const { app, artist } = scenario;
  const slot = await findSlot(app, artist, 40);
  for (let nth = 0; nth < CONFIRMED_COUNT; nth += 1)
    await call(artist.http, createAppointment, {
      body: {
        client: { first_name: 'Rosa', email: `client-${nth}@example.com` },
        ...shiftSlot(slot, nth * 60),
      },
    });
  await takeNewNotices(app);
  return scenario;
}

function changeStudio({ artist }: Scenario, body: ArtistChanges): Promise<CurrentArtist> {
  return call(artist.http, changeMe, { body });
}

function undo({ artist }: Scenario): Promise<CurrentArtist> {
  return call(artist.http, undoStudioChange);
}

/** Books and confirms a time of the artist's service. */
async function book({ app, artist }: Scenario, slot: { start: string; end: string }) {
  const { id } = await bookSlot(app, artist, slot);
  await call(app.http(), confirmAppointment, { path: { appt_id: id } });
  return id;
}

function load({ artist }: Scenario, id: string) {
  return call(artist.http, fetchAppointment, { path: { appt_id: id } });
}

/** An artist with one booked appointment, whose mails are sent. */
async function openBookedScenario() {
  const scenario = await openScenario();
  const { app, artist } = scenario;
  const slot = await findSlot(app, artist, 40);
  const id = await book(scenario, slot);
  await takeNewNotices(app);
  return { scenario, app, artist, slot, id };
}

/** All appointments with their times and the address of their studio. */
function listTimes({ app }: Scenario) {
  return app.database
    .selectFrom('appointments')
    .innerJoin('appointment_times', 'appointment_times.appointment_id', 'appointments.id')
    .innerJoin('studios', 'studios.id', 'appointments.studio_id')
    .select(['appointments.id', 'during', 'blocked', 'occupies', 'expires_at', 'time_zone', 'city'])
    .orderBy('appointments.id')
    .execute();
}

async function listVersions({ app }: Scenario): Promise<Set<number>> {
  const rows = await app.database.selectFrom('appointments').select('version').execute();
  return new Set(rows.map(({ version }) => version));
}

test('a corrected time zone with appointments ahead mails nobody unless asked, and raises the versions of calendar files', async () => {
  const scenario = await openBusyScenario();
  const { app } = scenario;
  const before = await listTimes(scenario);
  await changeStudio(scenario, { studio: { time_zone: CHICAGO } });
  await endUndoTime(app);
  expect(await takeNewNotices(app)).toEqual([]);
  expect(await listVersions(scenario)).toEqual(new Set([2]));
  const during = (rows: typeof before) => rows.map((row) => [row.id, row.during]);
  const after = await listTimes(scenario);
  expect(during(after)).toEqual(during(before));
  expect(new Set(after.map(({ time_zone }) => time_zone))).toEqual(new Set([CHICAGO]));
});

test('with tell_clients each client gets one mail, and none before the change is final', async () => {
  const scenario = await openBusyScenario();
  const { app } = scenario;
  await changeStudio(scenario, { studio: { time_zone: CHICAGO }, tell_clients: true });
  await app.runMinutelyTasks();
  expect(await app.mailsAbout(/^(New|Moved)/)).toEqual([]);
  await endUndoTime(app);
  const sent = await takeNewNotices(app);
  expect(sent).toHaveLength(CONFIRMED_COUNT);
  expect(new Set(sent).size).toBe(CONFIRMED_COUNT);
  for (const notice of sent) expect(notice).toMatch(/^moved to client-\d+@example\.com$/);
});

test('undoing a change that kept clock times mails nobody and restores everything', async () => {
  const scenario = await openBusyScenario();
  const { app, artist } = scenario;
  const before = await listTimes(scenario);
  const changed = await changeStudio(scenario, {
    studio: { time_zone: CHICAGO, city: 'Chicago' },
    tell_clients: true,
    keep: 'clock_times',
  });
  expect(changed.studio).toMatchObject({ time_zone: CHICAGO, city: 'Chicago' });
  // They move together, also where one takes the place of another.
  const after = await listTimes(scenario);
  const startOf = (during: string) => Date.parse(during.slice(2, 24).replace('+00', 'Z'));
  expect(after.map(({ during }) => startOf(during))).toEqual(
    before.map(({ during }) => startOf(during) + HOUR_MS),
  );
  expect(after.every(({ occupies }) => occupies)).toBe(true);
  const restored = await undo(scenario);
  expect(restored).toEqual(artist.self);
  expect(await listTimes(scenario)).toEqual(before);
  // Calendars that took over the change accept the restored times.
  expect(await listVersions(scenario)).toEqual(new Set([3]));
  expect(await undo(scenario)).toEqual(restored);
  await endUndoTime(app);
  await app.runMinutelyTasks(Date.now() + HOUR_MS);
  expect(await app.mailsAbout(/^(New|Moved)/)).toEqual([]);
});

test('appointments that would overlap at their clock times refuse the change as a whole', async () => {
  const scenario = await openScenario({ time_zone: 'America/Phoenix' });
  const { app, artist } = scenario;
  // New York skips the hour from 02:00 to 03:00 on this day.
  const year = new Date().getUTCFullYear() + 1;
  const secondSunday = 14 - new Date(Date.UTC(year, 2, 0)).getUTCDay();
  const skipped = `${year}-03-${String(secondSunday).padStart(2, '0')}T09:00:00Z`;
  for (const [first_name, minutes] of [['Rosa', 0] as const, ['Max $&', 60] as const]) {
    const start = addMinutes(skipped, minutes);
    const json = { client: { first_name }, start, end: addMinutes(start, 29) };
    await expectOk(app.call('POST /appointments/', { token: artist.token, json }));
  }
  const rows = await loadAllRows(app);
  const response = await app.call('PATCH /users/me', {
    token: artist.token,
    json: { studio: { time_zone: 'America/New_York' }, keep: 'clock_times' },
  });
  const sunday = formatShortDay(skipped, 'America/Phoenix');
  const names = `Rosa (${sunday}, 3:00 AM) and Max $& (${sunday}, 3:00 AM)`;
  expect(response).toMatchObject({
    status: 409,
    body: {
      detail: `At these clock times, ${names} would overlap, breaks included. Move one of them first, or do not keep the clock times.`,
    },
  });
  expect(await loadAllRows(app)).toBe(rows);
});

test('undoing a new time zone also restores a hold that its clock time has ended, whatever ran meanwhile', async () => {
  const scenario = await openScenario();
  const { app, artist } = scenario;
  await app.database
    .updateTable('schedules')
    .set({ minimum_notice_minutes: 0 })
    .where('artist_id', '=', artist.self.id)
    .execute();
  const held = await bookSlot(app, artist, await findSlot(app, artist, 40));
  const path = { appt_id: held.id };
  const nextHour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  const start = toRfc3339(nextHour + HOUR_MS);
  const body = { start, end: addMinutes(start, 29) };
  await call(artist.http, changeAppointment, { path, body });
  await changeStudio(scenario, { studio: { time_zone: 'Europe/London' }, keep: 'clock_times' });
  await app.runMinutelyTasks();
  await undo(scenario);
  const { data: events } = await call(artist.http, listAppointmentEvents, { path });
  const kinds = events.map(({ what }) => what);
  expect(kinds).toEqual(['held', 'moved', 'zone_changed', 'change_undone']);
  await app.runMinutelyTasks();
  expect(await load(scenario, held.id)).toMatchObject({ status: 'held', start });
  await endUndoTime(app);
  expect(await app.mailsAbout(/^Not confirmed/)).toEqual([]);
});

test('mails of other artists do not wait while a change of the studio can be undone', async () => {
  const scenario = await openScenario();
  const { app } = scenario;
  const other = await app.newArtist();
  await changeStudio(scenario, { studio: { city: 'Wrongtown' } });
  await book({ app, artist: other }, await findSlot(app, other, 40));
  expect(await takeNewNotices(app)).toContain('booked to rosa@example.com');
});

test('a reminder is neither lost nor sent twice by a corrected time zone', async () => {
  const scenario = await openScenario();
  const { app, artist } = scenario;
  await app.runMinutelyTasks();
  await call(artist.http, changeMe, { body: { reminder_hours: [24] } });
  const nextHour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  const hourFromNow = (hours: number) => nextHour + hours * HOUR_MS;
  const start = new Date(hourFromNow(25)).toISOString();
  await call(artist.http, createAppointment, {
    body: {
      client: { first_name: 'Rosa', email: 'rosa@example.com' },
      start,
      end: addMinutes(start, 59),
    },
  });
  expect(await takeNewNotices(app)).toEqual(['booked to rosa@example.com']);
  // A clock shows the same time in London five hours before New York, and in Los Angeles three after.
  const correct = (time_zone: string) =>
    changeStudio(scenario, { studio: { time_zone }, keep: 'clock_times' });
  await correct('Europe/London');
  await app.runMinutelyTasks();
  await undo(scenario);
  await endUndoTime(app);
  expect(await app.mailsAbout(/^Reminder/)).toEqual([]);
  await correct('Europe/London');
  await endUndoTime(app);
  const [reminder] = await app.mailsAbout(/^Reminder/);
  expect(reminder?.text).toContain('(London)');
  await correct('America/Los_Angeles');
  await endUndoTime(app);
  for (let hours = 1; hours < 10; hours += 1) await app.runMinutelyTasks(hourFromNow(hours));
  expect((await app.mailsAbout(/^Reminder/)).length).toBe(1);
});

test('a correction of a change whose mails still wait is mailed to the clients of that change, and to no others', async () => {
  const { scenario, app, artist } = await openBookedScenario();
  await changeStudio(scenario, { studio: { city: 'Wrongtown' }, tell_clients: true });
  const other = shiftSlot(await findSlot(app, artist, 90), 1);
  await call(artist.http, createAppointment, {
    body: { client: { first_name: 'Max', email: 'max@example.com' }, ...other },
  });
  await changeStudio(scenario, { studio: { city: 'Righttown' } });
  await endUndoTime(app);
  expect(await takeNewNotices(app)).toEqual([
    'booked to max@example.com',
    'moved to rosa@example.com',
    'moved to rosa@example.com, dropped',
  ]);
  const [mail] = await app.mailsAbout(/^New address/);
  expect(mail?.text).toContain('Righttown');
});

test('undoing a second change sends the mails of the first, as they were before it', async () => {
  const { scenario, app } = await openBookedScenario();
  const tell = (city: string) => changeStudio(scenario, { studio: { city }, tell_clients: true });
  await tell('Firsttown');
  await tell('Secondtown');
  await undo(scenario);
  await endUndoTime(app);
  expect(await takeNewNotices(app)).toEqual([
    'moved to rosa@example.com',
    'moved to rosa@example.com, dropped',
  ]);
  const [mail] = await app.mailsAbout(/^New address/);
  expect(mail?.text).toContain('Firsttown');
  expect(mail?.text).not.toContain('Secondtown');
});

test('of three changes in a row, the mail compares the last with what the client knows', async () => {
  const { scenario, app } = await openBookedScenario();
  await changeStudio(scenario, { studio: { time_zone: CHICAGO }, tell_clients: true });
  await changeStudio(scenario, { studio: { city: 'Secondtown' } });
  await changeStudio(scenario, { studio: { city: 'Thirdtown' } });
  await endUndoTime(app);
  const [mail, another] = await app.mailsAbout(/^New address and time zone/);
  expect(mail?.text).toContain('Thirdtown');
  expect(mail?.text).toContain('(Chicago)');
  expect(another).toBeUndefined();
});

test('mails about a second change also tell a first that they replace', async () => {
  const { scenario, app } = await openBookedScenario();
  const tell = (studio: { city?: string; time_zone?: string }) =>
    changeStudio(scenario, { studio, tell_clients: true, keep: 'clock_times' });
  await tell({ time_zone: 'America/Los_Angeles', city: 'Wrongtown' });
  await tell({ time_zone: CHICAGO, city: 'New York' });
  await endUndoTime(app);
  expect(await takeNewNotices(app)).toEqual([
    'moved to rosa@example.com',
    'moved to rosa@example.com, dropped',
  ]);
  const [mail] = await app.mailsAbout(/^New time zone/);
  expect(mail?.text).toMatch(/Before:[^:]*:\d\d [AP]M[^)]*\(New\s+York\)/);
  // A change and back leaves nothing to tell.
  await tell({ city: 'Wrongtown' });
  await tell({ city: 'New York' });
  await endUndoTime(app);
  expect(await takeNewNotices(app)).toEqual(['moved to rosa@example.com, dropped']);
});

test('undoing is refused when it is too late', async () => {
  const scenario = await openScenario();
  const { app, artist } = scenario;
  const refused = () => app.call('POST /users/me/studio-change/undo', { token: artist.token });
  const answer = { status: 409, body: { detail: 'It is too late to undo this.' } };
  expect(await refused()).toMatchObject(answer);
  await changeStudio(scenario, { studio: { city: 'Boston' } });
  await endUndoTime(app);
  expect(await refused()).toMatchObject(answer);
});

test('undoing is refused, and nothing changes, when an earlier time was booked since', async () => {
  const { scenario, app, artist, slot, id } = await openBookedScenario();
  await changeStudio(scenario, {
    studio: { time_zone: CHICAGO },
    keep: 'clock_times',
    tell_clients: true,
  });
  await bookSlot(app, artist, slot);
  const response = await app.call('POST /users/me/studio-change/undo', { token: artist.token });
  expect(response).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('has been booked since') },
  });
  expect(await load(scenario, id)).toMatchObject(shiftSlot(slot, 60));
  await endUndoTime(app);
  expect(await takeNewNotices(app)).toContain('moved to rosa@example.com');
});

test('undoing leaves an appointment alone that the artist moved since, and a name that changed since', async () => {
  const { scenario, artist, slot, id } = await openBookedScenario();
  await changeStudio(scenario, { studio: { time_zone: CHICAGO }, keep: 'clock_times' });
  const later = shiftSlot(slot, 600);
  await call(artist.http, changeAppointment, { path: { appt_id: id }, body: later });
  await changeStudio(scenario, { studio: { name: 'Quint' } });
  const { studio } = await undo(scenario);
  expect(studio).toMatchObject({ name: 'Quint', time_zone: 'America/New_York' });
  expect(await load(scenario, id)).toMatchObject(later);
});
