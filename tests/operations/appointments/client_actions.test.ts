import { describe, expect, test } from 'vitest';
import { call } from '#client/call.ts';
import {
  cancelAsClient,
  changeAppointment,
  changeClient,
  changeEmailAsClient,
  changeSchedule,
  changeService,
  confirmAppointment,
  declineOffer,
  fetchConfirmation,
  fetchConfirmationPage,
  listAppointmentEvents,
  listClients,
  moveAsClient,
  proveEmailChange,
  requestDesign,
} from '#contract/endpoints.ts';
import { NOT_TAKING_BOOKINGS_TEXT } from '#domain/accounts/subscription.ts';
import { toEmailHint } from '#domain/mail/mailbox.ts';
import { RateLimited } from '#domain/refusal.ts';
import { HOUR_MS, toRfc3339 } from '#domain/time/time.ts';
import { updateArtist } from '#server/database/artists.ts';
import {
  changeEmailAsClient as changeEmail,
  moveAsClient as moveAppointment,
} from '#server/operations/appointments/client_actions.ts';
import { insertMessage } from '#server/operations/clients/messages.ts';
import { signLink } from '#server/operations/mail/mail_tokens.ts';
import {
  addDesignRow,
  expireAppointment,
  loadAppointmentRow,
  takeNewNotices,
} from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { refusalOf } from '#support/call_api.ts';
import { addAppointment, addArtist, NOON } from '#support/database_rows.ts';
import type { TestArtist } from '#support/new_artist.ts';
import {
  DESIGN_GONE,
  OFFER_ENDED,
  SERVICE_GONE,
  TIME_TAKEN,
  UNKNOWN_ID,
  WRONG_FLOW,
} from '#support/problems.ts';
import {
  addMinutes,
  bookSlot,
  FILLED_FORM,
  findSlot,
  listSlots,
  requestSlot,
  shiftSlot,
  TOKEN_KEYS,
} from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

// `flows/appointment_model.test.ts` tries every action in every status.

const ROSA = 'rosa@example.com';

/** A client with a hold that their artist has not seen yet. */
async function openHold() {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const slot = await findSlot(app, artist, 24 * 5);
  const design = await addDesignRow(app, artist);
  const held = await bookSlot(app, artist, slot, { design_id: design.id });
  const path = { appt_id: held.id };
  const correct = (email: string) =>
    call(app.http(), changeEmailAsClient, { path, body: { email } });
  return { app, artist, slot, id: held.id, path, correct };
}
type Scenario = Awaited<ReturnType<typeof openHold>>;

/** A request to an artist who sets the times. */
async function openRequest() {
  const { app, artist } = await openArtistApp({ database: 'own' }, { scheduling_type: 'managed' });
  const request = { query: { username: artist.username }, body: FILLED_FORM };
  const { id } = await call(app.http(), requestDesign, request);
  return { app, artist, path: { appt_id: id } };
}

/**
 * What the artist changes after a hold has expired, the refusal of its client's confirmation, and what the
 * page offers. The page does not judge the time, because its refusal names others.
 */
const CHANGES: [string, (scenario: Scenario) => Promise<unknown>, object, string[]][] = [
  [
    'on a day that is closed now',
    ({ artist, slot }) => {
      const dates = [-1, 0, 1].map((days) => addMinutes(slot.start, days * 1440).slice(0, 10));
      const exceptions = dates.map((date) => ({ date, windows: [] }));
      return call(artist.http, changeSchedule, { body: { exceptions } });
    },
    { ...TIME_TAKEN, body: { nearest: [{}, {}, {}] } },
    ['confirm'],
  ],
  [
    'of a service that has another length now',
    (scenario) => changeTheService(scenario, { duration: 90 }),
    { body: { detail: 'This service has changed. Please choose again.' } },
    [],
  ],
  [
    'of a service that is hidden now',
    (scenario) => changeTheService(scenario, { is_available: false }),
    SERVICE_GONE,
    [],
  ],
  [
    'of a design that is claimed now',
    ({ app }) => app.database.updateTable('designs').set({ status: 'claimed' }).execute(),
    DESIGN_GONE,
    [],
  ],
  [
    'with an artist who sets the times now',
    ({ app }) => app.database.updateTable('artists').set({ scheduling_type: 'managed' }).execute(),
    WRONG_FLOW,
    [],
  ],
];

function changeTheService({ artist }: Scenario, body: object) {
  return call(artist.http, changeService, { path: { service_id: artist.service.id }, body });
}

test.for(CHANGES)('an expired hold is not booked again %s', async ([, change, refusal, can]) => {
  const scenario = await openHold();
  const { app, id, path } = scenario;
  await expireAppointment(app, id);
  const read = () => call(app.http(), fetchConfirmation, { path });
  expect((await read()).can).toEqual(['confirm']);
  await change(scenario);
  expect((await read()).can).toEqual(can);
  expect(await refusalOf(call(app.http(), confirmAppointment, { path }))).toMatchObject(refusal);
});

