import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import * as calls from '#contract/endpoints.ts';
import { HOUR_MS, toRfc3339 } from '#domain/time/time.ts';
import { checkZoneData } from '#server/doctor/zone_data.ts';
import { endUndoTime, expireAppointment, takeNewNotices } from '#support/app_rows.ts';
import { addMinutes, bookSlot, findSlot, openTestApp } from '#support/test_app.ts';

const path = (appt_id: string) => ({ path: { appt_id } });
/** In New York's winter, when no clocks change. */
const TEN = Date.UTC(new Date().getUTCFullYear() + 2, 0, 9, 15);
const at = (hours: number) => toRfc3339(TEN + hours * HOUR_MS);
const local = (hours: number) => toRfc3339(TEN + (hours - 5) * HOUR_MS).slice(0, 16);
const timeAt = (hours: number) => ({ start: at(hours), end: addMinutes(at(hours), 59) });
const TO_CHICAGO = { time_zone: 'America/Chicago' };

async function setUp() {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const client = { first_name: 'Rosa', email: 'rosa@example.com' };
  const enter = (hours: number) =>
    call(artist.http, calls.createAppointment, { body: { client, ...timeAt(hours) } });
  const agreed = async () => {
    const { rows } = await sql<{ text: string }>`
      SELECT concat_ws(' ', agreed_local, agreed_zone) AS text FROM appointment_times ORDER BY during
    `.execute(app.database);
    return rows.map(({ text }) => text);
  };
  /** As if, since these were agreed, new rules had made clocks show an hour more. */
  const changeRules = async (...appointments: readonly { id: string }[]) => {
    await sql`UPDATE appointment_times SET agreed_local = to_char(
      agreed_local::timestamp - interval '1 hour', 'YYYY-MM-DD"T"HH24:MI')
      WHERE appointment_id = any(${appointments.map(({ id }) => id)}::uuid[])`.execute(
      app.database,
    );
  };
  const list = () => call(artist.http, calls.listTimeChanges, {});
  const ids = async () => (await list()).data.map(({ id, version }) => ({ id, version }));
  const send = (json: object, { token } = artist) =>
    app.call('POST /appointments/time_changes', { token, json });
  return { app, artist, http: artist.http, enter, agreed, changeRules, list, ids, send };
}

test('the time on the clock is agreed anew by each booking, offer, move, confirmation and change of the zone, and its undo', async () => {
  const { app, artist, http, agreed, changeRules, list, ids } = await setUp();
  const held = await bookSlot(app, artist, await findSlot(app, artist, 40));
  expect(await agreed()).toEqual([expect.stringMatching(/^\d.* America\/New_York$/)]);
  await call(http, calls.changeAppointment, { ...path(held.id), body: timeAt(0) });
  expect(await agreed()).toEqual([`${local(0)} America/New_York`]);
  await changeRules(held);
  expect((await list()).count).toBe(1);
  // The page shows clients the new time on the clock, which they confirm: no undo takes it back.
  await call(http, calls.answerTimeChanges, { body: { keep: 'moments', ids: await ids() } });
  await call(app.http(), calls.confirmAppointment, path(held.id));
  await call(http, calls.undoTimeChanges);
  expect(await agreed()).toEqual([`${local(0)} America/New_York`]);
  // Also when clocks no longer show the agreed time: clients know it.
  for (const rules of [0, -1, -2]) {
    // Clocks in Chicago show an hour less.
    const kept = [['moments', 0, -1] as const, ['clock_times', 1 + rules, rules] as const];
    for (const [keep, start, clock] of kept) {
      await call(http, calls.changeMe, { body: { studio: TO_CHICAGO, keep } });
      expect(await agreed()).toEqual([`${local(clock)} America/Chicago`]);
      expect(await call(http, calls.fetchAppointment, path(held.id))).toMatchObject(timeAt(start));
      await call(http, calls.undoStudioChange);
      expect(await agreed()).toEqual([`${local(rules)} America/New_York`]);
    }
    await changeRules(held);
  }
});

