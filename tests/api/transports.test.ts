import { getRequestListener } from '@hono/node-server';
import { expect, test } from 'vitest';
import type { CallInput, Endpoint, Transport } from '#contract/endpoint.ts';
import * as endpoints from '#contract/endpoints.ts';
import { hashMailbox } from '#server/database/hashed_keys.ts';
import { signLink } from '#server/operations/mail/mail_tokens.ts';
import { addDesignRow, addPictureRow } from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { UNKNOWN_ID } from '#support/problems.ts';
import { bookSlot, findSlot, openTestApp, TOKEN_KEYS } from '#support/test_app.ts';

// Replaces `Response` by that of the Node server, as in our server.
getRequestListener(() => new Response());

const ALL_ENDPOINTS = Object.entries(endpoints) satisfies [string, Endpoint<CallInput, unknown>][];

/** For every endpoint twice; some encode pictures or hash passwords. */
const TWO_HUNDRED_CALLS_MS = 60_000;

test('every endpoint that our pages call returns the same value over HTTP and by a direct call', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const { id: design_id } = await addDesignRow(app, artist);
  await addPictureRow(app, artist);
  const { id: appt_id } = await bookSlot(app, artist, await findSlot(app, artist));
  const ofArtist = { path: { username: artist.username } };
  const email = 'rosa@example.com';
  const token = signLink(TOKEN_KEYS, 'stop mail', [artist.self.id, hashMailbox(email)]);
  const message = { name: 'Rosa', email, message: 'Hello' };
  const callAll = ({ send }: Transport) =>
    Promise.all([
      send(endpoints.fetchArtist, ofArtist),
      send(endpoints.fetchDesignsPage, ofArtist),
      send(endpoints.fetchDesignPage, { path: { ...ofArtist.path, design_id } }),
      send(endpoints.fetchServicesPage, ofArtist),
      send(endpoints.fetchPortfolioPage, ofArtist),
      send(endpoints.fetchSchedulingPage, { ...ofArtist, query: { design: design_id } }),
      send(endpoints.fetchConfirmation, { path: { appt_id } }),
      send(endpoints.fetchConfirmationPage, { path: { appt_id } }),
      send(endpoints.listPublicArtists, { query: { limit: 1 } }),
      send(endpoints.fetchExplorePage, { query: { city: 'New York' } }),
      send(endpoints.requestLinks, { ...ofArtist, body: { email } }),
      send(endpoints.fetchMailStop, { query: { token } }),
      send(endpoints.changeMailStop, { body: { token, stopped: 'nothing' } }),
      send(endpoints.sendContactMessage, { ...ofArtist, body: message }).then((answer) => ({
        ...answer,
        // Each message is another one.
        value: { ...(answer.ok && answer.value), id: 'an id', created_at: 'a time' },
      })),
    ]);
  const directly = await callAll(app.direct());
  expect(directly.map(({ ok }) => ok)).toEqual(directly.map(() => true));
  expect(directly).toStrictEqual(await callAll(app.http()));
});

/** Calls that end their token: no other call can be made with it afterwards. */
const ENDING_TOKENS: readonly unknown[] = [
  endpoints.deleteMe,
  endpoints.endOtherSessions,
  endpoints.logOut,
];

test(
  'every endpoint refuses the same calls over HTTP and by a direct call',
  async () => {
    const app = await openTestApp();
    // One for each transport, because some calls succeed.
    const newArtists = async () => [await app.newArtist(), await app.newArtist()] as const;
    const shared = await newArtists();
    for (const [name, endpoint] of ALL_ENDPOINTS) {
      const [{ token: httpToken }, { token: directToken }] = ENDING_TOKENS.includes(endpoint)
        ? await newArtists()
        : shared;
      for (const [overHttp, directly] of [
        [app.http(), app.direct()],
        [app.http('expired'), app.direct('expired')],
        [app.http(httpToken), app.direct(directToken)],
      ] as const) {
        const refusals = await sendWrongCalls(directly, endpoint);
        expect([name, refusals]).toEqual([name, await sendWrongCalls(overHttp, endpoint)]);
      }
    }
  },
  TWO_HUNDRED_CALLS_MS,
);

/** The refusals of a call that names nothing that exists, and of one with invalid input. */
async function sendWrongCalls(transport: Transport, endpoint: Endpoint<CallInput, unknown>) {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const unknown = {
    path: Object.fromEntries(names.map((name) => [name, UNKNOWN_ID])),
    ...(endpoint.bodyKind === 'form' && { body: {} }),
  };
  const wrong = {
    path: Object.fromEntries(names.map((name) => [name, `${name}\u0000`])),
    query: { limit: 'many', month: 13, start: 'soon' },
    header: { 'idempotency-key': 'seven' },
    ...(endpoint.method !== 'GET' && { body: { unknown: 'field' } }),
  };
  const refusals = [];
  // One after the other, because the first call may delete the account of the second.
  for (const input of endpoint.bodyKind === 'raw' ? [{ body: '' }] : [unknown, wrong]) {
    const answer = await transport.send(endpoint, input);
    // Without the status text, which a response has only over a socket.
    if (answer.ok) refusals.push('a value');
    else refusals.push({ status: answer.status, detail: answer.detail, reason: answer.reason });
  }
  return refusals;
}
