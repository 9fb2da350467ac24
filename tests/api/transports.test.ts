import { getRequestListener } from '@hono/node-server';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Answer, CallInput, Endpoint, Transport } from '#contract/endpoint.ts';
import * as endpoints from '#contract/endpoints.ts';
import { hashMailbox } from '#server/database/hashed_keys.ts';
import { signEmailProof, signEmailUndo, signMailStop } from '#server/operations/mail_tokens.ts';
import { addAlarmRow } from '#support/app_rows.ts';
import { type BilledTestApp, openBilledTestApp } from '#support/billed_test_app.ts';
import { PASSWORD } from '#support/new_artist.ts';
import { PasskeyDevice } from '#support/passkey_device.ts';
import { createPicture } from '#support/pictures.ts';
import { UNKNOWN_ID } from '#support/problems.ts';
import { NEW_YORK } from '#support/sample_people.ts';
import { FILLED_FORM, listSlots, openTestApp, TOKEN_KEYS } from '#support/test_app.ts';

// Replaces `Response` by that of the Node server, as in our server.
getRequestListener(() => new Response());

const ALL_ENDPOINTS = Object.entries(endpoints) satisfies [string, Endpoint<CallInput, unknown>][];

/** For every endpoint twice; some encode pictures or hash passwords. */
const TWO_HUNDRED_CALLS_MS = 60_000;

type Connect = (token?: string) => Transport;

const INES = { first_name: 'Ines', email: 'ines@example.com' };

