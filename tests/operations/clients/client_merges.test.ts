import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { ClientChanges, ClientRecord } from '#contract/client.ts';
import * as endpoints from '#contract/endpoints.ts';
import { DAY_MS, HOUR_MS } from '#domain/time/time.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { refusalOf } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { NOT_FOUND, UNKNOWN_ID } from '#support/problems.ts';
import { bookSlot, findSlot, type TestApp } from '#support/test_app.ts';
import { passTime } from '#support/time_travel.ts';

const OTHER = {
  email: 'rosa.work@example.com',
  first_name: 'Rosa',
  last_name: 'Quint',
  phone_number: '+12125550199',
};
const TOO_LATE = { status: 409, body: { detail: 'It is too late to undo this.' } };

async function listClients({ http }: TestArtist): Promise<ClientRecord[]> {
  return (await call(http, endpoints.listClients)).data;
}

/** One person with two emails, of whom each has an appointment, and the notes of the artist. */
async function setUp(options: Parameters<typeof openArtistApp>[0] = {}) {
  const { app, artist } = await openArtistApp(options);
  const first = await bookSlot(app, artist, await findSlot(app, artist, 10), {
    email: 'rosa@example.com',
    phone_number: '',
  });
  const second = await bookSlot(app, artist, await findSlot(app, artist, 30), OTHER);
  const [other, remaining] = await listClients(artist);
  if (!remaining || !other) throw new Error('There are too few clients');
  for (const [client, notes] of [
    [remaining, 'Mornings.'],
    [other, 'Allergic to latex.'],
  ] as const)
    await change(artist, client, { notes });
  const before = await listClients(artist);
  return { app, artist, first, second, remaining, other, before };
}

function merge({ http }: TestArtist, id: string, other: string) {
  return call(http, endpoints.mergeClients, {
    path: { client_id: id },
    body: { client_id: other },
  });
}

function undo({ http }: TestArtist, merge_id: string) {
  return call(http, endpoints.undoClientMerge, { path: { merge_id } });
}

function change({ http }: TestArtist, { id }: ClientRecord, body: ClientChanges) {
  return call(http, endpoints.changeClient, { path: { client_id: id }, body });
}

async function listAppointments({ http }: TestArtist, { id }: ClientRecord): Promise<string[]> {
  const { data } = await call(http, endpoints.listClientAppointments, { path: { client_id: id } });
  return data.map((one) => one.id).toSorted();
}

async function bookAs(app: TestApp, artist: TestArtist, nth: number, email: string) {
  return bookSlot(app, artist, await findSlot(app, artist, nth), { email });
}

test('the remaining client has the appointments of both and the details it lacked; the other is hidden', async () => {
  const { artist, first, second, remaining, other } = await setUp();
  const { client } = await merge(artist, remaining.id, other.id);
  expect(client).toMatchObject({
    id: remaining.id,
    email: 'rosa@example.com',
    phone_number: OTHER.phone_number,
    notes: 'Mornings.\n\nAllergic to latex.',
  });
  expect(await listClients(artist)).toEqual([client]);
  expect(await listAppointments(artist, remaining)).toEqual([first.id, second.id].toSorted());
});

test('the id of a merged client leads to the remaining one, who is found by either email', async () => {
  const { app, artist, remaining, other } = await setUp();
  const { client } = await merge(artist, remaining.id, other.id);
  expect(client.other_emails).toEqual([OTHER.email]);
  const path = { client_id: other.id };
  expect(await call(artist.http, endpoints.fetchClient, { path })).toEqual(client);
  expect(await listAppointments(artist, other)).toEqual(await listAppointments(artist, remaining));
  const query = { search: 'work@' };
  expect((await call(artist.http, endpoints.listClients, { query })).data).toEqual([client]);
  const { http } = await app.newArtist();
  expect(await refusalOf(call(http, endpoints.fetchClient, { path }))).toEqual(NOT_FOUND);
  expect(await refusalOf(call(http, endpoints.listClientAppointments, { path }))).toEqual(
    NOT_FOUND,
  );
});

