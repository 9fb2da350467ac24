import { describe, expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { AppointmentEvent, Confirmation } from '#contract/appointment.ts';
import type { ListPage } from '#contract/common.ts';
import {
  cancelAsClient,
  changeAppointment,
  changeClient,
  changeDesign,
  changeEmailAsClient,
  changeSchedule,
  changeService,
  confirmAppointment,
  declineOffer,
  fetchConfirmation,
  listAppointmentEvents,
  listClients,
  moveAsClient,
  releaseHold,
  requestDesign,
} from '#contract/endpoints.ts';
import { RateLimited } from '#domain/refusal.ts';
import { HOUR_MS } from '#domain/time.ts';
import { updateArtist } from '#server/database/artists.ts';
import { insertMessage } from '#server/database/messages.ts';
import { createEventCounter } from '#server/database/rate_limits.ts';
import { moveAsClient as moveAppointment } from '#server/operations/client_actions.ts';
import {
  addDesignRow,
  expireAppointment,
  loadAppointmentRow,
  startAppointment,
  takeNewNotices,
} from '#support/app_rows.ts';
import { refusalOf } from '#support/call_api.ts';
import { addAppointment, addArtist } from '#support/database_rows.ts';
import type { TestArtist } from '#support/new_artist.ts';
import {
  APPOINTMENT_CHANGED,
  DESIGN_GONE,
  NOT_BEGUN,
  OFFER_ENDED,
  SERVICE_GONE,
  TIME_TAKEN,
  UNKNOWN_ID,
  validationProblem,
  WRONG_FLOW,
} from '#support/problems.ts';
import {
  addMinutes,
  bookSlot,
  FILLED_FORM,
  findSlot,
  listSlots,
  openTestApp,
  requestSlot,
  type TestApp,
} from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

const ROSA = 'rosa@example.com';

/** A client with a hold that their artist has not seen yet. */
async function openHold() {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist, 24 * 5);
  const held = await bookSlot(app, artist, slot);
  return { app, artist, slot, id: held.id, path: { appt_id: held.id } };
}

async function openBooking() {
  const scenario = await openHold();
  await call(scenario.app.http(), confirmAppointment, { path: scenario.path });
  await takeNewNotices(scenario.app);
  return scenario;
}

async function openOffer() {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const request = { query: { username: artist.username }, body: FILLED_FORM };
  const { id } = await call(app.http(), requestDesign, request);
  const slot = await findSlot(app, artist, 24 * 5);
  const path = { appt_id: id };
  await call(artist.http, changeAppointment, { path, body: { ...slot, note: 'In the back room' } });
  await takeNewNotices(app);
  return { app, artist, slot, id, path };
}

async function whatHappened({ http }: TestArtist, id: string) {
  const { data } = await call(http, listAppointmentEvents, { path: { appt_id: id } });
  return data.map(({ by, what }) => `${what} by ${by}`);
}

describe('confirming an expired hold is judged as a new booking', () => {
  async function openExpiredHold() {
    const scenario = await openHold();
    await expireAppointment(scenario.app, scenario.id);
    const { app, path } = scenario;
    return { ...scenario, confirm: () => call(app.http(), confirmAppointment, { path }) };
  }

  test('a day that the artist closed is refused, with the nearest free times', async () => {
    const { artist, slot, confirm } = await openExpiredHold();
    const dates = [-1, 0, 1].map((days) => addMinutes(slot.start, days * 1440).slice(0, 10));
    const exceptions = dates.map((date) => ({ date, windows: [] }));
    await call(artist.http, changeSchedule, { body: { exceptions } });
    const refusal = await refusalOf(confirm());
    expect(refusal).toMatchObject(TIME_TAKEN);
    expect(refusal.body).toMatchObject({ nearest: [{}, {}, {}] });
  });

  test('a service of another length is refused', async () => {
    const { artist, confirm } = await openExpiredHold();
    const path = { service_id: artist.service.id };
    await call(artist.http, changeService, { path, body: { duration: 90 } });
    const detail = 'This service has changed. Please choose again.';
    expect(await refusalOf(confirm())).toMatchObject({ status: 409, body: { detail } });
  });

  test('an artist who sets the times now is refused', async () => {
    const { app, artist, confirm } = await openExpiredHold();
    await updateArtist(app.database, artist.self.id, { scheduling_type: 'managed' });
    expect(await refusalOf(confirm())).toMatchObject(WRONG_FLOW);
  });

  test('the page offers to confirm only what is not refused for its service', async () => {
    const { app, artist, path, confirm } = await openExpiredHold();
    const read = () => app.call<Confirmation>(`GET /appointments/confirmation/${path.appt_id}`);
    expect((await read()).body.can).toEqual(['confirm']);
    const ofService = { path: { service_id: artist.service.id } };
    await call(artist.http, changeService, { ...ofService, body: { is_available: false } });
    expect((await read()).body.can).toEqual([]);
    expect(await refusalOf(confirm())).toMatchObject(SERVICE_GONE);
  });

  test('a design that is claimed is refused', async () => {
    const app = await openTestApp();
    const artist = await app.newArtist();
    const design = await addDesignRow(app, artist);
    const held = await bookSlot(app, artist, await findSlot(app, artist), { design_id: design.id });
    await expireAppointment(app, held.id);
    const path = { design_id: design.id };
    await call(artist.http, changeDesign, { path, body: { status: 'claimed' } });
    const confirm = call(app.http(), confirmAppointment, { path: { appt_id: held.id } });
    expect(await refusalOf(confirm)).toMatchObject(DESIGN_GONE);
  });
});

