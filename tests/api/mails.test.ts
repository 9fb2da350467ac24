import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { ClientRecord } from '#contract/client.ts';
import type { ListPage } from '#contract/common.ts';
import {
  changeAppointment,
  changeClient,
  confirmAppointment,
  deleteAppointment,
  fetchAppointment,
  fetchConfirmation,
  listClients,
  recoverPassword,
  requestDesign,
  resendMail,
} from '#contract/endpoints.ts';
import type { OutgoingMail } from '#contract/mail.ts';
import { type Mail, type Mailer, MailFailure } from '#server/mail/mailer.ts';
import { expireAppointment, startAppointment } from '#support/app_rows.ts';
import { expectOk, refusalOf } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { NOT_FOUND, UNKNOWN_ID, validationProblem } from '#support/problems.ts';
import {
  bookSlot,
  FILLED_FORM,
  findSlot,
  openTestApp,
  shiftSlot,
  type TestApp,
} from '#support/test_app.ts';

const ROSA = 'rosa@example.com';
const RIGHT = 'rosa.quint@example.com';
const NO_LONGER_SO = {
  status: 409,
  body: { detail: 'What this mail says is no longer so, or it is on its way already.' },
};

/** Records the mails it sends, and fails for the addresses in `failures`. */
function createFakeMailer() {
  const sent: Mail[] = [];
  const failures = new Map<string, MailFailure>();
  const mailer: Mailer = {
    async send(mail) {
      const failure = failures.get(mail.to);
      if (failure) throw failure;
      sent.push(mail);
    },
    close() {},
  };
  return { sent, failures, mailer };
}

function loadMails(app: TestApp, { token }: TestArtist, query = '') {
  return expectOk(app.call<ListPage<OutgoingMail>>(`GET /mails/?${query}`, { token }));
}

async function findMail(app: TestApp, artist: TestArtist, kind: string): Promise<OutgoingMail> {
  const { data } = await loadMails(app, artist);
  const mail = data.find((one) => one.kind === kind);
  if (!mail) throw new Error(`There is no mail of the kind ${kind}`);
  return mail;
}

function postResend(app: TestApp, { token }: TestArtist, id: string, json: object = {}) {
  return app.call<OutgoingMail>(`POST /mails/${id}/send-again`, { token, json });
}

function change(app: TestApp, { token }: TestArtist, id: string, json: object) {
  return call(app.http(token), changeAppointment, { path: { appt_id: id }, body: json });
}

async function loadOnlyClient(app: TestApp, { token }: TestArtist): Promise<ClientRecord> {
  const { data } = await call(app.http(token), listClients);
  const [client] = data;
  if (!client || data.length > 1) throw new Error('There is not exactly one client');
  return client;
}

/** One confirmed appointment, whose mails were all sent. */
async function openWithBooking(mailer?: Mailer) {
  const app = await openTestApp({ database: 'own', ...(mailer && { mailer }) });
  const artist = await app.newArtist({ viaSignup: true });
  const slot = await findSlot(app, artist, 40);
  const { id } = await bookSlot(app, artist, slot);
  await call(app.http(), confirmAppointment, { path: { appt_id: id } });
  await app.runJobs();
  return { app, artist, id, slot };
}

test('artists see their mails newest first, without password recovery mails', async () => {
  const { app, artist, id } = await openWithBooking();
  await call(app.http(), recoverPassword, { path: { email: artist.self.email } });
  await app.runJobs();
  const { data, count } = await loadMails(app, artist);
  expect(count).toBe(4);
  expect(
    data
      .map(({ kind, recipient }) => `${kind} to ${recipient}`)
      .slice(0, 2)
      .sort(),
  ).toEqual(['booked to client', 'new_booking to artist']);
  expect(data.slice(2).map(({ kind }) => kind)).toEqual(['hold', 'welcome']);
  expect(await findMail(app, artist, 'booked')).toEqual({
    id: expect.any(String),
    appointment_id: id,
    kind: 'booked',
    hours_ahead: null,
    recipient: 'client',
    address: ROSA,
    status: 'saved',
    failure: null,
    waits_until: null,
    waits_for: null,
    can_send_again: true,
    created_at: expect.stringMatching(/Z$/),
    settled_at: expect.stringMatching(/Z$/),
  });
  expect(await findMail(app, artist, 'welcome')).toMatchObject({
    appointment_id: null,
    recipient: 'artist',
    can_send_again: false,
  });
});