/** Sends one call to every endpoint, in an order in which each succeeds. */
async function callEveryEndpoint(
  { app, subscribe, provider }: BilledTestApp,
  connect: Connect,
): Promise<ReadonlyMap<string, unknown>> {
  const values = new Map<string, unknown>();
  /** Calls an endpoint and notes its value. */
  async function run<Input extends CallInput, Output>(
    endpoint: Endpoint<Input, Output>,
    input: Input,
    token?: string,
  ): Promise<Output> {
    const answer = await connect(token).send(endpoint, input);
    const [name = ''] = ALL_ENDPOINTS.find(([, other]) => other === endpoint) ?? [];
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.detail)}`);
    values.set(name, answer.value);
    return answer.value;
  }

  const artist = await app.newArtist({ username: 'ana' });
  const { token, username, service } = artist;
  const managed = await app.newArtist({ username: 'bo', scheduling_type: 'managed' });
  const [first, second, third, fourth, fifth] = (await listSlots(app, artist)).slice(4);
  if (!first || !second || !third || !fourth || !fifth)
    throw new Error('The artist has too few slots');
  // Next month: the free time of today begins a minute later with each minute.
  const [thisYear = 0, thisMonth = 0] = first.start.split('-').map(Number);
  const year = thisMonth === 12 ? thisYear + 1 : thisYear;
  const month = (thisMonth % 12) + 1;
  const file = new File([new Uint8Array(await createPicture())], 'swallow.jpg');
  const ofAna = { path: { username } };

  const design = await run(
    endpoints.createDesign,
    { body: { name: 'Swallow', description: 'In flight', file } },
    token,
  );
  const ofDesign = { path: { design_id: design.id } };
  const uploaded = await run(endpoints.uploadPortfolio, { body: { file: [file, file] } }, token);
  const ofImage = { path: { image_id: uploaded.data[0]?.id ?? '' } };
  await run(endpoints.changeAvatar, { body: { file } }, token);
  await run(endpoints.listOwnDesigns, {}, token);
  await run(endpoints.listAvailableDesigns, { ...ofAna, query: { limit: 1 } });
  await run(endpoints.fetchDesign, ofDesign);
  await run(endpoints.fetchDesignShareImage, { ...ofDesign, query: { v: '1' } });
  await run(endpoints.fetchArtistShareImage, ofAna);
  await run(
    endpoints.changeDesign,
    { ...ofDesign, body: { description: '', duration: 90 } },
    token,
  );
  await run(endpoints.fetchDesignAvailability, { ...ofDesign, query: { year, month } });
  await call(connect(token), endpoints.changeDesign, { ...ofDesign, body: { duration: null } });
  await run(endpoints.listOwnPortfolio, { query: { skip: 1 } }, token);
  await run(endpoints.listPortfolio, { query: { username } });
  await run(endpoints.fetchImage, ofImage, token);
  await run(endpoints.changeImage, { ...ofImage, body: { title: 'A swallow' } }, token);

  await run(endpoints.fetchBookingAlarm, {}, token);
  const alarm_id = await addAlarmRow(app, artist);
  await run(endpoints.cancelAlarmedBookings, { path: { alarm_id } }, token);
  await run(endpoints.dismissBookingAlarm, { path: { alarm_id } }, token);
  const blocked = await run(endpoints.blockSender, { body: { email: 'pest@example.com' } }, token);
  await run(endpoints.listBlockedSenders, {}, token);
  await run(endpoints.unblockSender, { path: { blocked_id: blocked.id } }, token);

  const extra = await run(
    endpoints.createService,
    { body: { name: 'Flash', duration: 30 } },
    token,
  );
  const ofExtra = { path: { service_id: extra.id } };
  await run(endpoints.listOwnServices, {}, token);
  await run(endpoints.listAvailableServices, ofAna);
  await run(endpoints.fetchAvailableService, { path: { username, service_id: extra.id } });
  await run(endpoints.fetchService, ofExtra, token);
  await run(endpoints.changeService, { ...ofExtra, body: { position: 0 } }, token);
  await run(endpoints.fetchServiceAvailability, { ...ofExtra, query: { year, month } });
  await run(endpoints.fetchOwnAvailability, { query: { year, month } }, token);
  await run(endpoints.fetchArtistAvailability, {
    path: { user_id: artist.self.id },
    query: { year, month },
  });

  await run(endpoints.fetchArtist, ofAna);
  await run(endpoints.fetchDesignsPage, ofAna);
  await run(endpoints.fetchDesignPage, { path: { ...ofAna.path, ...ofDesign.path } });
  await run(endpoints.fetchServicesPage, ofAna);
  await run(endpoints.fetchPortfolioPage, ofAna);
  await run(endpoints.fetchSchedulingPage, {
    ...ofAna,
    query: { service: service.id, design: design.id },
  });
  await run(endpoints.listPublicArtists, {});
  await run(endpoints.fetchExplorePage, { query: {} });
  const message = { name: 'Rosa', email: 'rosa@example.com', message: 'Hello' };
  const sent = await run(endpoints.sendContactMessage, { ...ofAna, body: message });
  await run(endpoints.requestLinks, { ...ofAna, body: { email: 'rosa@example.com' } });
  await run(endpoints.listMessages, {}, token);
  await run(endpoints.markMessagesRead, { body: { ids: [sent.id] } }, token);
  await run(endpoints.deleteMessage, { path: { message_id: sent.id } }, token);

  await run(endpoints.requestEmailProof, {}, token);
  const emailProof = signEmailProof(TOKEN_KEYS, artist.self.id, artist.self.email);
  await run(endpoints.proveEmail, { body: { token: emailProof } });
  const stop = { artistId: artist.self.id, mailboxHash: hashMailbox('rosa@example.com') };
  const stopToken = signMailStop(TOKEN_KEYS, stop);
  await run(endpoints.stopArtistMail, { query: { token: stopToken }, body: '' });
  await run(endpoints.fetchMailStop, { query: { token: stopToken } });
  await run(endpoints.changeMailStop, { body: { token: stopToken, stopped: 'nothing' } });

  const form = { ...FILLED_FORM, service_id: service.id, design_id: design.id };
  const held = await run(endpoints.bookService, {
    query: { username },
    header: { 'idempotency-key': UNKNOWN_ID },
    body: { ...form, ...first },
  });
  const ofHeld = { path: { appt_id: held.id } };
  await run(endpoints.fetchConfirmation, ofHeld);
  await run(endpoints.fetchConfirmationPage, ofHeld);
  await run(endpoints.changeEmailAsClient, { ...ofHeld, body: { email: 'maria@example.com' } });
  await run(endpoints.confirmAppointment, ofHeld);
  const withoutNotice = { client_cancel_notice_hours: 0, client_move_notice_hours: 0 };
  await call(connect(token), endpoints.changeSchedule, { body: withoutNotice });
  const other = await call(connect(), endpoints.bookService, {
    query: { username },
    body: { ...form, ...fourth },
  });
  await run(endpoints.moveAsClient, { ...ofHeld, body: fifth });
  await run(endpoints.releaseHold, { path: { appt_id: other.id } });
  const requested = await run(endpoints.requestDesign, {
    query: { username: managed.username },
    body: { ...FILLED_FORM, location: 'arms', design_id: null },
  });
  const ofRequest = { path: { appt_id: requested.id } };
  await run(endpoints.listRivals, ofRequest, managed.token);
  await call(connect(managed.token), endpoints.changeAppointment, { ...ofRequest, body: first });
  await run(endpoints.declineOffer, { ...ofRequest, body: { note: 'I am away.' } });
  await run(endpoints.listAppointmentEvents, ofRequest, managed.token);
  await run(endpoints.cancelAsClient, ofRequest);
  const entered = { client: INES, ...second };
  const { id: appt_id } = await run(endpoints.createAppointment, { body: entered }, token);
  const appointment = await run(endpoints.fetchAppointment, ofHeld, token);
  const paid = await run(endpoints.addPayment, { ...ofHeld, body: { amount: 5000 } }, token);
  const dates = { first: '2026-01-01', last: '2199-12-31' };
  await run(endpoints.listPayments, { query: dates }, token);
  const payment_id = paid.payments[0]?.id ?? '';
  await run(endpoints.deletePayment, { path: { ...ofHeld.path, payment_id } }, token);
  const ofClient = { path: { client_id: appointment.client.id } };
  await run(endpoints.listAppointments, { query: { search: 'rosa', order: 'soonest' } }, token);
  await run(endpoints.listAppointmentsInRange, { query: first }, token);
  await run(endpoints.listClientAppointments, ofClient, token);
  await run(endpoints.listClients, { query: { search: 'r' } }, token);
  await run(endpoints.fetchClient, ofClient, token);
  await app.database.updateTable('appointments').set({ email_proven: true }).execute();
  await run(endpoints.requestData, { ...ofHeld, body: { kind: 'copy' } });
  const [asked] = (await run(endpoints.listDataRequests, {}, token)).data;
  const request_id = asked?.id ?? '';
  await run(endpoints.markDataRequestDone, { path: { ...ofClient.path, request_id } }, token);
  await run(endpoints.exportClient, ofClient, token);
  const twin = await app.database
    .insertInto('clients')
    .values({ artist_id: artist.self.id, email: 'twin@example.com' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const merge = await run(
    endpoints.mergeClients,
    { ...ofClient, body: { client_id: twin.id } },
    token,
  );
  await run(endpoints.undoClientMerge, { path: { merge_id: merge.id } }, token);
  await run(endpoints.changeClient, { ...ofClient, body: { notes: 'Mornings' } }, token);
  await run(endpoints.changeAppointment, { ...ofHeld, body: third }, token);
  await app.runJobs();
  const mails = await run(endpoints.listMails, { query: { appointment_id: appt_id } }, token);
  const mailId = mails.data.find(({ can_send_again }) => can_send_again)?.id ?? '';
  await run(endpoints.resendMail, { path: { mail_id: mailId }, body: {} }, token);
  await call(connect(token), endpoints.changeAppointment, {
    ...ofHeld,
    body: { status: 'cancelled', note: 'I am ill' },
  });
  await run(endpoints.deleteAppointment, ofHeld, token);
  await app.runJobs();
  await run(endpoints.eraseClient, ofClient, token);

  await run(endpoints.fetchMe, {}, token);
  await run(endpoints.changeMe, { body: { about_me: 'Birds', reminder_hours: [24] } }, token);
  await call(connect(token), endpoints.changeMe, {
    body: { studio: { address_one: '2 New Street' } },
  });
  await run(endpoints.undoStudioChange, {}, token);
  await run(endpoints.changeSchedule, { body: { buffer_minutes: 15 } }, token);
  await run(endpoints.changeBookingRange, { body: { kind: 'rolling', days: 30 } }, token);
  await run(endpoints.testToken, {}, token);
  await run(endpoints.startCheckout, {}, managed.token);
  await subscribe(artist);
  await app.runJobs();
  await run(endpoints.startBillingPortal, {}, token);
  const event = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'ping',
    created: 1,
    data: { object: { object: 'customer' } },
  });
  await run(endpoints.receiveWebhook, {
    header: { 'stripe-signature': provider.sign(event) },
    body: event,
  });

  const passwords = { password: PASSWORD, confirm_password: PASSWORD };
  const cleo = { email: 'cleo@example.com', full_name: 'Cleo', username: 'cleo' };
  const studio = { studio_name: 'Ink', ...NEW_YORK };
  await run(endpoints.signUp, { body: { ...cleo, ...passwords, ...studio } });
  const login = { username: cleo.email, password: PASSWORD };
  const { access_token } = await run(endpoints.logIn, { body: login });
  await run(endpoints.recoverPassword, { path: { email: cleo.email } });
  const superuser = await app.superuserToken();
  const html = await run(endpoints.renderRecoveryMail, { path: { email: cleo.email } }, superuser);
  const [, recovery = ''] = /token=([\w-]+)/.exec(html) ?? [];
  await run(endpoints.resetPassword, { body: { token: recovery, new_password: 'battery staple' } });
  expect(await connect(access_token).send(endpoints.fetchMe, {})).toMatchObject({ status: 401 });
  const again = await call(connect(), endpoints.logIn, {
    body: { ...login, password: 'battery staple' },
  });
  const { access_token: newest } = await run(
    endpoints.changePassword,
    { body: { current_password: 'battery staple', new_password: PASSWORD } },
    again.access_token,
  );
  const started = await run(endpoints.startExport, {}, newest);
  await app.runJobs('export');
  const { data: made } = await run(endpoints.listExports, {}, newest);
  const { searchParams } = new URL(made[0]?.url ?? '');
  const ofExport = { path: { export_id: started.id } };
  await run(endpoints.downloadExport, {
    ...ofExport,
    query: { token: searchParams.get('token') ?? '' },
  });
  await run(endpoints.deleteExport, ofExport, newest);
  await run(endpoints.listSessions, {}, newest);
  await run(endpoints.listSecurityEvents, {}, newest);
  const device = new PasskeyDevice();
  const { challenge } = await run(
    endpoints.startPasskey,
    { body: { current_password: PASSWORD } },
    newest,
  );
  const passkey = await run(endpoints.addPasskey, { body: device.create(challenge) }, newest);
  await run(endpoints.listPasskeys, {}, newest);
  const passkeyLogin = await run(endpoints.startPasskeyLogin, {});
  await run(endpoints.logInWithPasskey, { body: device.sign(passkeyLogin.challenge) });
  await run(endpoints.removePasskey, { path: { passkey_id: passkey.id } }, newest);
  const { access_token: phone } = await call(connect(), endpoints.logIn, { body: login });
  const { jti: session_id = '' } = decodeJwt(phone);
  await run(endpoints.endSession, { path: { session_id } }, newest);
  const { access_token: last } = await run(endpoints.endOtherSessions, {}, newest);
  await run(endpoints.deleteMe, {}, last);

  const dora = { email: 'dora@example.com', full_name: 'Dora', username: 'dora' };
  const account = await run(
    endpoints.createAccount,
    { body: { ...dora, password: PASSWORD, ...studio } },
    superuser,
  );
  const ofAccount = { path: { user_id: account.id } };
  await run(endpoints.listAccounts, { query: { search: 'dora' } }, superuser);
  await run(endpoints.fetchAccount, ofAccount, superuser);
  const ofArtist = { path: { artist_id: account.id } };
  await run(endpoints.listAdminArtists, { query: { search: 'dora' } }, superuser);
  await run(endpoints.createRecoveryLink, ofArtist, superuser);
  await run(endpoints.deactivateArtist, ofArtist, superuser);
  await run(endpoints.reactivateArtist, ofArtist, superuser);
  await sql`UPDATE mails SET status = 'failed', failure = 'refused', settled_at = now()
    WHERE notice->>'kind' = 'recovery_link_created'`.execute(app.database);
  const { data: failed } = await run(endpoints.listFailedMails, {}, superuser);
  const mail_id = failed[0]?.id ?? '';
  await run(endpoints.sendFailedMailAgain, { path: { mail_id } }, superuser);
  await run(endpoints.listJobQueues, {}, superuser);
  await run(endpoints.listServerErrors, {}, superuser);
  await run(endpoints.fetchServerState, {}, superuser);
  await run(endpoints.runServerChecks, {}, superuser);
  await run(endpoints.listAdminActions, {}, superuser);
  await run(endpoints.changeAccount, { ...ofAccount, body: { is_active: false } }, superuser);
  await run(endpoints.deleteAccount, ofAccount, superuser);
  await run(endpoints.deleteService, ofExtra, token);
  await run(endpoints.deleteImage, ofImage, token);
  await run(endpoints.deleteDesign, ofDesign, token);
  await run(endpoints.countSecurityEvents, {}, superuser);

  const email = 'elsewhere@example.com';
  await call(connect(token), endpoints.changeMe, { body: { email, current_password: PASSWORD } });
  const { id: changeId } = await app.database
    .selectFrom('email_changes')
    .select('id')
    .executeTakeFirstOrThrow();
  await run(endpoints.undoEmailChange, { body: { token: signEmailUndo(TOKEN_KEYS, changeId) } });
  await run(endpoints.logOut, {}, superuser);
  return values;
}

/** Replaces what differs between two servers: ids, tokens, and times at which rows were written. */
function normalize(value: unknown, ids = new Map<string, string>()): unknown {
  if (typeof value === 'string') return normalizeText(value, ids);
  if (value instanceof Uint8Array) return value.byteLength;
  if (value instanceof ReadableStream) return 'a stream';
  if (Array.isArray(value)) return value.map((item) => normalize(item, ids));
  if (typeof value !== 'object' || value === null) return value;
  // The doctor's sentences name folders and times.
  if ('part' in value && 'advice' in value) return value.part;
  // Keeps properties that are undefined, and values of classes such as Date.
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      /^(?:at|asked_at|done_at|undo_until|created_at|inactive_since|last_login_at|oldest_at|last_used_at|happened_at|reset_token|challenge|settled_at|current_period_end|lapses_at|expires_at|waits_until)$/.test(
        key,
      ) && typeof field === 'string'
        ? 'a time'
        : // From a sequence of the database.
          key === 'id' && typeof field === 'string' && /^\d+$/.test(field)
          ? 'a number'
          : // Of a compressed file.
            /^(?:size|free_bytes)$/.test(key) && typeof field === 'number'
            ? 'a size'
            : normalize(field, ids),
    ]),
  );
}

function normalizeText(text: string, ids: Map<string, string>): string {
  return (
    text
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
        const known = ids.get(id) ?? `id ${ids.size}`;
        ids.set(id, known);
        return known;
      })
      .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'a token')
      .replace(/token=[\w-]+/g, 'token=…')
      // An artist's id in base64url, for passkeys.
      .replace(/^[\w-]{48}$/, 'a user handle')
      .replace(/http:\/\/(?:127\.0\.0\.1|localhost):\d+\/\S*/g, 'a page of the provider')
  );
}

/** Without the status text, which a response has only over a socket. */
function toRefusal(answer: Answer<unknown>) {
  return answer.ok ? 'a value' : { status: answer.status, detail: answer.detail };
}

test(
  'every endpoint returns the same value over HTTP and by a direct call',
  async () => {
    const [overHttp, directly] = [await openBilledTestApp(), await openBilledTestApp()];
    const [httpValues, directValues] = await Promise.all([
      callEveryEndpoint(overHttp, overHttp.app.http),
      callEveryEndpoint(directly, directly.app.direct),
    ]);
    expect([...directValues.keys()].sort()).toEqual(ALL_ENDPOINTS.map(([name]) => name).sort());
    const httpIds = new Map<string, string>();
    const directIds = new Map<string, string>();
    for (const [name, value] of directValues)
      expect({ [name]: normalize(value, directIds) }).toStrictEqual({
        [name]: normalize(httpValues.get(name), httpIds),
      });
  },
  TWO_HUNDRED_CALLS_MS,
);

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
  for (const input of endpoint.bodyKind === 'raw' ? [{ body: '' }] : [unknown, wrong])
    refusals.push(toRefusal(await transport.send(endpoint, input)));
  return refusals;
}