test('a hold of a deactivated artist cannot be confirmed, also before its deadline', async () => {
  const { app, artist, path, id } = await openHold();
  await updateArtist(app.database, artist.self.id, { is_active: false });
  expect(await refusalOf(call(app.http(), confirmAppointment, { path }))).toMatchObject({
    status: 409,
  });
  expect(await loadAppointmentRow(app, id)).toMatchObject({ status: 'held' });
});

test('a client confirms the version that they saw', async () => {
  const { app, artist, path, slot } = await openHold();
  const http = app.http();
  await call(artist.http, changeAppointment, { path, body: await findSlot(app, artist, 200) });
  const stale = call(http, confirmAppointment, { path, body: { version: 1 } });
  expect(await refusalOf(stale)).toMatchObject(APPOINTMENT_CHANGED);
  const confirmed = await call(http, confirmAppointment, { path, body: { version: 2 } });
  expect(confirmed).toMatchObject({ status: 'confirmed', version: 3 });
  expect(confirmed.start).not.toBe(slot.start);
  // The result stands, so the version does not matter.
  const again = await call(http, confirmAppointment, { path, body: { version: 1 } });
  expect(again).toEqual(confirmed);
});

test('a confirmation names a time that the appointment has', async () => {
  const { app, path } = await openHold();
  const unknown = call(app.http(), confirmAppointment, { path, body: { time_id: UNKNOWN_ID } });
  expect(await refusalOf(unknown)).toMatchObject(APPOINTMENT_CHANGED);
  const { body } = await app.call<Confirmation>(`GET /appointments/confirmation/${path.appt_id}`);
  const [time] = body.times;
  const named = { path, body: { time_id: time?.id } };
  expect(await call(app.http(), confirmAppointment, named)).toMatchObject({ status: 'confirmed' });
});

describe('a client who releases a hold', () => {
  test('frees the time, and nobody is mailed', async () => {
    const { app, artist, slot, path, id } = await openHold();
    await takeNewNotices(app);
    const released = await call(app.http(), releaseHold, { path });
    expect(released).toMatchObject({ status: 'cancelled', can: [], times: [] });
    expect(await listSlots(app, artist)).toContainEqual(slot);
    expect(await takeNewNotices(app)).toEqual([]);
    expect(await whatHappened(artist, id)).toEqual(['held by client', 'released by client']);
    expect(await call(app.http(), releaseHold, { path })).toEqual(released);
  });
});