test('rows of older servers get what clocks show now; what is over, lapsed or cancelled is never listed, and the doctor counts the rest', async () => {
  const { app, artist, http, enter, agreed, changeRules, list } = await setUp();
  const [past, kept, cancelled] = [await enter(-40_000), await enter(0), await enter(2)];
  const lapsed = await bookSlot(app, artist, await findSlot(app, artist, 40));
  const unknown = { agreed_local: null, agreed_zone: null };
  await app.database.updateTable('appointment_times').set(unknown).execute();
  await app.runMinutelyTasks();
  expect((await agreed()).at(-2)).toBe(`${local(0)} America/New_York`);
  const body = { status: 'cancelled' } as const;
  await call(http, calls.changeAppointment, { ...path(cancelled.id), body });
  await expireAppointment(app, lapsed.id);
  await changeRules(past, kept, cancelled, lapsed);
  const listed = { id: kept.id, start: at(0), agreed: { local: local(-1) } };
  expect(await list()).toMatchObject({ data: [listed], count: 1 });
  const message = expect.stringContaining(' 1 appointment would begin at another clock time');
  expect(await checkZoneData(app)).toMatchObject({ status: 'warning', message });
  // An older server changes the zone and does not know what was agreed.
  await app.database.updateTable('studios').set({ time_zone: 'America/Chicago' }).execute();
  expect((await list()).count).toBe(0);
  expect(await checkZoneData(app)).toMatchObject({ status: 'ok' });
  await app.runMinutelyTasks();
  expect((await agreed()).at(-2)).toBe(`${local(-1)} America/Chicago`);
});

test.each([
  ['clock_times', [at(-1), at(0)], /^New clock rules: .* at 9:00/, /same time on the clocks/],
  ['moments', [at(0), at(1)], /^New clock rules: .* at 10:00/, /Before:\s.*9:00 AM/],
] as const)(
  'the artist keeps %s, mails nobody unasked, and can undo it',
  async (keep, after, subject, text) => {
    const { app, http, enter, changeRules, ids, send } = await setUp();
    const starts = async () => {
      const { data } = await call(http, calls.listAppointments, { query: { order: 'soonest' } });
      return data.map(({ start }) => start);
    };
    // Back to back: they must move together.
    await changeRules(await enter(0), await enter(1));
    await takeNewNotices(app);
    const seen = await ids();
    const done = { status: 200, body: { data: [], count: 0 } };
    expect(await send({ keep, ids: seen })).toMatchObject(done);
    expect(await starts()).toEqual(after);
    // Its result stands; the opposite, and mails, are not what stands.
    expect(await send({ keep, ids: seen })).toMatchObject(done);
    const opposite = keep === 'moments' ? 'clock_times' : 'moments';
    for (const other of [{ keep: opposite }, { keep, tell_clients: true }])
      expect((await send({ ...other, ids: seen })).status).toBe(409);
    await call(http, calls.undoTimeChanges);
    await call(http, calls.undoTimeChanges);
    expect(await starts()).toEqual([at(0), at(1)]);
    const id = seen[0]?.id ?? '';
    const { data: events } = await call(http, calls.listAppointmentEvents, path(id));
    expect(events.map(({ what, to_start }) => [what, to_start])).toEqual([
      ['entered', at(0)],
      ['rules_changed', after[0]],
      ['change_undone', at(0)],
    ]);
    await endUndoTime(app);
    expect(await takeNewNotices(app)).toEqual([]);
    const told = { keep, ids: await ids(), tell_clients: true };
    for (const _ of ['first', 'again']) expect(await send(told)).toMatchObject(done);
    await endUndoTime(app);
    expect((await app.mailsAbout(subject))[0]?.text).toMatch(text);
  },
);

