import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { DataRequestInput } from '#contract/data_request.ts';
import {
  changeClient,
  changeEmailAsClient,
  exportClient,
  fetchClient,
  fetchConfirmation,
  listClients,
  listDataRequests,
  markDataRequestDone,
  proveEmailChange,
  releaseHold,
  requestData,
} from '#contract/endpoints.ts';
import { signLink } from '#server/operations/mail/mail_tokens.ts';
import { takeNewNotices } from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { refusalOf } from '#support/call_api.ts';
import { NOT_FOUND, UNKNOWN_ID } from '#support/problems.ts';
import { bookSlot, findSlot, type TestApp, TOKEN_KEYS } from '#support/test_app.ts';

const TOO_SOON = {
  status: 409,
  body: { detail: expect.stringMatching(/^You asked for this within the last 30 days/) },
};

const NOT_PROVEN = {
  status: 409,
  body: { detail: expect.stringMatching(/^Please open this page by the link in a mail/) },
};

/** A client with two appointments, about which the mails are sent. */
async function openClient() {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const first = await bookSlot(app, artist, await findSlot(app, artist, 24));
  const second = await bookSlot(app, artist, await findSlot(app, artist, 60));
  await proveEmails(app);
  await takeNewNotices(app);
  const { data } = await call(artist.http, listClients, {});
  const [client] = data;
  if (!client || data.length !== 1) throw new Error('There is not exactly one client');
  const ask = (kind: DataRequestInput['kind'], { id } = first) =>
    call(app.http(), requestData, { path: { appt_id: id }, body: { kind } });
  const path = { client_id: client.id };
  return { app, artist, first, second, client, path, ask };
}

/** As if each client had used a mailed link, or that of one appointment. */
async function proveEmails({ database }: TestApp, id?: string): Promise<void> {
  const proven = database
    .updateTable('appointments')
    .set({ email_proven: true, mail_link_used: true });
  await (id === undefined ? proven : proven.where('id', '=', id)).execute();
}

/** The client asks for another email, and uses the link that is mailed to the present one. */
async function changeProvenEmail(app: TestApp, id: string, from: string, to: string) {
  const path = { appt_id: id };
  await call(app.http(), changeEmailAsClient, { path, body: { email: to } });
  const change_token = signLink(TOKEN_KEYS, 'change client email', [], [id, from, to]);
  return call(app.http(), proveEmailChange, { path, body: { change_token } });
}

type Client = Awaited<ReturnType<typeof openClient>>;

async function finish({ artist, path }: Client): Promise<void> {
  const { data } = await call(artist.http, listDataRequests, {});
  for (const { id } of data)
    await call(artist.http, markDataRequestDone, { path: { ...path, request_id: id } });
}

/** Moves all requests into the past. */
async function passDays(app: TestApp, days: number): Promise<void> {
  await app.database
    .updateTable('data_requests')
    .set({ asked_at: sql<Date>`asked_at - make_interval(days => ${days})` })
    .execute();
}

test('a client asks for a copy: their page and the studio show it, and the artist is mailed', async () => {
  const { app, artist, client, path, first, ask } = await openClient();
  const asked = { kind: 'copy', asked_at: expect.any(String), done_at: null };
  expect((await ask('copy')).data_requests).toEqual([asked]);
  const shown = await call(app.http(), fetchConfirmation, { path: { appt_id: first.id } });
  expect(shown.data_requests).toEqual([asked]);
  const id = expect.any(String);
  const { first_name, last_name, email } = client;
  expect(await call(artist.http, listDataRequests, {})).toEqual({
    data: [
      {
        ...{ id, kind: 'copy', asked_at: asked.asked_at },
        client: { id: client.id, first_name, last_name, email },
      },
    ],
    count: 1,
  });
  expect((await call(artist.http, fetchClient, { path })).data_requests).toEqual([
    { id, ...asked },
  ]);
  expect((await call(artist.http, exportClient, { path })).client.data_requests).toHaveLength(1);
  const [mail, ...others] = await app.mailsAbout(/asks for a copy of their data/);
  expect(others).toEqual([]);
  expect(mail?.text).toContain(`/studio/clients?id=${client.id}`);
  expect(await takeNewNotices(app)).toEqual([`data_requested to ${artist.self.email}`]);
});

test('repeated, also at once and for another appointment, a request changes nothing and mails nothing', async () => {
  const { app, artist, second, ask } = await openClient();
  const [once, ...again] = await Promise.all([ask('copy'), ask('copy'), ask('copy', second)]);
  for (const answer of again) expect(answer.data_requests).toEqual(once.data_requests);
  expect((await call(artist.http, listDataRequests, {})).count).toBe(1);
  expect(await takeNewNotices(app)).toHaveLength(1);
  expect((await ask('copy')).data_requests).toEqual(once.data_requests);
  expect(await takeNewNotices(app)).toEqual([]);
});

test('a done request is shown to the client, and the same is refused for 30 days', async () => {
  const client = await openClient();
  const { app, artist, path, first, ask } = client;
  await ask('copy');
  await finish(client);
  const confirmationPath = { path: { appt_id: first.id } };
  const shown = await call(app.http(), fetchConfirmation, confirmationPath);
  expect(shown.data_requests).toEqual([
    { kind: 'copy', asked_at: expect.any(String), done_at: expect.any(String) },
  ]);
  expect(await call(artist.http, listDataRequests, {})).toEqual({ data: [], count: 0 });
  await takeNewNotices(app);
  await passDays(app, 29);
  expect(await refusalOf(ask('copy'))).toMatchObject(TOO_SOON);
  expect(await takeNewNotices(app)).toEqual([]);
  await passDays(app, 1);
  expect(await call(app.http(), fetchConfirmation, confirmationPath)).toMatchObject({
    data_requests: [],
  });
  expect((await ask('copy')).data_requests).toMatchObject([{ kind: 'copy', done_at: null }]);
  expect(await takeNewNotices(app)).toHaveLength(1);
  expect((await call(artist.http, fetchClient, { path })).data_requests).toHaveLength(2);
});