describe('a client who declines an offer', () => {
  test('reopens the request, frees the time, and the artist is mailed', async () => {
    const { app, artist, slot, path, id } = await openOffer();
    const body = { note: 'I am away that week.' };
    const declined = await call(app.http(), declineOffer, { path, body });
    expect(declined).toMatchObject({ status: 'requested', start: null, times: [], note: null });
    expect(await listSlots(app, artist)).toContainEqual(slot);
    expect(await takeNewNotices(app)).toEqual([`offer_declined to ${artist.self.email}`]);
    expect(await whatHappened(artist, id)).toEqual([
      'requested by client',
      'offered by artist',
      'offer_declined by client',
    ]);
    expect(await call(app.http(), declineOffer, { path })).toEqual(declined);
    const again = await call(artist.http, changeAppointment, { path, body: slot });
    expect(again).toMatchObject({ status: 'offered', note: null });
  });

  test('declines only the offer that they saw: not one that the artist has moved meanwhile', async () => {
    const { app, artist, path } = await openOffer();
    const { version } = await call(app.http(), fetchConfirmation, { path });
    const [other] = (await listSlots(app, artist)).slice(-1);
    if (!other) throw new Error('The artist has no slots');
    await call(artist.http, changeAppointment, {
      path,
      body: { start: other.start, end: other.end },
    });
    const body = { version };
    expect(await refusalOf(call(app.http(), declineOffer, { path, body }))).toMatchObject(
      APPOINTMENT_CHANGED,
    );
    expect(await call(app.http(), fetchConfirmation, { path })).toMatchObject({
      status: 'offered',
      start: other.start,
    });
  });

  test('is informed that the offer has ended, also after a correction of the email', async () => {
    const { app, path, id } = await openOffer();
    await expireAppointment(app, id);
    const email = { path, body: { email: 'maria@example.com' } };
    await call(app.http(), changeEmailAsClient, email);
    expect(await refusalOf(call(app.http(), confirmAppointment, { path }))).toMatchObject(
      OFFER_ENDED,
    );
    expect(await call(app.http(), declineOffer, { path })).toMatchObject({ status: 'requested' });
  });

  test('after its deadline changes nothing, and the request is open', async () => {
    const { app, path, id } = await openOffer();
    await expireAppointment(app, id);
    const lapsed = await call(app.http(), fetchConfirmation, { path });
    expect(lapsed).toMatchObject({ status: 'requested', start: null, cancel_until: null });
    const declined = await call(app.http(), declineOffer, { path });
    expect(declined).toMatchObject({ status: 'requested', version: 2 });
    const confirm = call(app.http(), confirmAppointment, { path });
    expect(await refusalOf(confirm)).toMatchObject(OFFER_ENDED);
  });
});

describe('a deadline that passed is stored before what happens next', () => {
  test('a client who cancels after their offer ended cancels a request without a time', async () => {
    const { app, artist, path, id } = await openOffer();
    await expireAppointment(app, id);
    const cancelled = await call(app.http(), cancelAsClient, { path });
    expect(cancelled).toMatchObject({ status: 'cancelled', start: null, note: null });
    expect((await whatHappened(artist, id)).slice(-2)).toEqual([
      'offer_lapsed by system',
      'cancelled by client',
    ]);
  });

  test('an artist who declines after their offer ended declines a request', async () => {
    const { app, artist, path, id } = await openOffer();
    await expireAppointment(app, id);
    const body = { status: 'declined' } as const;
    const declined = await call(artist.http, changeAppointment, { path, body });
    expect(declined).toMatchObject({ status: 'declined', start: null, note: null });
    expect((await whatHappened(artist, id)).slice(-2)).toEqual([
      'offer_lapsed by system',
      'declined by artist',
    ]);
  });

  test('a client who confirms an expired hold confirms what has expired', async () => {
    const { app, artist, path, id } = await openHold();
    await expireAppointment(app, id);
    await call(app.http(), confirmAppointment, { path });
    expect(await whatHappened(artist, id)).toEqual([
      'held by client',
      'expired by system',
      'confirmed by client',
    ]);
  });
});

describe('a client who cancels', () => {
  test('within the notice frees the time; both are mailed', async () => {
    const { app, artist, slot, path } = await openBooking();
    const body = { note: 'I am ill.', version: 2 };
    const cancelled = await call(app.http(), cancelAsClient, { path, body });
    expect(cancelled).toMatchObject({ status: 'cancelled', version: 3 });
    expect(await listSlots(app, artist)).toContainEqual(slot);
    expect(await takeNewNotices(app)).toEqual([
      `cancelled to ${ROSA}`,
      `client_cancelled to ${artist.self.email}`,
    ]);
    const stale = { path, body: { version: 1 } };
    expect(await call(app.http(), cancelAsClient, stale)).toEqual(cancelled);
  });

  test('too late, or where the artist does not allow it, is refused with words', async () => {
    const { app, artist, path } = await openBooking();
    const setNotice = (client_cancel_notice_hours: number | null) =>
      call(artist.http, changeSchedule, { body: { client_cancel_notice_hours } });
    await setNotice(8760);
    expect(await refusalOf(call(app.http(), cancelAsClient, { path }))).toMatchObject({
      status: 409,
      body: { detail: 'It is too late to cancel this here. Please write to the artist.' },
    });
    await setNotice(null);
    expect(await refusalOf(call(app.http(), cancelAsClient, { path }))).toMatchObject({
      status: 409,
      body: { detail: 'This appointment cannot be cancelled here. Please write to the artist.' },
    });
    const { body } = await app.call<Confirmation>(`GET /appointments/confirmation/${path.appt_id}`);
    expect(body).toMatchObject({ status: 'confirmed', can: [] });
  });
});