test.each([
  ['moments', null, /^New clock rules: .* 10:00/, /Before:\s.*9:00 AM/],
  ['moments', { city: 'Rye' }, /^New address and clock rules: .* 10:00/, /Before:\s.*9:00 AM/],
  ['clock_times', { city: 'Rye' }, /^New address and clock rules: .* 9:00/, /and\snew clock rules/],
  ['moments', TO_CHICAGO, /^New time zone: .* 9:00/, /9:00\s+AM\s+E[SD]T,\s+Eastern/],
] as const)('a mail that waits keeps its news (%s) after an untold change: %o', async (...row) => {
  const { app, http, enter, changeRules, ids, send } = await setUp();
  const [keep, studio, subject, text] = row;
  await changeRules(await enter(0), await enter(2));
  await takeNewNotices(app);
  const answerFirst = async (tell_clients: boolean) => {
    const answer = { keep, ids: (await ids()).slice(0, 1), tell_clients };
    expect((await send(answer)).status).toBe(200);
  };
  await answerFirst(true);
  await (studio ? call(http, calls.changeMe, { body: { studio } }) : answerFirst(false));
  await endUndoTime(app);
  const mails = await app.mailsAbout(/^New /);
  const expected = { subject: expect.stringMatching(subject), text: expect.stringMatching(text) };
  expect(mails).toEqual([expect.objectContaining(expected)]);
});

test.each([[], [{ city: 'Rye' }]])('a mail tells of a skipped agreed time: %o', async (...all) => {
  const { app, http, enter, changeRules, ids, send } = await setUp();
  // The second Sunday in March, when New York skips the hour from 2:00.
  const year = new Date(TEN).getUTCFullYear();
  const sunday = 14 - new Date(Date.UTC(year, 2, 0)).getUTCDay();
  await changeRules(await enter((Date.UTC(year, 2, sunday, 7, 30) - TEN) / HOUR_MS));
  await takeNewNotices(app);
  await send({ keep: 'clock_times', ids: await ids(), tell_clients: true });
  for (const studio of all) await call(http, calls.changeMe, { body: { studio } });
  await endUndoTime(app);
  const [mail] = await app.mailsAbout(/^New .*clock rules: .* at 3:00 AM/);
  expect(mail?.text).toMatch(/Clocks\s+there\s+skip.*Before:\s[^:]*2:30 AM/s);
});

test('an answer that is repeated from an old list must stand as a whole, with its mails', async () => {
  const { enter, changeRules, ids, send } = await setUp();
  await changeRules(await enter(0), await enter(2));
  const [one, other] = await ids();
  const answer = async (tell_clients: boolean, ...of: (typeof one)[]) =>
    (await send({ keep: 'moments', ids: of, tell_clients })).status;
  expect(await answer(true, other)).toBe(200);
  expect(await answer(false, other, one)).toBe(409);
  expect(await answer(false, one)).toBe(200);
  // Only the other's mail waits.
  expect([await answer(true, one), await answer(false, one)]).toEqual([409, 200]);
});

test('an overlap, an old version or another’s appointment refuses an answer as a whole; each undo is of its own kind', async () => {
  const { app, artist, enter, changeRules, list, send } = await setUp();
  const [{ id: firstId }, changed] = [await enter(0), await enter(1)];
  await changeRules(changed);
  const before = await list();
  const toIds = (version = before.data[0]?.version) => [{ id: changed.id, version }];
  expect((await send({ keep: 'clock_times', ids: toIds() })).status).toBe(409);
  expect((await send({ keep: 'moments', ids: toIds(9) })).status).toBe(409);
  expect((await send({ keep: 'moments', ids: toIds() }, await app.newArtist())).status).toBe(404);
  expect(await list()).toEqual(before);
  const undo = (path: string) => app.call(path, { token: artist.token });
  await call(artist.http, calls.changeMe, { body: { studio: { city: 'Boston' } } });
  expect((await undo('DELETE /appointments/time_changes')).status).toBe(409);
  // One that clocks show as agreed stays, but another version of it may have another time.
  const seen = toIds((await list()).data[0]?.version);
  const answer = async (version: number) =>
    (await send({ keep: 'moments', ids: [{ id: firstId, version }, ...seen] })).status;
  expect([await answer(1), await answer(2), await answer(2)]).toEqual([409, 200, 200]);
  expect((await undo('POST /users/me/studio-change/undo')).status).toBe(409);
  const body = { status: 'cancelled' } as const;
  await call(artist.http, calls.changeAppointment, { ...path(changed.id), body });
  expect(await answer(2)).toBe(409);
});
