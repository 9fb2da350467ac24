import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Appointment } from '#contract/appointment.ts';
import {
  changeAppointment,
  changeClient,
  changeSchedule,
  confirmAppointment,
  fetchAppointment,
  moveAsClient,
} from '#contract/endpoints.ts';
import { MAILED_UNDO_MS } from '#domain/mail/mail.ts';
import { MINUTE_MS } from '#domain/time/time.ts';
import { readMailedEntry } from '#support/mail_calendar.ts';
import { bookSlot, findSlot, openTestApp, shiftSlot } from '#support/test_app.ts';
import { passTime } from '#support/time_travel.ts';

interface Slot {
  readonly start: string;
  readonly end: string;
}

type Scenario = Awaited<ReturnType<typeof openScenario>>;

/** An appointment that its client has chosen, and confirmed unless `held`. Its mails are sent. */
async function openScenario(status: 'held' | 'confirmed' = 'confirmed') {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const { id } = await bookSlot(app, artist, slot);
  if (status === 'confirmed') await call(app.http(), confirmAppointment, { path: { appt_id: id } });
  await app.runJobs();
  await app.runMinutelyTasks(Date.now() + 3 * MINUTE_MS);
  await app.runJobs();
  // The mail of a hold that was confirmed.
  await app.database.deleteFrom('mails').where('status', '=', 'dropped').execute();
  return { app, artist, id, slot };
}

function load({ artist, id }: Scenario): Promise<Appointment> {
  return call(artist.http, fetchAppointment, { path: { appt_id: id } });
}

async function move(scenario: Scenario, { start, end }: Slot): Promise<Appointment> {
  const { artist, id } = scenario;
  const { version } = await load(scenario);
  return call(artist.http, changeAppointment, {
    path: { appt_id: id },
    body: { start, end, version },
  });
}

/** The mails to the client so far: their kinds and what became of them. */
async function listMails({ app, id }: Scenario): Promise<string[]> {
  await app.runJobs();
  const rows = await app.database
    .selectFrom('mails')
    .select(['notice', 'status'])
    .where('thread', '=', `${id}:client`)
    .orderBy('position')
    .execute();
  return rows.map(({ notice, status }) => `${notice.kind} ${status}`);
}

/** Lets the mails go out that wait for an Undo. The API takes only whole minutes. */
async function endUndo({ app }: Scenario): Promise<void> {
  expect(MAILED_UNDO_MS).toBeLessThanOrEqual(MINUTE_MS);
  await passTime(app.database, MINUTE_MS);
  await app.runMinutelyTasks();
  await app.runJobs();
}

test.for([
  ['a move of a held', 'held', 60],
  ['a move of a confirmed', 'confirmed', 60],
  ['a longer time of a confirmed', 'confirmed', 0],
] as const)(
  'a client reads nothing of %s appointment that the artist undoes',
  async ([, status, minutes]) => {
    const scenario = await openScenario(status);
    const { slot } = scenario;
    const [first] = await listMails(scenario);
    const { start } = shiftSlot(slot, minutes);
    await move(scenario, { start, end: shiftSlot(slot, 60).end });
    await scenario.app.runJobs();
    await move(scenario, slot);
    const moves = (await listMails(scenario)).slice(1);
    expect(first).toMatch(/sent$/);
    expect(moves).toHaveLength(2);
    expect(moves.every((mail) => mail.endsWith('dropped'))).toBe(true);
    await endUndo(scenario);
    expect((await listMails(scenario)).filter((mail) => mail.endsWith('sent'))).toEqual([first]);
  },
);

test('a move back after the mail is mailed too, and the calendar entry follows', async () => {
  const scenario = await openScenario();
  await move(scenario, shiftSlot(scenario.slot, 60));
  await endUndo(scenario);
  // Time has passed: the stored times are other ones now.
  const { start, end } = await load(scenario);
  await move(scenario, shiftSlot({ start: String(start), end: String(end) }, -60));
  expect((await listMails(scenario)).at(-1)).toBe('moved queued');
  await endUndo(scenario);
  expect(await listMails(scenario)).toEqual(['booked sent', 'moved sent', 'moved sent']);
  const entries = (await scenario.app.mails()).flatMap((mail) => readMailedEntry(mail) ?? []);
  const [booked, ...moves] = entries.filter(({ uid }) => uid === entries.at(-1)?.uid);
  expect(moves.map(({ method }) => method)).toEqual(['REQUEST', 'REQUEST']);
  expect(moves.at(-1)?.sequence).toBeGreaterThan(moves[0]?.sequence ?? Number.NaN);
  expect(moves[0]?.sequence).toBeGreaterThan(booked?.sequence ?? Number.NaN);
});

test('after an undone move, the next move has the time that the client knows and a greater SEQUENCE', async () => {
  const scenario = await openScenario();
  const { app, slot } = scenario;
  const [booking] = (await app.mailsAbout(/booked/i)).map(readMailedEntry);
  await move(scenario, shiftSlot(slot, 60));
  await app.runJobs();
  await move(scenario, slot);
  await app.runJobs();
  await move(scenario, shiftSlot(slot, 120));
  await app.runJobs();
  await endUndo(scenario);
  const sent = await app.database
    .selectFrom('mails')
    .select('notice')
    .where('thread', '=', `${scenario.id}:client`)
    .where('status', '=', 'sent')
    .orderBy('position')
    .execute();
  expect(sent.map(({ notice }) => notice)).toMatchObject([
    { kind: 'booked' },
    { kind: 'moved', appointment: { movedFrom: Date.parse(slot.start) - MINUTE_MS } },
  ]);
  const last = (await app.mails()).map(readMailedEntry).at(-1);
  expect(last).toMatchObject({ method: 'REQUEST', uid: booking?.uid });
  expect(last?.sequence).toBeGreaterThan(Number(booking?.sequence));
});

test('a client who moves their appointment while a move by the artist waits is mailed at once', async () => {
  const scenario = await openScenario();
  const { app, artist, id, slot } = scenario;
  await call(artist.http, changeSchedule, { body: { client_move_notice_hours: 0 } });
  await move(scenario, shiftSlot(slot, 60));
  await app.runJobs();
  await call(app.http(), moveAsClient, { path: { appt_id: id }, body: slot });
  expect(await listMails(scenario)).toEqual(['booked sent', 'moved dropped', 'moved sent']);
});

test('a corrected email does not end the wait of a mail that the artist can undo', async () => {
  const scenario = await openScenario('held');
  const { app, artist } = scenario;
  await move(scenario, shiftSlot(scenario.slot, 60));
  await app.runJobs();
  const { client } = await load(scenario);
  await call(artist.http, changeClient, {
    path: { client_id: String(client.id) },
    body: { email: 'rosa.quint@example.com' },
  });
  await app.runMinutelyTasks();
  expect((await listMails(scenario)).at(-1)).toBe('hold queued');
  await endUndo(scenario);
  expect((await app.mails()).at(-1)?.to?.[0]?.address).toBe('rosa.quint@example.com');
});