test('a hold that lost its time can be confirmed once the next one has expired too', async () => {
  const { app, artist, slot, id, path } = await openHold();
  await expireAppointment(app, id);
  const next = await bookSlot(app, artist, slot, { email: 'otto@example.com' });
  const confirm = () => call(app.http(), confirmAppointment, { path });
  expect(await refusalOf(confirm())).toMatchObject(TIME_TAKEN);
  await expireAppointment(app, next.id);
  expect(await confirm()).toMatchObject({ status: 'confirmed' });
  const lost = await loadAppointmentRow(app, next.id);
  expect(lost).toEqual({ status: 'expired', occupies: false });
});

test('a hold of a deactivated artist cannot be confirmed before its deadline, but released', async () => {
  const { app, artist, path } = await openHold();
  await updateArtist(app.database, artist.self.id, { is_active: false });
  const { can } = await call(app.http(), fetchConfirmation, { path });
  expect(can).toEqual(['release', 'change_email']);
  const confirm = call(app.http(), confirmAppointment, { path });
  expect(await refusalOf(confirm)).toMatchObject({ body: { detail: NOT_TAKING_BOOKINGS_TEXT } });
});

test('a client who confirms is informed that the offer has ended, also after a correction of the email', async () => {
  const { app, artist, path } = await openRequest();
  const body = { ...(await findSlot(app, artist, 24 * 5)), note: 'In the back room' };
  await call(artist.http, changeAppointment, { path, body });
  await expireAppointment(app, path.appt_id);
  expect((await call(app.http(), fetchConfirmation, { path })).note).toBeNull();
  await call(app.http(), changeEmailAsClient, { path, body: { email: 'maria@example.com' } });
  const confirm = call(app.http(), confirmAppointment, { path });
  expect(await refusalOf(confirm)).toMatchObject(OFFER_ENDED);
  expect(await call(app.http(), declineOffer, { path })).toMatchObject({ status: 'requested' });
});

/** A confirmed appointment that its client may move. */
async function openMovable() {
  const scenario = await openHold();
  const { app, artist, path } = scenario;
  await call(app.http(), confirmAppointment, { path });
  await call(artist.http, changeSchedule, { body: { client_move_notice_hours: 0 } });
  const move = (body: { start: string; end: string }) =>
    call(app.http(), moveAsClient, { path, body });
  return { ...scenario, move, other: await findSlot(app, artist, 24 * 8) };
}

test('a client who moves to a listed time of the service’s length frees the earlier one', async () => {
  const { app, artist, slot, path, move, other } = await openMovable();
  const longer = move({ ...other, end: addMinutes(other.end, 15) });
  expect((await refusalOf(longer)).status).toBe(422);
  const moved = await move(other);
  expect(moved).toMatchObject({ ...other, status: 'confirmed', version: 3 });
  expect(await listSlots(app, artist)).toContainEqual(slot);
  const { data } = await call(artist.http, listAppointmentEvents, { path });
  const times = { from_start: slot.start, to_start: other.start };
  expect(data.at(-1)).toMatchObject({ by: 'client', what: 'moved', ...times });
});

test('a client who moves to a taken time is refused with the nearest free ones, and keeps their time', async () => {
  const { app, artist, slot, id, move, other } = await openMovable();
  await bookSlot(app, artist, other);
  const refusal = await refusalOf(move(other));
  expect(refusal).toMatchObject({ ...TIME_TAKEN, body: { nearest: [{}, {}, {}] } });
  expect(await loadAppointmentRow(app, id)).toEqual({ status: 'confirmed', occupies: true });
  expect(await listSlots(app, artist)).not.toContainEqual(slot);
});

test('a new pick may overlap the client’s earlier hold that it replaces, and frees it', async () => {
  const { app, artist, slot, id } = await openHold();
  expect(await requestSlot(app, artist, slot)).toMatchObject(TIME_TAKEN);
  const again = await requestSlot(app, artist, slot, { replaces: id });
  expect(again).toMatchObject({ status: 201, body: { ...slot, status: 'held' } });
  expect(await loadAppointmentRow(app, id)).toEqual({ status: 'cancelled', occupies: false });
});

test('a new pick replaces no booked appointment, and none of another artist', async () => {
  const { app, artist, id, other } = await openMovable();
  const stranger = await app.newArtist();
  const foreign = await bookSlot(app, stranger, await findSlot(app, stranger));
  for (const [nth, replaces] of [id, foreign.id, UNKNOWN_ID].entries()) {
    const response = await requestSlot(app, artist, shiftSlot(other, nth * 60), { replaces });
    expect(response.status).toBe(201);
  }
  expect(await loadAppointmentRow(app, id)).toEqual({ status: 'confirmed', occupies: true });
  expect(await loadAppointmentRow(app, foreign.id)).toEqual({ status: 'held', occupies: true });
});