describe('a client who moves', () => {
  async function openMovable() {
    const scenario = await openBooking();
    const body = { client_move_notice_hours: 0 };
    await call(scenario.artist.http, changeSchedule, { body });
    return scenario;
  }

  test('to a listed time frees the earlier one; both are mailed', async () => {
    const { app, artist, slot, path, id } = await openMovable();
    const next = await findSlot(app, artist, 24 * 8);
    const moved = await call(app.http(), moveAsClient, { path, body: next });
    expect(moved).toMatchObject({ ...next, status: 'confirmed', version: 3 });
    expect(await listSlots(app, artist)).toContainEqual(slot);
    expect(await takeNewNotices(app)).toEqual([
      `client_moved to ${artist.self.email}`,
      `moved to ${ROSA}`,
    ]);
    expect(await call(app.http(), moveAsClient, { path, body: next })).toEqual(moved);
    const { data } = await app
      .call<ListPage<AppointmentEvent>>(`GET /appointments/${id}/history`, { token: artist.token })
      .then(({ body }) => body);
    expect(data.at(-1)).toMatchObject({
      by: 'client',
      what: 'moved',
      from_start: slot.start,
      to_start: next.start,
    });
  });

  test('to a taken time is refused with the nearest free ones, and keeps their time', async () => {
    const { app, artist, slot, path, id } = await openMovable();
    const taken = await findSlot(app, artist, 24 * 8);
    await bookSlot(app, artist, taken);
    const refusal = await refusalOf(call(app.http(), moveAsClient, { path, body: taken }));
    expect(refusal).toMatchObject({ ...TIME_TAKEN, body: { nearest: [{}, {}, {}] } });
    expect(await loadAppointmentRow(app, id)).toEqual({ status: 'confirmed', occupies: true });
    expect(await listSlots(app, artist)).not.toContainEqual(slot);
  });

  test('where the artist does not allow it is refused with words', async () => {
    const { app, artist, path } = await openBooking();
    const body = await findSlot(app, artist, 24 * 8);
    expect(await refusalOf(call(app.http(), moveAsClient, { path, body }))).toMatchObject({
      status: 409,
      body: { detail: 'This appointment cannot be moved here. Please write to the artist.' },
    });
  });

  test('with an end that does not belong to the service is invalid', async () => {
    const { app, artist, path } = await openMovable();
    const { start, end } = await findSlot(app, artist, 24 * 8);
    const body = { start, end: addMinutes(end, 15) };
    expect(await refusalOf(call(app.http(), moveAsClient, { path, body }))).toMatchObject(
      validationProblem(['body', 'end'], 'This service has changed. Please choose again.'),
    );
  });
});

test('a queued mail to the artist shows the email that the client has corrected', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const request = { query: { username: artist.username }, body: FILLED_FORM };
  const { id } = await call(app.http(), requestDesign, request);
  const body = { email: 'right@example.com' };
  await call(app.http(), changeEmailAsClient, { path: { appt_id: id }, body });
  const [mail] = await app.mailsAbout(/^New request/);
  expect(JSON.stringify(mail?.replyTo)).toContain('right@example.com');
  expect(mail?.text).toContain('right@example.com');
  expect(mail?.text).not.toContain(ROSA);
});