test('mails are filtered by appointment and status, with pagination', async () => {
  const { app, artist, id } = await openWithBooking();
  const about = await loadMails(app, artist, `appointment_id=${id}`);
  expect(about.data.map(({ kind }) => kind).sort()).toEqual(['booked', 'hold', 'new_booking']);
  await change(app, artist, id, { status: 'cancelled' });
  const queued = await loadMails(app, artist, 'status=queued');
  expect(queued.data).toMatchObject([{ kind: 'cancelled', settled_at: null }]);
  const page = await loadMails(app, artist, 'skip=1&limit=2');
  expect([page.count, page.data.length]).toEqual([5, 2]);
  expect(await loadMails(app, artist, `appointment_id=${UNKNOWN_ID}`)).toEqual({
    data: [],
    count: 0,
    sends_mail: false,
  });
});

test("another artist's mails cannot be listed or resent", async () => {
  const { app, artist, id } = await openWithBooking();
  const other = await app.newArtist();
  const { id: mail } = await findMail(app, artist, 'booked');
  expect((await loadMails(app, other, `appointment_id=${id}`)).count).toBe(0);
  expect(
    await refusalOf(call(other.http, resendMail, { path: { mail_id: mail }, body: {} })),
  ).toMatchObject(NOT_FOUND);
  expect(
    await refusalOf(
      call(other.http, resendMail, { path: { mail_id: mail }, body: { email: RIGHT } }),
    ),
  ).toMatchObject(NOT_FOUND);
});

test('a resent mail contains the current state of the appointment', async () => {
  const fakeMailer = createFakeMailer();
  const { app, artist, id, slot } = await openWithBooking(fakeMailer.mailer);
  await change(app, artist, id, shiftSlot(slot, 60));
  await app.runJobs();
  const booked = await findMail(app, artist, 'booked');
  const resent = await postResend(app, artist, booked.id);
  expect(resent).toMatchObject({
    status: 201,
    body: { kind: 'booked', status: 'queued', address: ROSA, can_send_again: false },
  });
  expect(resent.body.id).not.toBe(booked.id);
  const before = fakeMailer.sent.length;
  await app.runJobs();
  expect(fakeMailer.sent.slice(before)).toMatchObject([{ id: resent.body.id, to: ROSA }]);
  const { notice } = await app.database
    .selectFrom('mails')
    .select('notice')
    .where('id', '=', resent.body.id)
    .executeTakeFirstOrThrow();
  const start = Date.parse(slot.start) + 3_600_000;
  expect(notice).toMatchObject({ kind: 'booked', appointment: { version: 3, time: { start } } });
});

test('of concurrent requests to resend a mail, one succeeds, and a queued mail cannot be resent', async () => {
  const { app, artist } = await openWithBooking();
  const { id } = await findMail(app, artist, 'booked');
  const responses = await Promise.all([1, 2, 3, 4].map(() => postResend(app, artist, id)));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  const [resent] = responses.filter(({ status }) => status === 201);
  expect(
    await refusalOf(
      call(artist.http, resendMail, { path: { mail_id: resent?.body.id ?? '' }, body: {} }),
    ),
  ).toMatchObject(NO_LONGER_SO);
  await app.runJobs();
  expect((await postResend(app, artist, resent?.body.id ?? '')).status).toBe(201);
});

test('mails that no longer apply, or whose appointment was deleted, cannot be resent', async () => {
  const { app, artist, id } = await openWithBooking();
  const [hold, booked] = [
    await findMail(app, artist, 'hold'),
    await findMail(app, artist, 'booked'),
  ];
  expect([hold.can_send_again, booked.can_send_again]).toEqual([false, true]);
  expect(
    await refusalOf(call(artist.http, resendMail, { path: { mail_id: hold.id }, body: {} })),
  ).toMatchObject(NO_LONGER_SO);
  const welcome = await findMail(app, artist, 'welcome');
  expect(
    await refusalOf(call(artist.http, resendMail, { path: { mail_id: welcome.id }, body: {} })),
  ).toMatchObject(NO_LONGER_SO);
  await change(app, artist, id, { status: 'cancelled' });
  await app.runJobs();
  expect(
    await refusalOf(call(artist.http, resendMail, { path: { mail_id: booked.id }, body: {} })),
  ).toMatchObject(NO_LONGER_SO);
  const cancelled = await findMail(app, artist, 'cancelled');
  expect(cancelled.can_send_again).toBe(true);
  await call(app.http(artist.token), deleteAppointment, { path: { appt_id: id } });
  expect(await findMail(app, artist, 'cancelled')).toMatchObject({
    appointment_id: null,
    can_send_again: false,
  });
  expect(
    await refusalOf(call(artist.http, resendMail, { path: { mail_id: cancelled.id }, body: {} })),
  ).toMatchObject(NO_LONGER_SO);
});