test('a queued mail to the artist shows the email that the client has corrected', async () => {
  const { app, path } = await openRequest();
  await call(app.http(), changeEmailAsClient, { path, body: { email: 'right@example.com' } });
  const [mail] = await app.mailsAbout(/^New request/);
  expect(JSON.stringify(mail?.replyTo)).toContain('right@example.com');
  expect(mail?.text).toContain('right@example.com');
  expect(mail?.text).not.toContain(ROSA);
});

test('an email that is not proven changes before and after the confirmation, with its mail', async () => {
  const { app, artist, path, correct } = await openHold();
  await correct('rosa@example.org');
  // It waits for the confirmation.
  expect(await takeNewNotices(app)).toContain('hold to rosa@example.org, queued');
  await call(app.http(), confirmAppointment, { path });
  expect((await correct('maria@example.org')).can).not.toContain('change_email');
  const right = await refusalOf(correct('maria@example.org'));
  expect(right).toMatchObject({ status: 409 });
  expect(await refusalOf(correct('otto@example.org'))).toEqual(right);
  expect(await takeNewNotices(app)).toEqual([
    'booked to maria@example.org',
    'booked to maria@example.org, dropped',
    `new_booking to ${artist.self.email}`,
  ]);
});

test('an ended offer is mailed as ended, although its client asks for the present email', async () => {
  const { app, artist, path } = await openRequest();
  const body = { start: toRfc3339(NOON), end: toRfc3339(NOON + HOUR_MS) };
  await call(artist.http, changeAppointment, { path, body });
  await takeNewNotices(app);
  await expireAppointment(app, path.appt_id);
  await call(app.http(), changeEmailAsClient, { path, body: { email: FILLED_FORM.email } });
  const mails = [`offer_ended to ${FILLED_FORM.email}`, `offer_lapsed to ${artist.self.email}`];
  expect(await takeNewNotices(app)).toEqual(mails);
});

/** A client who has used the mailed link asks for another email, and gets a link for it. */
async function openProven() {
  const scenario = await openHold();
  const { app, artist, id, path } = scenario;
  const body = { mail_token: signLink(TOKEN_KEYS, 'appointment', [], [id, ROSA]) };
  await call(app.http(), confirmAppointment, { path, body });
  await takeNewNotices(app);
  const asked = await scenario.correct('maria@example.org');
  const [mail] = await app.mailsAbout(/^Another email/);
  const [, token = ''] = /email_change=(\S+)/.exec(mail?.text ?? '') ?? [];
  const prove = (change_token = token) =>
    call(app.http(), proveEmailChange, { path, body: { change_token } });
  const [client] = (await call(artist.http, listClients, {})).data;
  const changeRecord = (changes: object) =>
    call(artist.http, changeClient, { path: { client_id: client?.id ?? '' }, body: changes });
  return { ...scenario, ...body, asked, mail, token, prove, client, changeRecord };
}

test('a proven email stays until the link is used that is mailed to it; the artist’s client keeps theirs', async () => {
  const scenario = await openProven();
  const { app, artist, path, mail_token, token, asked, mail, prove, client } = scenario;
  const hints = { email_hint: 'r•••@example.com', new_email_hint: 'm•••@example.org' };
  expect(asked).toMatchObject({ ...hints, version: 2 });
  expect(mail?.to?.[0]?.address).toBe(ROSA);
  expect(mail?.text).toContain('maria@example.org');
  expect(await refusalOf(prove(mail_token))).toMatchObject({ status: 400 });
  const read = async (change_token?: string) =>
    (await call(app.http(), fetchConfirmationPage, { path, query: { change_token } })).new_email;
  expect([await read(), await read(mail_token), await read(token)]).toEqual([
    ...[null, null, 'maria@example.org'],
  ]);
  await scenario.changeRecord({ notes: 'Latex' });
  // As with a mailbox of a public provider.
  await app.database.updateTable('appointments').set({ counts_for_limits: false }).execute();
  for (const _ of ['once', 'again'])
    expect(await prove()).toMatchObject({ email_hint: 'm•••@example.org', new_email_hint: null });
  expect(await takeNewNotices(app)).toContain('booked to maria@example.org');
  const { data } = await call(artist.http, listClients, {});
  const isOld = ({ id }: { id: string }) => id === client?.id;
  expect(data.filter(isOld)).toMatchObject([{ email: ROSA, notes: 'Latex' }]);
  expect(data.filter((one) => !isOld(one))).toMatchObject([
    { email: 'maria@example.org', notes: '' },
  ]);
  const counted = app.database.selectFrom('appointments').select('counts_for_limits');
  expect(await counted.executeTakeFirst()).toEqual({ counts_for_limits: true });
});