test('the remaining client names the last merge as long as it can be undone: for an hour, without a change of their details', async () => {
  const { app, artist, remaining, other } = await setUp({ database: 'own' });
  const { id, client, undo_until } = await merge(artist, remaining.id, other.id);
  const { first_name, last_name, email } = OTHER;
  expect(client.last_merge).toEqual({ id, client: { first_name, last_name, email }, undo_until });
  expect((await undo(artist, id)).last_merge).toBeNull();
  const again = await merge(artist, remaining.id, other.id);
  const rename = (first_name: string) => change(artist, remaining, { first_name });
  expect((await rename('Rosalind')).last_merge).toBeNull();
  expect(await refusalOf(undo(artist, again.id))).toEqual(TOO_LATE);
  // The refusal keeps the merge, so that changing the name back helps.
  expect((await rename('Rosa')).last_merge).not.toBeNull();
  await passTime(app.database, HOUR_MS + 1000);
  expect((await listClients(artist)).map(({ last_merge }) => last_merge)).toEqual([null]);
  expect(await refusalOf(undo(artist, again.id))).toEqual(TOO_LATE);
  await passTime(app.database, HOUR_MS);
  await app.runMinutelyTasks();
  expect(await refusalOf(undo(artist, again.id)), 'deleted').toEqual(NOT_FOUND);
});

test('who books with either email is the remaining client, also after its email was changed to the other', async () => {
  const { app, artist, remaining, other } = await setUp();
  await merge(artist, remaining.id, other.id);
  await bookAs(app, artist, 50, OTHER.email.toUpperCase());
  expect((await listClients(artist)).map(({ id }) => id)).toEqual([remaining.id]);
  await change(artist, remaining, { email: OTHER.email });
  await bookAs(app, artist, 70, OTHER.email);
  await bookAs(app, artist, 90, 'rosa@example.com');
  const clients = await listClients(artist);
  expect(clients.map(({ id, email }) => [id, email])).toEqual([[remaining.id, OTHER.email]]);
  expect(await listAppointments(artist, remaining)).toHaveLength(5);
});

test('who books with the merged email fills in what the remaining client lacks', async () => {
  const { app, artist, remaining, other } = await setUp();
  for (const client of [remaining, other])
    await change(artist, client, { pronouns: null, preferred_contact: null });
  await merge(artist, remaining.id, other.id);
  await bookSlot(app, artist, await findSlot(app, artist, 50), {
    ...{ email: OTHER.email, first_name: 'Not Rosa', pronouns: 'they/them' },
    preferred_contact: 'text',
  });
  expect(await listClients(artist)).toMatchObject([
    { id: remaining.id, first_name: 'Rosa', pronouns: 'they/them', preferred_contact: 'text' },
  ]);
});

test('undoing restores both clients with their appointments; what was booked since stays, what was asked for is dropped', async () => {
  const { app, artist, first, second, remaining, other, before } = await setUp();
  const { id } = await merge(artist, remaining.id, other.id);
  const later = await bookAs(app, artist, 50, OTHER.email);
  await app.database.updateTable('appointments').set({ mail_link_used: true }).execute();
  const asked = { path: { appt_id: second.id }, body: { kind: 'erasure' } } as const;
  await call(app.http(), endpoints.requestData, asked);
  await undo(artist, id);
  const after = await listClients(artist);
  expect(after.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
    before
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((client) => ({ ...client, version: expect.any(Number) })),
  );
  // A device that still shows the merged notes must not write them back.
  const seen = (clients: ClientRecord[]) => clients.find((one) => one.id === remaining.id)?.version;
  expect(seen(after)).toBe((seen(before) ?? 0) + 2);
  expect(await listAppointments(artist, remaining)).toEqual([first.id, later.id].toSorted());
  expect(await listAppointments(artist, other)).toEqual([second.id]);
  expect(await refusalOf(undo(artist, id))).toEqual(NOT_FOUND);
});

test('an email that the remaining client got goes back', async () => {
  const { artist, remaining, other } = await setUp();
  await change(artist, remaining, { email: null });
  const before = await listClients(artist);
  const { id, client } = await merge(artist, remaining.id, other.id);
  expect(client.email).toBe(OTHER.email);
  await undo(artist, id);
  expect(await listClients(artist)).toEqual(
    before.map((client) => ({ ...client, version: expect.any(Number) })),
  );
});