test('a mail about a request that is done or gone before its turn is dropped', async () => {
  const client = await openClient();
  const { app, artist, ask } = client;
  const dropped = [`data_requested to ${artist.self.email}, dropped`];
  await ask('copy');
  await finish(client);
  expect(await takeNewNotices(app)).toEqual(dropped);
  await ask('erasure');
  await app.database.deleteFrom('data_requests').execute();
  expect(await takeNewNotices(app)).toEqual(dropped);
});

test('an artist lists the open requests of their clients, the oldest first, until they mark them as done', async () => {
  const client = await openClient();
  const { app, artist, path, ask } = client;
  await ask('erasure');
  await passDays(app, 1);
  await ask('copy');
  const list = async () =>
    (await call(artist.http, listDataRequests, {})).data.map(({ kind }) => kind);
  expect(await list()).toEqual(['erasure', 'copy']);
  const request_id = (await call(artist.http, listDataRequests, {})).data[0]?.id ?? '';
  const mark = (changes: Partial<Record<'client_id' | 'request_id', string>> = {}) =>
    call(artist.http, markDataRequestDone, { path: { ...path, request_id, ...changes } });
  for (const changes of [{ client_id: UNKNOWN_ID }, { request_id: UNKNOWN_ID }])
    expect(await refusalOf(mark(changes))).toMatchObject(NOT_FOUND);
  const stranger = await app.newArtist();
  expect((await call(stranger.http, listDataRequests, {})).count).toBe(0);
  await mark();
  await mark();
  expect(await list()).toEqual(['copy']);
});

test.for([
  ['was a client before', true],
  ['becomes a client later', false],
] as const)(
  'requests stay with who asked, whatever email they take: its owner %s',
  async ([, isClient]) => {
    const { app, artist } = await openArtistApp({ database: 'own' });
    const [theirs, email] = ['vera@example.com', 'mallory@example.com'];
    const book = async (nth: number, bookedWith: string) => {
      const slot = await findSlot(app, artist, nth);
      const { id } = await bookSlot(app, artist, slot, { email: bookedWith });
      await proveEmails(app, id);
      return id;
    };
    const ask = (appt_id: string) =>
      call(app.http(), requestData, { path: { appt_id }, body: { kind: 'erasure' } });
    const list = () => call(artist.http, listDataRequests, {});
    const changed = await book(24, email);
    await ask(changed);
    const before = await book(60, isClient ? theirs : email);
    const { data } = await list();
    await changeProvenEmail(app, changed, email, theirs);
    expect((await list()).data).toEqual(data);
    const after = await book(90, isClient ? email : theirs);
    const [victim, other] = isClient ? [before, after] : [after, before];
    expect(await refusalOf(ask(changed))).toMatchObject(NOT_PROVEN);
    expect((await ask(other)).data_requests).toHaveLength(1);
    const shown = await call(app.http(), fetchConfirmation, { path: { appt_id: victim } });
    expect(shown.data_requests).toEqual([]);
    expect((await list()).data).toEqual(data);
  },
);

test('who proved an email that the artist has corrected asks for nothing, until they prove the new one', async () => {
  const { app, artist, first, second, path, ask } = await openClient();
  await ask('copy');
  // Its email stays.
  await call(app.http(), releaseHold, { path: { appt_id: second.id } });
  await call(artist.http, changeClient, { path, body: { email: 'maria@example.com' } });
  for (const appointment of [first, second]) {
    expect(await refusalOf(ask('erasure', appointment))).toMatchObject(NOT_PROVEN);
    const shown = await call(app.http(), fetchConfirmation, { path: { appt_id: appointment.id } });
    expect(shown.data_requests).toEqual([]);
  }
  await proveEmails(app);
  expect((await ask('erasure')).data_requests).toMatchObject([
    { kind: 'copy' },
    { kind: 'erasure' },
  ]);
  expect(await refusalOf(ask('erasure', second))).toMatchObject(NOT_PROVEN);
});

test('who books with another’s email neither sees nor asks for anything, until a mailed link proves it', async () => {
  const { app, artist, ask } = await openClient();
  await ask('copy');
  await takeNewNotices(app);
  const stranger = await bookSlot(app, artist, await findSlot(app, artist, 90));
  expect(stranger.data_requests).toEqual([]);
  await passDays(app, 90);
  const shown = await call(app.http(), fetchConfirmation, { path: { appt_id: stranger.id } });
  expect(shown.user.studio.offsets).toEqual(stranger.user.studio.offsets);
  expect(await refusalOf(ask('erasure', stranger))).toMatchObject(NOT_PROVEN);
  const withToken = (mail_token: string) =>
    call(app.http(), requestData, {
      path: { appt_id: stranger.id },
      body: { kind: 'erasure', mail_token },
    });
  expect(await refusalOf(withToken('made-up'))).toMatchObject(NOT_PROVEN);
  expect((await call(artist.http, listDataRequests, {})).count).toBe(1);
  const token = signLink(TOKEN_KEYS, 'appointment', [], [stranger.id, 'rosa@example.com']);
  const { data_requests } = await withToken(token);
  expect(data_requests.map(({ kind }) => kind)).toEqual(['copy', 'erasure']);
});