test('a client corrects their email twice before they confirm; the link goes to the new address', async () => {
  const { app, artist, path, id } = await openHold();
  const change = (email: string) =>
    call(app.http(), changeEmailAsClient, { path, body: { email } });
  await takeNewNotices(app);
  expect(await change('rosa@example.org')).toMatchObject({
    email_hint: 'r•••@example.org',
    version: 2,
    can: ['confirm', 'release', 'change_email'],
  });
  // Repeated, it changes nothing.
  expect(await change('Rosa@example.org')).toMatchObject({ version: 2 });
  expect(await change('maria@example.org')).toMatchObject({
    version: 3,
    can: ['confirm', 'release'],
  });
  // The mail of a hold waits for the confirmation.
  expect(await takeNewNotices(app)).toContain('hold to maria@example.org, queued');
  expect(await refusalOf(change('rosa@example.net'))).toMatchObject({ status: 409 });
  const { body } = await app.call<{ client: { email: string } }>(`GET /appointments/${id}`, {
    token: artist.token,
  });
  expect(body.client.email).toBe('maria@example.org');
});

test('a correction by the artist is in the history and leaves the client their own two', async () => {
  const { app, artist, path, id } = await openHold();
  const correct = async (email: string) => {
    const { data } = await call(artist.http, listClients, {});
    const [client] = data;
    if (!client) throw new Error('There is no client');
    await call(artist.http, changeClient, { path: { client_id: client.id }, body: { email } });
  };
  await correct('rosa@example.org');
  await correct('maria@example.org');
  expect(await whatHappened(artist, id)).toEqual([
    'held by client',
    'email_changed by artist',
    'email_changed by artist',
  ]);
  const body = { email: 'maria@example.net' };
  expect(await call(app.http(), changeEmailAsClient, { path, body })).toMatchObject({
    can: ['confirm', 'release', 'change_email'],
  });
});

describe('the client record of a mistyped email', () => {
  async function clientEmails({ http }: TestArtist) {
    const { data } = await call(http, listClients, {});
    return data.map(({ email }) => email).toSorted();
  }
  const correct = ({ app, path }: Awaited<ReturnType<typeof openHold>>, email: string) =>
    call(app.http(), changeEmailAsClient, { path, body: { email } });

  test('is deleted once its only appointment has another email', async () => {
    const scenario = await openHold();
    await correct(scenario, 'rosa@example.org');
    expect(await clientEmails(scenario.artist)).toEqual(['rosa@example.org']);
    await correct(scenario, 'maria@example.org');
    expect(await clientEmails(scenario.artist)).toEqual(['maria@example.org']);
  });

  type Scenario = Awaited<ReturnType<typeof openHold>>;
  async function changeRecord({ artist }: Scenario, body: object) {
    const [client] = (await call(artist.http, listClients, {})).data;
    await call(artist.http, changeClient, { path: { client_id: client?.id ?? '' }, body });
  }

  test.for<[string, (scenario: Scenario) => Promise<unknown>]>([
    [
      'with another appointment',
      async ({ app, artist }) => bookSlot(app, artist, await findSlot(app, artist, 24 * 8)),
    ],
    [
      'with details that the artist has changed',
      (scenario) => changeRecord(scenario, { phone_number: '+12125550123' }),
    ],
    ['with notes of the artist', (scenario) => changeRecord(scenario, { notes: 'Latex' })],
    [
      'with a message to the artist',
      ({ app, artist }) =>
        insertMessage(app.database, {
          ...{ name: 'Rosa', email: 'Rosa@example.com', message: 'Hello' },
          artist_id: artist.self.id,
        }),
    ],
    [
      'if it is older than the appointment',
      ({ app }) =>
        app.database
          .updateTable('clients')
          .set({ created_at: new Date(Date.now() - HOUR_MS) })
          .execute(),
    ],
  ])('stays %s', async ([, prepare]) => {
    const scenario = await openHold();
    await prepare(scenario);
    await correct(scenario, 'maria@example.org');
    expect(await clientEmails(scenario.artist)).toEqual(['maria@example.org', ROSA]);
  });
});

