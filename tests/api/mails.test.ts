import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  changeAppointment,
  confirmAppointment,
  deleteAppointment,
  fetchAppointment,
  fetchConfirmation,
  requestDesign,
} from '#client/appointments.ts';
import { changeClient, listClients } from '#client/clients.ts';
import { recoverPassword } from '#client/login.ts';
import { resendMail } from '#client/mails.ts';
import type { ClientRecord } from '#contract/client.ts';
import type { ListPage } from '#contract/common.ts';
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

/** A mailer that keeps what it is given, and says no when it is told to. */
function createPostman() {
  const taken: Mail[] = [];
  const refused = new Map<string, MailFailure>();
  const mailer: Mailer = {
    async send(mail) {
      const no = refused.get(mail.to);
      if (no) throw no;
      taken.push(mail);
    },
    close() {},
  };
  return { taken, refused, mailer };
}

function mailsOf(app: TestApp, { token }: TestArtist, query = '') {
  return expectOk(app.call<ListPage<OutgoingMail>>(`GET /mails/?${query}`, { token }));
}

async function mailOf(app: TestApp, artist: TestArtist, kind: string): Promise<OutgoingMail> {
  const { data } = await mailsOf(app, artist);
  const mail = data.find((one) => one.kind === kind);
  if (!mail) throw new Error(`There is no mail of the kind ${kind}`);
  return mail;
}

function postAgain(app: TestApp, { token }: TestArtist, id: string, json: object = {}) {
  return app.call<OutgoingMail>(`POST /mails/${id}/send-again`, { token, json });
}

function change(app: TestApp, { token }: TestArtist, id: string, json: object) {
  return changeAppointment(app.http(token), id, json);
}

async function onlyClient(app: TestApp, { token }: TestArtist): Promise<ClientRecord> {
  const { data } = await listClients(app.http(token));
  const [client] = data;
  if (!client || data.length > 1) throw new Error('There is not one client');
  return client;
}

/** A studio with one booked appointment, all of whose mails were sent. */
async function bookedStudio(mailer?: Mailer) {
  const app = await openTestApp({ database: 'own', ...(mailer && { mailer }) });
  const artist = await app.newArtist({ viaSignup: true });
  const slot = await findSlot(app, artist, 40);
  const { id } = await bookSlot(app, artist, slot);
  await confirmAppointment(app.http(), id);
  await app.runJobs();
  return { app, artist, id, slot };
}

test('artists see what was sent for them, the newest first, and no way back in', async () => {
  const { app, artist, id } = await bookedStudio();
  await recoverPassword(app.http(), artist.self.email);
  await app.runJobs();
  const { data, count } = await mailsOf(app, artist);
  expect(count).toBe(4);
  expect(
    data
      .map(({ kind, recipient }) => `${kind} to ${recipient}`)
      .slice(0, 2)
      .sort(),
  ).toEqual(['booked to client', 'new_booking to artist']);
  expect(data.slice(2).map(({ kind }) => kind)).toEqual(['hold', 'welcome']);
  expect(await mailOf(app, artist, 'booked')).toEqual({
    id: expect.any(String),
    appointment_id: id,
    kind: 'booked',
    hours_ahead: null,
    recipient: 'client',
    address: ROSA,
    status: 'sent',
    failure: null,
    can_send_again: true,
    created_at: expect.stringMatching(/Z$/),
    settled_at: expect.stringMatching(/Z$/),
  });
  expect(await mailOf(app, artist, 'welcome')).toMatchObject({
    appointment_id: null,
    recipient: 'artist',
    can_send_again: false,
  });
});

test('mails are found by their appointment and by what became of them, page by page', async () => {
  const { app, artist, id } = await bookedStudio();
  const about = await mailsOf(app, artist, `appointment_id=${id}`);
  expect(about.data.map(({ kind }) => kind).sort()).toEqual(['booked', 'hold', 'new_booking']);
  await change(app, artist, id, { status: 'cancelled' });
  const queued = await mailsOf(app, artist, 'status=queued');
  expect(queued.data).toMatchObject([{ kind: 'cancelled', settled_at: null }]);
  const page = await mailsOf(app, artist, 'skip=1&limit=2');
  expect([page.count, page.data.length]).toEqual([5, 2]);
  expect(await mailsOf(app, artist, `appointment_id=${UNKNOWN_ID}`)).toEqual({
    data: [],
    count: 0,
  });
});

test("another artist's mails are not there", async () => {
  const { app, artist, id } = await bookedStudio();
  const other = await app.newArtist();
  const { id: mail } = await mailOf(app, artist, 'booked');
  expect((await mailsOf(app, other, `appointment_id=${id}`)).count).toBe(0);
  expect(await refusalOf(resendMail(other.http, mail))).toMatchObject(NOT_FOUND);
  expect(await refusalOf(resendMail(other.http, mail, { email: RIGHT }))).toMatchObject(NOT_FOUND);
});