test('the mail of an expired hold cannot be resent', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const { id } = await bookSlot(app, artist, await findSlot(app, artist));
  await app.runJobs();
  // It waits for the client to confirm on the page.
  expect(await findMail(app, artist, 'hold')).toMatchObject({ status: 'queued' });
  await app.runMinutelyTasks(Date.now() + 3 * 60_000);
  await app.runJobs();
  expect(await findMail(app, artist, 'hold')).toMatchObject({
    status: 'saved',
    can_send_again: true,
  });
  await expireAppointment(app, id);
  const hold = await findMail(app, artist, 'hold');
  expect(hold.can_send_again).toBe(false);
  expect(
    await refusalOf(call(artist.http, resendMail, { path: { mail_id: hold.id }, body: {} })),
  ).toMatchObject(NO_LONGER_SO);
});

test('a reminder cannot be resent once its appointment has begun', async () => {
  const { app, artist, id, slot } = await openWithBooking();
  const start = Date.parse(slot.start);
  await app.runMinutelyTasks(start - 25 * 3_600_000);
  await app.runMinutelyTasks(start - 24 * 3_600_000);
  await app.runJobs();
  expect(await findMail(app, artist, 'reminder')).toMatchObject({
    hours_ahead: 24,
    can_send_again: true,
  });
  await startAppointment(app, id);
  expect(await findMail(app, artist, 'reminder')).toMatchObject({ can_send_again: false });
});

test('when the mail server is down, mails stay queued with the reason', async () => {
  const fakeMailer = createFakeMailer();
  fakeMailer.failures.set(
    ROSA,
    new MailFailure('The mail server cannot be reached.', { isPermanent: false }),
  );
  const { app, artist, id } = await openWithBooking(fakeMailer.mailer);
  expect(await findMail(app, artist, 'booked')).toMatchObject({
    status: 'queued',
    failure: 'The mail server cannot be reached.',
    settled_at: null,
    can_send_again: false,
  });
  expect(await loadOnlyClient(app, artist)).toMatchObject({ email_failed_at: null });
  expect(app.logged).toContainEqual(
    expect.stringMatching(
      /^Mail: Sending failed \(will be retried\) \{"mail_id":"[\w-]+","kind":"booked","artist_id":"[\w-]+","reason":"The mail server cannot be reached\."\}$/,
    ),
  );
  expect(app.logged.join()).not.toContain(ROSA);
  const body = await call(app.http(), fetchConfirmation, { path: { appt_id: id } });
  expect(body.status).toBe('confirmed');
});

test('an address that does not exist fails and is flagged until a mail is sent to it', async () => {
  const fakeMailer = createFakeMailer();
  fakeMailer.failures.set(
    ROSA,
    new MailFailure('There is no such mailbox.', { isPermanent: true }),
  );
  const { app, artist } = await openWithBooking(fakeMailer.mailer);
  const failed = await findMail(app, artist, 'booked');
  expect(failed).toMatchObject({
    status: 'failed',
    failure: 'There is no such mailbox.',
    can_send_again: true,
  });
  expect(await loadOnlyClient(app, artist)).toMatchObject({
    email_failed_at: expect.stringMatching(/Z$/),
  });
  const allFailed = await loadMails(app, artist, 'status=failed');
  expect(allFailed.data.map(({ kind }) => kind)).toEqual(['booked']);

  fakeMailer.failures.clear();
  expect((await postResend(app, artist, failed.id)).status).toBe(201);
  await app.runJobs();
  expect(fakeMailer.sent.at(-1)?.to).toBe(ROSA);
  expect(await loadOnlyClient(app, artist)).toMatchObject({ email_failed_at: null });
});