test('each wish for another mailbox is mailed a link, repeats too; the proven mailbox in another spelling is answered alike', async () => {
  const { app, path, correct, asked } = await openProven();
  const times = new Set([asked.new_email_asked_at]);
  const linksAfter = async (email: string) => {
    const new_email_hint = toEmailHint(email);
    const { new_email_asked_at, ...answer } = await correct(email);
    times.add(new_email_asked_at);
    expect({ ...asked, ...answer }).toEqual({ ...asked, new_email_hint });
    return (await app.mailsAbout(/^Another email/)).length;
  };
  expect(await linksAfter('Maria@example.org')).toBe(2);
  expect(await linksAfter('rosa+ink@example.com')).toBe(2);
  expect(await linksAfter('maria@example.org')).toBe(3);
  expect(times.size).toBe(4);
  // Its link cannot be used any more.
  const cancelled = await call(app.http(), cancelAsClient, { path });
  expect(cancelled).toMatchObject({ new_email_hint: null, new_email_asked_at: null });
});

test('a correction by the artist ends the link for good, is in the history, and leaves the client their own two', async () => {
  const { artist, path, correct, prove, changeRecord } = await openProven();
  for (const email of ['otto@example.com', ROSA, 'otto@example.com']) {
    await changeRecord({ email });
    expect(await refusalOf(prove())).toMatchObject({ status: 400 });
  }
  const { data } = await call(artist.http, listAppointmentEvents, { path });
  expect(data.at(-1)).toMatchObject({ by: 'artist', what: 'email_changed' });
  const asked = await correct('maria@example.org');
  expect(asked.can).toContain('change_email');
  expect(asked.email_hint).toBe('o•••@example.com');
  // Who reads the mails to the earlier email.
  expect(await refusalOf(prove())).toMatchObject({ status: 400 });
});

describe('the client record of a mistyped email', () => {
  async function clientEmails({ http }: TestArtist) {
    const { data } = await call(http, listClients, {});
    return data.map(({ email }) => email).toSorted();
  }

  test('is deleted once its only appointment has another email', async () => {
    const { artist, correct } = await openHold();
    await correct('rosa@example.org');
    expect(await clientEmails(artist)).toEqual(['rosa@example.org']);
    await correct('maria@example.org');
    expect(await clientEmails(artist)).toEqual(['maria@example.org']);
  });

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
    await scenario.correct('maria@example.org');
    expect(await clientEmails(scenario.artist)).toEqual(['maria@example.org', ROSA]);
  });
});

describe('limits of one appointment, which count no unknown ids', () => {
  const caller = () => ({ network: '192.0.2.1', now: Date.now() });

  async function openCounted() {
    const { context } = await openTestContext({ hasLimitsPerTime: true });
    const { database } = context;
    return { database, context, id: await addAppointment(database, await addArtist(database)) };
  }

  test('a client may ask to move it 20 times a day, without repeats', async () => {
    const { context, id } = await openCounted();
    const ask = (hours: number, asked = id) => {
      const start = toRfc3339(NOON + hours * HOUR_MS);
      const move = { start, end: addMinutes(start, 59), version: 1 };
      return moveAppointment(context, asked, caller(), move);
    };
    for (let n = 1; n <= 20; n += 1) {
      await expect(ask(n)).rejects.toMatchObject({ reason: 'moving_not_allowed' });
      await expect(ask(n, UNKNOWN_ID)).rejects.toMatchObject({ reason: 'not_found' });
      expect(await ask(0)).toMatchObject({ id });
    }
    await expect(ask(1)).rejects.toBeInstanceOf(RateLimited);
  });

  test('whoever knows the page may ask for ten emails a day, guesses included, and the owner of the mailed link for ten more', async () => {
    const { database, context, id } = await openCounted();
    await database.updateTable('appointments').set({ email_proven: true, email: ROSA }).execute();
    const ask = (n: number, mail_token?: string, asked = id) =>
      changeEmail(context, asked, caller(), { email: `maria${n}@example.com`, mail_token });
    const mailToken = signLink(context.tokenKeys, 'appointment', [], [id, ROSA]);
    for (const token of ['wrong', mailToken]) {
      await expect(ask(1, token, UNKNOWN_ID)).rejects.toMatchObject({ reason: 'not_found' });
      for (const n of [1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
        expect(await ask(n, token)).toMatchObject({ id });
      for (const n of [5, 6]) await expect(ask(n, token)).rejects.toBeInstanceOf(RateLimited);
    }
  });
});