test('a mail goes out once more, and tells what is so by now', async () => {
  const postman = createPostman();
  const { app, artist, id, slot } = await bookedStudio(postman.mailer);
  await change(app, artist, id, shiftSlot(slot, 60));
  await app.runJobs();
  const booked = await mailOf(app, artist, 'booked');
  const again = await postAgain(app, artist, booked.id);
  expect(again).toMatchObject({
    status: 201,
    body: { kind: 'booked', status: 'queued', address: ROSA, can_send_again: false },
  });
  expect(again.body.id).not.toBe(booked.id);
  const before = postman.taken.length;
  await app.runJobs();
  expect(postman.taken.slice(before)).toMatchObject([{ id: again.body.id, to: ROSA }]);
  const { notice } = await app.database
    .selectFrom('mails')
    .select('notice')
    .where('id', '=', again.body.id)
    .executeTakeFirstOrThrow();
  const start = Date.parse(slot.start) + 3_600_000;
  expect(notice).toMatchObject({ kind: 'booked', appointment: { version: 3, time: { start } } });
});

test('a mail that is on its way is not sent again, however often it is asked for', async () => {
  const { app, artist } = await bookedStudio();
  const { id } = await mailOf(app, artist, 'booked');
  const answers = await Promise.all([1, 2, 3, 4].map(() => postAgain(app, artist, id)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  const [again] = answers.filter(({ status }) => status === 201);
  expect(await refusalOf(resendMail(artist.http, again?.body.id ?? ''))).toMatchObject(
    NO_LONGER_SO,
  );
  await app.runJobs();
  expect((await postAgain(app, artist, id)).status).toBe(201);
});

test('what is no longer so is not sent again', async () => {
  const { app, artist, id } = await bookedStudio();
  const [hold, booked] = [await mailOf(app, artist, 'hold'), await mailOf(app, artist, 'booked')];
  expect([hold.can_send_again, booked.can_send_again]).toEqual([false, true]);
  expect(await refusalOf(resendMail(artist.http, hold.id))).toMatchObject(NO_LONGER_SO);
  const welcome = await mailOf(app, artist, 'welcome');
  expect(await refusalOf(resendMail(artist.http, welcome.id))).toMatchObject(NO_LONGER_SO);
  await change(app, artist, id, { status: 'cancelled' });
  await app.runJobs();
  expect(await refusalOf(resendMail(artist.http, booked.id))).toMatchObject(NO_LONGER_SO);
  const cancelled = await mailOf(app, artist, 'cancelled');
  expect(cancelled.can_send_again).toBe(true);
  await deleteAppointment(app.http(artist.token), id);
  expect(await mailOf(app, artist, 'cancelled')).toMatchObject({
    appointment_id: null,
    can_send_again: false,
  });
  expect(await refusalOf(resendMail(artist.http, cancelled.id))).toMatchObject(NO_LONGER_SO);
});

test('a hold that has lapsed is not asked for again', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const { id } = await bookSlot(app, artist, await findSlot(app, artist));
  await app.runJobs();
  expect(await mailOf(app, artist, 'hold')).toMatchObject({ can_send_again: true });
  await expireAppointment(app, id);
  const hold = await mailOf(app, artist, 'hold');
  expect(hold.can_send_again).toBe(false);
  expect(await refusalOf(resendMail(artist.http, hold.id))).toMatchObject(NO_LONGER_SO);
});

test('nobody is reminded again of what has begun', async () => {
  const { app, artist, id, slot } = await bookedStudio();
  const start = Date.parse(slot.start);
  await app.runMinutelyTasks(start - 25 * 3_600_000);
  await app.runMinutelyTasks(start - 24 * 3_600_000);
  await app.runJobs();
  expect(await mailOf(app, artist, 'reminder')).toMatchObject({
    hours_ahead: 24,
    can_send_again: true,
  });
  await startAppointment(app, id);
  expect(await mailOf(app, artist, 'reminder')).toMatchObject({ can_send_again: false });
});

test('a mail server that is down leaves mails on their way, with why', async () => {
  const postman = createPostman();
  postman.refused.set(ROSA, new MailFailure('The mail server cannot be reached.', false));
  const { app, artist, id } = await bookedStudio(postman.mailer);
  expect(await mailOf(app, artist, 'booked')).toMatchObject({
    status: 'queued',
    failure: 'The mail server cannot be reached.',
    settled_at: null,
    can_send_again: false,
  });
  expect(await onlyClient(app, artist)).toMatchObject({ email_failed_at: null });
  expect(app.logged).toContain(
    'A mail (booked) was not sent and is tried again: The mail server cannot be reached.',
  );
  expect(app.logged.join()).not.toContain(ROSA);
  const body = await fetchConfirmation(app.http(), id);
  expect(body.status).toBe('confirmed');
});

test('an address that does not exist is given up and flagged, until a mail arrives', async () => {
  const postman = createPostman();
  postman.refused.set(ROSA, new MailFailure('There is no such mailbox.', true));
  const { app, artist } = await bookedStudio(postman.mailer);
  const failed = await mailOf(app, artist, 'booked');
  expect(failed).toMatchObject({
    status: 'failed',
    failure: 'There is no such mailbox.',
    can_send_again: true,
  });
  expect(await onlyClient(app, artist)).toMatchObject({
    email_failed_at: expect.stringMatching(/Z$/),
  });
  const others = await mailsOf(app, artist, 'status=failed');
  expect(others.data.map(({ kind }) => kind)).toEqual(['booked', 'hold']);

  postman.refused.clear();
  expect((await postAgain(app, artist, failed.id)).status).toBe(201);
  await app.runJobs();
  expect(postman.taken.at(-1)?.to).toBe(ROSA);
  expect(await onlyClient(app, artist)).toMatchObject({ email_failed_at: null });
});

test('a right address is kept for what is sent later, and for the client', async () => {
  const postman = createPostman();
  postman.refused.set(ROSA, new MailFailure('There is no such mailbox.', true));
  const { app, artist, id } = await bookedStudio(postman.mailer);
  const { id: failed } = await mailOf(app, artist, 'booked');
  const again = await postAgain(app, artist, failed, { email: RIGHT });
  expect(again).toMatchObject({ status: 201, body: { address: RIGHT } });
  expect(await onlyClient(app, artist)).toMatchObject({ email: RIGHT, email_failed_at: null });
  await change(app, artist, id, { status: 'cancelled' });
  await app.runJobs();
  expect(postman.taken.slice(-2).map(({ to }) => to)).toEqual([RIGHT, RIGHT]);
});

test('a right address that another client has is for the appointment alone', async () => {
  const { app, artist, id } = await bookedStudio();
  const slot = await findSlot(app, artist, 60);
  await bookSlot(app, artist, slot, { email: RIGHT });
  const { id: mail } = await mailOf(app, artist, 'booked');
  expect((await postAgain(app, artist, mail, { email: RIGHT.toUpperCase() })).status).toBe(201);
  const { token } = artist;
  const { data } = await listClients(app.http(token));
  expect(data.map(({ email }) => email).sort()).toEqual([RIGHT, ROSA]);
  expect(await fetchAppointment(app.http(token), id)).toMatchObject({
    client: { email: RIGHT.toUpperCase() },
    version: 2,
  });
});

test("only a client's address can be set right", async () => {
  const { app, artist } = await bookedStudio();
  const { id } = await mailOf(app, artist, 'new_booking');
  expect(await refusalOf(resendMail(artist.http, id, { email: RIGHT }))).toMatchObject(
    validationProblem(['body', 'email'], 'Is for mails to clients alone'),
  );
  const { id: booked } = await mailOf(app, artist, 'booked');
  expect((await refusalOf(resendMail(artist.http, booked, { email: 'rosa' }))).status).toBe(422);
});

test("a client's new email is not the one that failed", async () => {
  const postman = createPostman();
  postman.refused.set(ROSA, new MailFailure('There is no such mailbox.', true));
  const { app, artist } = await bookedStudio(postman.mailer);
  const { token } = artist;
  const { id } = await onlyClient(app, artist);
  const save = (json: object) => changeClient(app.http(token), id, json);
  expect((await save({ notes: 'Late.', email: ROSA })).email_failed_at).not.toBeNull();
  expect((await save({ email: RIGHT })).email_failed_at).toBeNull();
});

test('a mail that was handed over is not sent again because that could not be written down', async () => {
  const postman = createPostman();
  const app = await openTestApp({ database: 'own', mailer: postman.mailer });
  const artist = await app.newArtist({ scheduling_type: 'managed', viaSignup: true });
  await app.runJobs();
  const { database } = app;
  const before = postman.taken.length;
  await requestDesign(app.http(), artist.username, FILLED_FORM, randomUUID());
  await sql`
    ALTER TABLE mails ADD CONSTRAINT nothing_is_sent CHECK (status <> 'sent') NOT VALID
  `.execute(database);
  await app.runJobs();
  await sql`ALTER TABLE mails DROP CONSTRAINT nothing_is_sent`.execute(database);
  expect((await mailsOf(app, artist, 'status=queued')).count).toBe(2);
  await retryNow(app);
  await app.runJobs();
  expect(postman.taken).toHaveLength(before + 2);
  expect((await mailsOf(app, artist, 'status=sent')).count).toBe(3);
});

/** Jobs that wait for their next try are due. */
async function retryNow({ database }: TestApp): Promise<void> {
  await sql`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`.execute(database);
}
