import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Confirmation } from '#contract/appointment.ts';
import {
  cancelAsClient,
  changeAppointment,
  changeMe,
  changeSchedule,
  confirmAppointment,
  declineOffer,
  deleteAppointment,
  moveAsClient,
  releaseHold,
} from '#contract/endpoints.ts';
import { endUndoTime, startAppointment, takeNewNotices } from '#support/app_rows.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';
import {
  addMinutes,
  FILLED_FORM,
  findSlot,
  openTestApp,
  requestSlot,
  shiftSlot,
  type TestApp,
} from '#support/test_app.ts';

const ROSA = 'rosa@example.com';

type Scenario = Awaited<ReturnType<typeof openScenario>>;
type Start = 'requested' | 'held' | 'offered' | 'booked';

/** An artist with one appointment, and no mails yet. */
async function openScenario(start: Start) {
  const app = await openTestApp({ database: 'own' });
  const managed = start === 'requested' || start === 'offered';
  const artist = await app.newArtist({ scheduling_type: managed ? 'managed' : 'service' });
  const notices = { client_cancel_notice_hours: 0, client_move_notice_hours: 0 };
  await call(artist.http, changeSchedule, { body: notices });
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

function createRequest(app: TestApp, { username }: TestArtist) {
  return app.call<Confirmation>(`POST /appointments/request/design?username=${username}`, {
    json: FILLED_FORM,
  });
}

function confirm({ app, id }: Scenario) {
  return call(app.http(), confirmAppointment, { path: { appt_id: id } });
}

function change({ app, artist: { token }, id }: Scenario, json: Record<string, unknown>) {
  return call(app.http(token), changeAppointment, { path: { appt_id: id }, body: json });
}

async function moveByClient({ app, artist, id }: Scenario) {
  const body = await findSlot(app, artist, 24 * 8);
  await call(app.http(), moveAsClient, { path: { appt_id: id }, body });
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

/** The first status, what happens, and the expected mails; `artist` is the artist's address. */
const CASES: readonly (readonly [
  Start,
  string,
  (scenario: Scenario) => Promise<unknown>,
  readonly string[],
])[] = [
  [
    'held',
    'the client confirms many times at once',
    (scenario) => Promise.all(Array.from({ length: 5 }, () => confirm(scenario))),
    [`booked to ${ROSA}`, 'new_booking to artist'],
  ],
  ['offered', 'the client confirms', confirm, [`booked to ${ROSA}`, 'new_booking to artist']],
  [
    'offered',
    'the client declines',
    ({ app, id }) => call(app.http(), declineOffer, { path: { appt_id: id } }),
    ['offer_declined to artist'],
  ],
  [
    'held',
    'the client releases it',
    ({ app, id }) => call(app.http(), releaseHold, { path: { appt_id: id } }),
    [],
  ],
  [
    'booked',
    'the client cancels',
    ({ app, id }) => call(app.http(), cancelAsClient, { path: { appt_id: id }, body: {} }),
    [`cancelled to ${ROSA}`, 'client_cancelled to artist'],
  ],
  ['booked', 'the client moves it', moveByClient, ['client_moved to artist', `moved to ${ROSA}`]],
  ['offered', 'the artist sets another time', setAnotherTime, [`offer to ${ROSA}`]],
  ['held', 'the artist sets another time', setAnotherTime, [`hold to ${ROSA}`]],
  ['booked', 'the artist sets another time', setAnotherTime, [`moved to ${ROSA}`]],
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
    'the artist moves it into the past, and cancels it',
    async (scenario) => {
      await change(scenario, { start: '2026-01-05T10:00:00Z', end: '2026-01-05T10:59:00Z' });
      await change(scenario, { status: 'cancelled' });
    },
    [`cancelled to ${ROSA}`, `moved to ${ROSA}, dropped`],
  ],
  [
    'booked',
    'the studio moves',
    (scenario) => moveStudio(scenario, { address_one: '2 New Street' }),
    [`moved to ${ROSA}`],
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