test('a merge of merged clients can be undone step by step', async () => {
  const { app, artist, remaining, other } = await setUp();
  const third = await bookAs(app, artist, 50, 'third@example.com');
  const [last] = await listClients(artist);
  if (!last) throw new Error('There is no third client');
  const inner = await merge(artist, remaining.id, other.id);
  const outer = await merge(artist, last.id, remaining.id);
  expect(await listAppointments(artist, last)).toHaveLength(3);
  await bookAs(app, artist, 70, OTHER.email);
  expect(await listAppointments(artist, last)).toHaveLength(4);
  // The inner one is no longer what it was.
  expect(await refusalOf(undo(artist, inner.id))).toEqual(TOO_LATE);
  await undo(artist, outer.id);
  expect((await listAppointments(artist, last)).includes(third.id)).toBe(true);
  await undo(artist, inner.id);
  const ids = (await listClients(artist)).map(({ id }) => id).toSorted();
  expect(ids).toEqual([remaining.id, other.id, last.id].toSorted());
});

test('only two different clients of the artist are merged', async () => {
  const { app, artist, remaining, other } = await setUp();
  const stranger = await app.newArtist();
  await bookAs(app, stranger, 10, 'ines@example.com');
  const [foreign] = await listClients(stranger);
  expect(await refusalOf(merge(artist, remaining.id, remaining.id))).toEqual({
    status: 409,
    body: { detail: 'A client cannot be merged with itself.' },
  });
  for (const [id, otherId] of [
    [remaining.id, foreign?.id ?? ''],
    [foreign?.id ?? '', remaining.id],
    [remaining.id, UNKNOWN_ID],
  ] as const)
    expect(await refusalOf(merge(artist, id, otherId))).toEqual(NOT_FOUND);
  const { id } = await merge(artist, remaining.id, other.id);
  expect(await refusalOf(undo(stranger, id))).toEqual(NOT_FOUND);
  expect(await refusalOf(merge(artist, remaining.id, other.id))).toEqual(NOT_FOUND);
});

test('requests about data go to the remaining client, and back; of two open ones of a kind one is shown', async () => {
  const { app, artist, first, second, remaining, other } = await setUp();
  await app.database.updateTable('appointments').set({ mail_link_used: true }).execute();
  const ask = (appt_id: string, kind: 'copy' | 'erasure') =>
    call(app.http(), endpoints.requestData, { path: { appt_id }, body: { kind } });
  await ask(first.id, 'copy');
  await ask(second.id, 'copy');
  await ask(second.id, 'erasure');
  const kindsOf = async () => {
    const { data } = await call(artist.http, endpoints.listDataRequests);
    return data.map(({ kind, client }) => `${kind} of ${client.id}`).toSorted();
  };
  const before = await kindsOf();
  const { id, client } = await merge(artist, remaining.id, other.id);
  expect(client.data_requests.map(({ kind }) => kind)).toEqual(['copy', 'erasure']);
  expect(await kindsOf()).toEqual([`copy of ${remaining.id}`, `erasure of ${remaining.id}`]);
  expect((await ask(second.id, 'erasure')).data_requests).toHaveLength(2);
  await undo(artist, id);
  expect(await kindsOf()).toEqual(before);
});

test('notes that are too long together are refused; an email that is in use makes undo too late', async () => {
  const { app, artist, remaining, other } = await setUp();
  await change(artist, remaining, { notes: 'x'.repeat(9_999) });
  expect(await refusalOf(merge(artist, remaining.id, other.id))).toMatchObject({ status: 409 });
  await change(artist, remaining, { notes: '' });
  const { id } = await merge(artist, remaining.id, other.id);
  // The hidden client gives its email up, and somebody else books with it.
  await change(artist, remaining, { email: OTHER.email });
  await change(artist, remaining, { email: 'third@example.com' });
  await bookAs(app, artist, 50, OTHER.email);
  await change(artist, remaining, { email: 'rosa@example.com' });
  expect(await refusalOf(undo(artist, id))).toEqual(TOO_LATE);
});

test('after an undone merge, the mail about a request is erased with the client who asked', async () => {
  const { app, artist, second, remaining, other } = await setUp({ database: 'own' });
  await app.database.updateTable('appointments').set({ mail_link_used: true }).execute();
  await call(app.http(), endpoints.requestData, {
    path: { appt_id: second.id },
    body: { kind: 'copy' },
  });
  await undo(artist, (await merge(artist, remaining.id, other.id)).id);
  await app.mails();
  await app.runMinutelyTasks(Date.now() + DAY_MS);
  await app.mails();
  await passTime(app.database, 10 * DAY_MS);
  await call(artist.http, endpoints.eraseClient, { path: { client_id: other.id } });
  const mails = await app.database.selectFrom('mails').select('notice').execute();
  expect(mails.map(({ notice }) => notice.kind)).not.toContain('data_requested');
});
