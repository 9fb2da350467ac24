import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import * as endpoints from '#contract/endpoints.ts';
import { DAY_MS } from '#domain/time/time.ts';
import { saveClientEmailChange } from '#server/database/client_email_changes.ts';
import type { Database } from '#server/database/connect.ts';
import { hashMailbox } from '#server/database/hashed_keys.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { refusalOf } from '#support/call_api.ts';
import { makeExport, openExport } from '#support/exports.ts';
import { inTransaction } from '#support/in_transaction.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { NOT_FOUND } from '#support/problems.ts';
import { FILLED_FORM, listSlots, openTestApp, type TestApp } from '#support/test_app.ts';
import { passTime } from '#support/time_travel.ts';

const PERSON = {
  first_name: 'Rosalinde',
  last_name: 'Quastenberg',
  pronouns: 'xe/xem',
  email: 'Rosalinde@Quastenberg.example',
  phone_number: '+12125550177',
  customer_notes: 'Over the scar of my operation.',
};
/** Of the person, in lower case; none may be left. */
const TRACES = [
  'rosalinde',
  'quastenberg',
  'xe/xem',
  '2125550177',
  'over the scar',
  'allergic to latex',
  'my mother is',
];

async function book(app: TestApp, artist: TestArtist, nth: number, person: object = PERSON) {
  const slot = (await listSlots(app, artist))[nth];
  if (!slot) throw new Error('The artist has too few slots');
  const body = { ...FILLED_FORM, ...person, service_id: artist.service.id, ...slot };
  const { id } = await call(app.http(), endpoints.bookService, {
    query: { username: artist.username },
    header: { 'idempotency-key': randomUUID() },
    body,
  });
  await call(app.http(), endpoints.confirmAppointment, { path: { appt_id: id } });
  return id;
}

/** Somebody writes to the artist. */
function write(app: TestApp, { username }: TestArtist, email: string, name = 'Rosalinde') {
  const body = { name, email, message: 'Hello' };
  return call(app.http(), endpoints.sendContactMessage, { path: { username }, body });
}

async function findClient({ http }: TestArtist, email: string = PERSON.email) {
  const { data } = await call(http, endpoints.listClients);
  const client = data.find((one) => one.email?.toLowerCase() === email.toLowerCase());
  if (!client) throw new Error('There is no such client');
  return client;
}

async function cancel({ http }: TestArtist, appt_id: string): Promise<void> {
  const body = { status: 'cancelled' } as const;
  await call(http, endpoints.changeAppointment, { path: { appt_id }, body });
}

async function erase({ http }: TestArtist, { id }: { readonly id: string }): Promise<void> {
  await call(http, endpoints.eraseClient, { path: { client_id: id } });
}

/** Sends all mails, also those that waited. */
async function sendMails(app: TestApp): Promise<void> {
  await app.mails();
  await app.runMinutelyTasks(Date.now() + DAY_MS);
  await app.mails();
}

/** Sends all mails, and lets days pass until what was booked is past. */
async function letPass(app: TestApp, days = 10): Promise<void> {
  await sendMails(app);
  await passTime(app.database, days * DAY_MS);
}

/**
 * A client who has left traces everywhere: a past appointment with notes of both sides, a cancelled one,
 * a message, mails, and a request for the links. Blocked, and in an export.
 */
async function leaveTraces(app: TestApp, artist: TestArtist) {
  const cancelled = await book(app, artist, 150);
  const past = await book(app, artist, 10);
  const client = await findClient(artist);
  const { username, http } = artist;
  await call(http, endpoints.changeClient, {
    path: { client_id: client.id },
    body: { notes: 'Allergic to latex.' },
  });
  await inTransaction(app.database, saveClientEmailChange, past, {
    from: PERSON.email,
    to: PERSON.email,
  });
  await call(app.http(), endpoints.cancelAsClient, {
    path: { appt_id: cancelled },
    body: { note: 'My mother is ill.' },
  });
  await write(app, artist, PERSON.email);
  await call(app.http(), endpoints.requestLinks, {
    path: { username },
    body: { email: PERSON.email },
  });
  await app.database.updateTable('appointments').set({ mail_link_used: true }).execute();
  await call(app.http(), endpoints.requestData, {
    path: { appt_id: past },
    body: { kind: 'erasure' },
  });
  await app.call('POST /password-recovery', { json: { email: PERSON.email } });
  await call(http, endpoints.blockSender, { body: { email: PERSON.email } });
  await sendMails(app);
  const made = await makeExport(app, artist);
  await passTime(app.database, 14 * DAY_MS);
  return { client, past, cancelled, made };
}