test('a corrected address is saved on the appointment and the client', async () => {
  const fakeMailer = createFakeMailer();
  fakeMailer.failures.set(
    ROSA,
    new MailFailure('There is no such mailbox.', { isPermanent: true }),
  );
  const { app, artist, id } = await openWithBooking(fakeMailer.mailer);
  const { id: failed } = await findMail(app, artist, 'booked');
  const resent = await postResend(app, artist, failed, { email: RIGHT });
  expect(resent).toMatchObject({ status: 201, body: { address: RIGHT } });
  await app.runJobs();
  expect(await loadOnlyClient(app, artist)).toMatchObject({ email: RIGHT, email_failed_at: null });
  await change(app, artist, id, { status: 'cancelled' });
  await app.runJobs();
  expect(fakeMailer.sent.slice(-2).map(({ to }) => to)).toEqual([RIGHT, RIGHT]);
});

test('a corrected address that belongs to another client is saved only on the appointment', async () => {
  const { app, artist, id } = await openWithBooking();
  const slot = await findSlot(app, artist, 60);
  await bookSlot(app, artist, slot, { email: RIGHT });
  const { id: mail } = await findMail(app, artist, 'booked');
  expect((await postResend(app, artist, mail, { email: RIGHT.toUpperCase() })).status).toBe(201);
  const { token } = artist;
  const { data } = await call(app.http(token), listClients);
  expect(data.map(({ email }) => email).sort()).toEqual([RIGHT, ROSA]);
  expect(await call(app.http(token), fetchAppointment, { path: { appt_id: id } })).toMatchObject({
    client: { email: RIGHT.toUpperCase() },
    version: 2,
  });
});

test("only a client's address can be corrected, and it must be valid", async () => {
  const { app, artist } = await openWithBooking();
  const { id } = await findMail(app, artist, 'new_booking');
  expect(
    await refusalOf(
      call(artist.http, resendMail, { path: { mail_id: id }, body: { email: RIGHT } }),
    ),
  ).toMatchObject(validationProblem(['body', 'email'], 'Is for mails to clients alone'));
  const { id: booked } = await findMail(app, artist, 'booked');
  expect(
    (
      await refusalOf(
        call(artist.http, resendMail, { path: { mail_id: booked }, body: { email: 'rosa' } }),
      )
    ).status,
  ).toBe(422);
});

test("changing a client's email removes the flag of its failure", async () => {
  const fakeMailer = createFakeMailer();
  fakeMailer.failures.set(
    ROSA,
    new MailFailure('There is no such mailbox.', { isPermanent: true }),
  );
  const { app, artist } = await openWithBooking(fakeMailer.mailer);
  const { token } = artist;
  const { id } = await loadOnlyClient(app, artist);
  const save = (json: object) =>
    call(app.http(token), changeClient, { path: { client_id: id }, body: json });
  expect((await save({ notes: 'Late.', email: ROSA })).email_failed_at).not.toBeNull();
  expect((await save({ email: RIGHT })).email_failed_at).toBeNull();
});

test('a sent mail is not sent twice when storing its status failed', async () => {
  const fakeMailer = createFakeMailer();
  const app = await openTestApp({ database: 'own', mailer: fakeMailer.mailer });
  const artist = await app.newArtist({ scheduling_type: 'managed', viaSignup: true });
  await app.runJobs();
  const { database } = app;
  const before = fakeMailer.sent.length;
  await call(app.http(), requestDesign, {
    query: { username: artist.username },
    header: { 'idempotency-key': randomUUID() },
    body: FILLED_FORM,
  });
  await sql`
    ALTER TABLE mails ADD CONSTRAINT nothing_is_sent CHECK (status <> 'sent') NOT VALID
  `.execute(database);
  await app.runJobs();
  await sql`ALTER TABLE mails DROP CONSTRAINT nothing_is_sent`.execute(database);
  expect((await loadMails(app, artist, 'status=queued')).count).toBe(2);
  await app.retryFailedJobs();
  expect(fakeMailer.sent).toHaveLength(before + 2);
  expect((await loadMails(app, artist, 'status=sent')).count).toBe(3);
});