describe('a new pick that replaces the client’s earlier hold', () => {
  test('may overlap it, and frees it', async () => {
    const { app, artist, slot, id } = await openHold();
    expect(await requestSlot(app, artist, slot)).toMatchObject(TIME_TAKEN);
    const again = await requestSlot(app, artist, slot, { replaces: id });
    expect(again).toMatchObject({ status: 201, body: { ...slot, status: 'held' } });
    expect(await loadAppointmentRow(app, id)).toEqual({ status: 'cancelled', occupies: false });
    expect(await whatHappened(artist, id)).toEqual(['held by client', 'released by client']);
  });

  test('keeps it when the new time is taken', async () => {
    const { app, artist, id } = await openHold();
    const taken = await findSlot(app, artist, 24 * 8);
    await bookSlot(app, artist, taken);
    expect(await requestSlot(app, artist, taken, { replaces: id })).toMatchObject(TIME_TAKEN);
    expect(await loadAppointmentRow(app, id)).toEqual({ status: 'held', occupies: true });
  });

  test('does not touch a booked appointment, or one of another artist', async () => {
    const { app, artist, id } = await openBooking();
    const other = await app.newArtist();
    const foreign = await bookSlot(app, other, await findSlot(app, other));
    for (const replaces of [id, foreign.id, UNKNOWN_ID])
      expect(
        await requestSlot(app, artist, await findSlot(app, artist, 24 * 8), { replaces }),
      ).toMatchObject({ status: 201 });
    expect(await loadAppointmentRow(app, id)).toEqual({ status: 'confirmed', occupies: true });
    expect(await loadAppointmentRow(app, foreign.id)).toEqual({ status: 'held', occupies: true });
  });
});

describe('an artist', () => {
  const change = (app: TestApp, { token }: TestArtist, id: string, json: object) =>
    app.call(`PATCH /appointments/${id}`, { token, json });

  test('marks an appointment only after its start, and corrects the mark', async () => {
    const { app, artist, id } = await openBooking();
    expect(await change(app, artist, id, { status: 'completed' })).toMatchObject(NOT_BEGUN);
    await startAppointment(app, id);
    for (const status of ['completed', 'no_show', 'confirmed', 'no_show', 'completed'])
      expect(await change(app, artist, id, { status })).toMatchObject({ body: { status } });
    expect(await takeNewNotices(app)).toEqual([]);
    expect(await loadAppointmentRow(app, id)).toEqual({ status: 'completed', occupies: false });
  });

  test('who moves a future booking into the past and cancels it tells its client', async () => {
    const { app, artist, id } = await openBooking();
    const past = { start: '2026-01-05T10:00:00Z', end: '2026-01-05T10:59:00Z' };
    expect(await change(app, artist, id, past)).toMatchObject({ body: past });
    expect(await change(app, artist, id, { status: 'cancelled' })).toMatchObject({ status: 200 });
    expect(await takeNewNotices(app)).toContain(`cancelled to ${ROSA}`);
  });

  test('who cancels what is over mails nobody', async () => {
    const { app, artist, id } = await openBooking();
    await startAppointment(app, id);
    await app.database
      .updateTable('appointment_times')
      .set({ during: '[2026-01-01T10:00Z,2026-01-01T11:00Z)' })
      .set({ blocked: '[2026-01-01T10:00Z,2026-01-01T11:00Z)' })
      .where('appointment_id', '=', id)
      .execute();
    expect(await change(app, artist, id, { status: 'cancelled' })).toMatchObject({ status: 200 });
    expect(await takeNewNotices(app)).toEqual([]);
  });

  test('reads an offer’s note back, and so does the client, until the offer ends', async () => {
    const { app, artist, path, id } = await openOffer();
    const read = () => app.call<Confirmation>(`GET /appointments/confirmation/${path.appt_id}`);
    expect((await read()).body.note).toBe('In the back room');
    await expireAppointment(app, id);
    expect((await read()).body.note).toBeNull();
    await app.runMinutelyTasks();
    expect((await read()).body).toMatchObject({ note: null, status: 'requested', version: 2 });
    expect(await takeNewNotices(app)).toEqual([
      `offer_ended to ${ROSA}`,
      `offer_lapsed to ${artist.self.email}`,
    ]);
    expect(await whatHappened(artist, id)).toEqual([
      'requested by client',
      'offered by artist',
      'offer_lapsed by system',
    ]);
  });
});

test('a client may ask to move one appointment twenty times a day', async () => {
  const { database } = await openTestApp();
  const { context } = await openTestContext({ countEvent: createEventCounter(database) });
  const id = await addAppointment(database, await addArtist(database));
  const body = { start: '2030-01-01T10:00:00Z', end: '2030-01-01T10:59:00Z', version: 1 };
  const move = () => moveAppointment(context, id, '192.0.2.1', body);
  for (let n = 0; n < 20; n += 1) await expect(move()).rejects.not.toBeInstanceOf(RateLimited);
  await expect(move()).rejects.toBeInstanceOf(RateLimited);
});