/** All rows of all tables of all schemas, as text in lower case. */
async function dump(database: Database): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
  `.execute(database);
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ row: string }>`
        SELECT rows::text AS row FROM ${sql.raw(name)} AS rows
      `.execute(database);
      return rows.map(({ row }) => `${name} ${row}`).join('\n');
    }),
  );
  return texts.join('\n').toLowerCase();
}

/** All files of the server: its outbox, pictures and exports. */
async function readFiles(app: TestApp): Promise<string> {
  const folder = join(app.folders.media, '..');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')),
  );
  return [...texts, JSON.stringify(await app.mails())].join('\n').toLowerCase();
}

function tracesIn(text: string): string[] {
  return TRACES.flatMap((trace) => text.split('\n').filter((line) => line.includes(trace)));
}

test('after erasing a client no table, file or log has a trace of them; time and state stay', async () => {
  const { app, artist } = await openArtistApp({ database: 'own', rateLimit: true });
  const { client, past, cancelled, made } = await leaveTraces(app, artist);
  // The test can fail: there are traces in tables, among them those of the job queue, and in files.
  expect(new Set(tracesIn(await dump(app.database)).map((line) => line.split(' ')[0]))).toEqual(
    new Set([
      ...['public.appointments', 'public.appointment_events', 'public.clients'],
      ...['public.mails', 'public.messages', 'public.blocked_senders'],
      'public.client_email_changes',
      // A partition, with the rows of the table.
      ...['pgboss.job', 'pgboss.job_common'],
    ]),
  );
  expect(tracesIn(await readFiles(app))).not.toEqual([]);
  const path = { path: { client_id: client.id } };
  await call(artist.http, endpoints.eraseClient, path);
  expect(tracesIn(await dump(app.database))).toEqual([]);
  expect(tracesIn(await readFiles(app))).toEqual([]);
  expect(tracesIn(app.logged.join('\n').toLowerCase())).toEqual([]);
  // The links of the person show nothing of them either.
  for (const id of [past, cancelled]) {
    const page = await app.call(`GET /appointments/confirmation/${id}`);
    expect(tracesIn(JSON.stringify(page).toLowerCase())).toEqual([]);
  }
  const remaining = await call(artist.http, endpoints.fetchAppointment, {
    path: { appt_id: past },
  });
  expect(remaining).toMatchObject({
    status: 'confirmed',
    service: { id: artist.service.id },
    client: { id: client.id, first_name: null, email: null, phone_number: null },
    customer_notes: null,
  });
  expect(remaining.start).not.toBeNull();
  expect(await call(artist.http, endpoints.fetchClient, path)).toMatchObject({
    erased_at: expect.any(String),
    appointment_count: 1,
  });
  expect((await call(artist.http, endpoints.listClients)).data).toEqual([]);
  const { data: visits } = await call(artist.http, endpoints.listClientAppointments, path);
  expect(visits.map(({ id }) => id)).toContain(past);
  // An earlier export, and the next one.
  const old = openExport(app, made);
  await expect(old).rejects.toMatchObject({ status: 404 });
  const next = await openExport(app, await makeExport(app, artist));
  const texts = Object.values(next).map((bytes) => new TextDecoder('latin1').decode(bytes));
  expect(tracesIn(texts.join('\n').toLowerCase())).toEqual([]);
  // Erasing again is harmless, and the block list still knows the hash.
  await call(artist.http, endpoints.eraseClient, path);
  const again = { ...FILLED_FORM, ...PERSON, service_id: artist.service.id };
  const slot = (await listSlots(app, artist))[20];
  expect(
    await app.call(`POST /appointments/request/service?username=${artist.username}`, {
      json: { ...again, ...slot, email: 'rosalinde+2@quastenberg.example' },
    }),
  ).toMatchObject({ status: 403 });
});

test('erasing keeps the same person’s data with other artists, and the artist’s other clients', async () => {
  const app = await openTestApp({ database: 'own' });
  const [artist, other] = [await app.newArtist(), await app.newArtist()];
  const ines = { ...PERSON, first_name: 'Ines', email: 'ines@example.com' };
  const remaining = [await book(app, artist, 12, ines), await book(app, other, 10)];
  await book(app, artist, 10);
  for (const to of [artist, other])
    for (const email of [PERSON.email, ines.email]) await write(app, to, email);
  await letPass(app, 14);
  const countMails = async ({ http }: TestArtist, appointment_id: string | undefined) =>
    (await call(http, endpoints.listMails, { query: { appointment_id } })).count;
  const before = [await countMails(artist, remaining[0]), await countMails(other, remaining[1])];
  await erase(artist, await findClient(artist));
  expect([await countMails(artist, remaining[0]), await countMails(other, remaining[1])]).toEqual(
    before,
  );
  expect(await findClient(artist, ines.email)).toMatchObject({ first_name: 'Ines' });
  expect(await findClient(other)).toMatchObject({ first_name: 'Rosalinde' });
  const emailsOf = async ({ http }: TestArtist) =>
    (await call(http, endpoints.listMessages)).data.map(({ email }) => email).toSorted();
  expect(await emailsOf(artist)).toEqual([ines.email]);
  expect(await emailsOf(other)).toEqual([PERSON.email, ines.email]);
});

test('a client with an appointment ahead, or a mail on its way, is not erased', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const appointment = await book(app, artist, 40);
  const { id } = await findClient(artist);
  const path = { path: { client_id: id } };
  const ahead = {
    status: 409,
    body: {
      detail: 'This client still has an appointment, a request or an offer ahead. Cancel it first.',
    },
  };
  expect(await refusalOf(call(artist.http, endpoints.eraseClient, path))).toMatchObject(ahead);
  await sendMails(app);
  await cancel(artist, appointment);
  expect(await refusalOf(call(artist.http, endpoints.eraseClient, path))).toMatchObject({
    status: 409,
    body: { detail: 'A mail to this client is still on its way. Please try again in a minute.' },
  });
  expect(await findClient(artist)).toMatchObject({ first_name: 'Rosalinde' });
  await sendMails(app);
  expect(await app.mailsAbout(/cancelled/i)).toHaveLength(1);
  await call(artist.http, endpoints.eraseClient, path);
});

test('a client without appointments is deleted', async () => {
  const { app, artist } = await openArtistApp();
  const appointment = await book(app, artist, 40);
  const { id } = await findClient(artist);
  const path = { path: { client_id: id } };
  await cancel(artist, appointment);
  await sendMails(app);
  await call(artist.http, endpoints.deleteAppointment, { path: { appt_id: appointment } });
  await call(artist.http, endpoints.eraseClient, path);
  expect(await refusalOf(call(artist.http, endpoints.fetchClient, path))).toEqual(NOT_FOUND);
});

test('an erased client cannot be changed or booked for; who books again is a new client', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  await book(app, artist, 10);
  await letPass(app, 14);
  const { id } = await findClient(artist);
  const path = { path: { client_id: id } };
  await call(artist.http, endpoints.eraseClient, path);
  const change = call(artist.http, endpoints.changeClient, { ...path, body: { notes: 'New' } });
  expect(await refusalOf(change)).toEqual(NOT_FOUND);
  await book(app, artist, 30);
  const again = await findClient(artist);
  expect(again.id).not.toBe(id);
});

/** The recipients of the artist's stored mails, with the clients whom these are about. */
async function listMails({ database }: TestApp, { self }: TestArtist): Promise<string[]> {
  const mails = database.selectFrom('mails').select(['address', 'notice']);
  const rows = await mails.where('artist_id', '=', self.id).orderBy('position').execute();
  return rows.map(({ address, notice }) => {
    const about = 'appointment' in notice ? notice.appointment.client.email : notice.kind;
    return `${about} to ${address}`;
  });
}

test('a client with the artist’s own email takes none of the artist’s mails about others along', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  await book(app, artist, 60, { email: 'ines@example.com' });
  await sendMails(app);
  const before = await listMails(app, artist);
  await cancel(artist, await book(app, artist, 30, { email: artist.self.email }));
  await sendMails(app);
  await erase(artist, await findClient(artist, artist.self.email));
  expect(await listMails(app, artist)).toEqual(before);
});

test('mails and messages of another client who once had the same email stay', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const COUPLE = 'couple@example.com';
  await book(app, artist, 10, { email: COUPLE, first_name: 'Ines' });
  await write(app, artist, COUPLE, 'Ines');
  await letPass(app);
  const ines = await findClient(artist, COUPLE);
  await call(artist.http, endpoints.changeClient, {
    path: { client_id: ines.id },
    body: { email: 'ines@example.com' },
  });
  const before = await listMails(app, artist);
  await cancel(artist, await book(app, artist, 150, { email: COUPLE, first_name: 'Paul' }));
  await sendMails(app);
  await erase(artist, await findClient(artist, COUPLE));
  expect(await listMails(app, artist)).toEqual(before);
  expect((await call(artist.http, endpoints.listMessages)).count).toBe(1);
});

test('mails of a merged client, of a corrected email, and of deleted appointments go too', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const first = await book(app, artist, 10, { ...PERSON, email: 'quastenberg@old.example' });
  const second = await book(app, artist, 20);
  await app.database.updateTable('appointments').set({ mail_link_used: true }).execute();
  for (const appt_id of [first, second])
    await call(app.http(), endpoints.requestData, { path: { appt_id }, body: { kind: 'copy' } });
  const remaining = await findClient(artist);
  const other = await findClient(artist, 'quastenberg@old.example');
  await call(artist.http, endpoints.mergeClients, {
    path: { client_id: remaining.id },
    body: { client_id: other.id },
  });
  // Entered by the artist, cancelled and deleted.
  const slot = (await listSlots(app, artist))[60];
  const { id: entered } = await call(artist.http, endpoints.createAppointment, {
    body: { client_id: remaining.id, service_id: artist.service.id, start: '', end: '', ...slot },
  });
  await cancel(artist, entered);
  await sendMails(app);
  await call(artist.http, endpoints.deleteAppointment, { path: { appt_id: entered } });
  await passTime(app.database, 10 * DAY_MS);
  await call(artist.http, endpoints.changeClient, {
    path: { client_id: remaining.id },
    body: { email: 'corrected@example.com' },
  });
  expect(tracesIn(await dump(app.database))).not.toEqual([]);
  await erase(artist, remaining);
  expect(tracesIn(await dump(app.database))).toEqual([]);
  expect(tracesIn(await readFiles(app))).toEqual([]);
});

test('a message from another spelling of the mailbox goes too', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  await book(app, artist, 10, { ...PERSON, email: 'rosa.quastenberg@gmail.com' });
  await write(app, artist, 'Rosa.Quasten.Berg+ink@gmail.com');
  await letPass(app);
  await erase(artist, await findClient(artist, 'rosa.quastenberg@gmail.com'));
  expect((await call(artist.http, endpoints.listMessages)).count).toBe(0);
  // The mail that reported the message, and its copy on the disk, are gone too.
  expect(tracesIn(await dump(app.database))).toEqual([]);
  expect(tracesIn(await readFiles(app))).toEqual([]);
});

test('messages of another client in the same mailbox stay', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const [gone, remaining] = ['rosa.quast@gmail.com', 'rosaquast@gmail.com'];
  await book(app, artist, 10, { ...PERSON, email: gone });
  await book(app, artist, 20, { ...PERSON, email: remaining });
  for (const email of [gone, remaining]) await write(app, artist, email);
  await letPass(app);
  await erase(artist, await findClient(artist, gone));
  const { data } = await call(artist.http, endpoints.listMessages);
  expect(data.map(({ email }) => email)).toEqual([remaining]);
});

test('a lapsed hold of an erased client is not booked again, and erasing again keeps later exports', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const slot = (await listSlots(app, artist))[150];
  const body = {
    ...FILLED_FORM,
    ...PERSON,
    service_id: artist.service.id,
    start: '',
    end: '',
    ...slot,
  };
  const query = { username: artist.username };
  const { id } = await call(app.http(), endpoints.bookService, { query, body });
  await sendMails(app);
  await passTime(app.database, DAY_MS);
  await app.runMinutelyTasks();
  await sendMails(app);
  const client = await findClient(artist);
  await erase(artist, client);
  const confirm = call(app.http(), endpoints.confirmAppointment, { path: { appt_id: id } });
  expect(await refusalOf(confirm)).toMatchObject({ status: 409 });
  await makeExport(app, artist);
  await erase(artist, client);
  expect((await call(artist.http, endpoints.listExports)).count).toBe(1);
});

test('an export, a job and a proven mailbox of another artist stay', async () => {
  const app = await openTestApp({ database: 'own' });
  const [artist, other] = [await app.newArtist(), await app.newArtist()];
  for (const { username } of [artist, other]) {
    const body = { email: PERSON.email };
    await call(app.http(), endpoints.requestLinks, { path: { username }, body });
  }
  await book(app, artist, 10);
  await letPass(app);
  await makeExport(app, other);
  const row = { mailbox: hashMailbox(PERSON.email) };
  const rows = [artist, other].map(({ self }) => ({ ...row, artist_id: self.id }));
  await app.database.insertInto('mailboxes').values(rows).execute();
  await erase(artist, await findClient(artist));
  expect((await call(other.http, endpoints.listExports)).count).toBe(1);
  const mailboxes = await app.database.selectFrom('mailboxes').select('artist_id').execute();
  expect(mailboxes).toEqual([{ artist_id: other.self.id }]);
  const { rows: jobs } = await sql<{ artist: string }>`
    SELECT data->>'artistId' AS artist FROM pgboss.job WHERE name = 'links'
  `.execute(app.database);
  expect(jobs).toEqual([{ artist: other.self.id }]);
});
