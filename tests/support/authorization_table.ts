import { randomUUID } from 'node:crypto';
import type { Appointment } from '#contract/appointment.ts';
import { raiseBookingAlarm } from '#server/database/booking_limits.ts';
import type { Database } from '#server/database/connect.ts';
import { finishMails, insertMails } from '#server/database/mails.ts';
import { insertSession } from '#server/operations/accounts/sessions.ts';
import { createMultipart, createPicture } from '#support/pictures.ts';
import { addDesignRow, addPictureRow } from './app_rows.ts';
import { type ApiResponse, expectOk } from './call_api.ts';
import { addDataRequestRow } from './database_rows.ts';
import { addExportRow } from './exports.ts';
import { inTransaction } from './in_transaction.ts';
import { PASSWORD, PROOF, type TestArtist } from './new_artist.ts';
import { addPasskeyRow } from './passkey_device.ts';
import { NEW_YORK } from './sample_people.ts';
import { FILLED_FORM, findSlot, openTestApp, requestSlot, type TestApp } from './test_app.ts';

/** The objects that the calls of the table refer to. All of them belong to the owner. */
export type TableFixture = Awaited<ReturnType<typeof openTableFixture>>;

interface CallInput {
  readonly query?: string;
  readonly json?: unknown;
  readonly form?: Record<string, string>;
  readonly multipart?: FormData;
}

export interface AuthorizationRule {
  /** `object`: the artist who owns the object. Everyone else gets a 404. */
  readonly access: 'public' | 'artist' | 'object' | 'superuser';
  /** Path parameters that differ from those of the fixture. */
  readonly path?: (fixture: TableFixture) => Readonly<Record<string, string>>;
  readonly send?: CallInput | ((fixture: TableFixture) => CallInput);
  /** The status of an allowed call that still fails, for example because billing is off. */
  readonly status?: number;
}

const CREDENTIAL = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };
const month = { query: 'year=2027&month=3' };
const newAccount = () => ({
  email: `${randomUUID()}@example.com`,
  full_name: 'Rosa Quint',
  username: `rosa-${randomUUID().slice(0, 8)}`,
  password: PASSWORD,
  studio_name: 'Quint',
  ...NEW_YORK,
});

/** The access rule of each operation and a valid call of it, in an order that works. */
export const AUTHORIZATION_TABLE: Readonly<Record<string, AuthorizationRule>> = {
  'post /users/signup': {
    access: 'public',
    send: () => ({ json: { ...newAccount(), confirm_password: PASSWORD } }),
  },
  'get /users/names/{username}': { access: 'public' },
  'post /users/signup/password': { access: 'public', send: { json: { password: PASSWORD } } },
  'post /login/access-token': {
    access: 'public',
    send: ({ owner }) => ({ form: { username: owner.self.email, password: PASSWORD } }),
  },
  'post /login/test-token': { access: 'artist' },
  // Before other calls change the client, so that it is not too late.
  'post /clients/merges/{merge_id}/undo': { access: 'object' },
  'post /password-recovery/{email}': { access: 'public' },
  'post /reset-password': {
    access: 'public',
    send: { json: { token: 'made-up', new_password: PASSWORD } },
    status: 400,
  },
  'post /password-recovery-html-content/{email}': { access: 'superuser', send: { json: PROOF } },
  'post /users/prove-email': {
    access: 'public',
    send: { json: { token: 'made-up' } },
    status: 400,
  },
  'post /users/me/prove-email': { access: 'artist' },
  // A made-up token.
  'post /users/undo-email-change': {
    access: 'public',
    status: 400,
    send: { json: { token: 'x' } },
  },
  'get /users/me/sessions': { access: 'artist' },
  'delete /users/me/sessions/{session_id}': { access: 'object', send: { json: PROOF } },
  'get /users/me/exports': { access: 'artist' },
  'post /users/me/exports': { access: 'artist' },
  // A made-up token.
  'get /users/exports/{export_id}/download': {
    access: 'public',
    status: 404,
    send: { query: 'token=x' },
  },
  'delete /users/me/exports/{export_id}': { access: 'object' },
  'get /users/me/passkeys': { access: 'artist' },
  'post /users/me/passkeys/options': {
    access: 'artist',
    send: { json: { current_password: PASSWORD } },
  },
  // What was signed is made up.
  'post /users/me/passkeys': {
    access: 'artist',
    status: 400,
    send: {
      json: {
        ...CREDENTIAL,
        response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
      },
    },
  },
  'delete /users/me/passkeys/{passkey_id}': { access: 'object' },
  'post /login/passkey/options': { access: 'public' },
  'post /login/passkey': {
    access: 'public',
    status: 400,
    send: {
      json: {
        ...CREDENTIAL,
        response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
      },
    },
  },
  'get /users/me/security-events': { access: 'artist' },
  'get /users/me': { access: 'artist' },
  'patch /users/me': { access: 'artist', send: { json: { about_me: 'I draw.' } } },
  'get /users/me/studio-change/zone': { access: 'artist', send: { query: 'time_zone=UTC' } },
  // Without a change to undo, it refuses.
  'post /users/me/studio-change/undo': { access: 'artist', status: 409 },
  'patch /users/me/avatar': {
    access: 'artist',
    send: ({ picture }) => ({ multipart: createMultipart([picture]) }),
  },
  'patch /users/me/schedule': { access: 'artist', send: { json: { buffer_minutes: 0 } } },
  'patch /users/me/booking_range': { access: 'artist', send: { json: { kind: 'open' } } },
  'get /users/availability': { access: 'artist', send: month },
  'get /users/{user_id}/availability': {
    access: 'public',
    path: ({ owner }) => ({ user_id: owner.self.id }),
    send: month,
  },
  'get /users/artist/{username}': { access: 'public' },
  'get /users/artist/{username}/pages/designs': { access: 'public' },
  'get /users/artist/{username}/pages/designs/{design_id}': { access: 'public' },
  'get /users/artist/{username}/pages/portfolio': { access: 'public' },
  'get /users/artist/{username}/pages/scheduling': { access: 'public' },
  'get /users/artist/{username}/pages/services': { access: 'public' },
  'get /users/artist/{username}/share-image': { access: 'public' },
  'get /users/artist/{username}/mail-picture': { access: 'public', status: 404 },
  'get /users/artists': { access: 'public' },
  'get /users/artists/explore': { access: 'public' },
  'post /users/artist/{username}/contact': {
    access: 'public',
    send: { json: { name: 'Rosa', email: 'rosa@example.com', message: 'Hello' } },
  },
  'post /users/artist/{username}/links': {
    access: 'public',
    send: { json: { email: 'rosa@example.com' } },
  },
  'get /users/me/messages': { access: 'artist' },
  'post /users/me/messages/read': {
    access: 'artist',
    send: ({ ids }) => ({ json: { ids: [ids.message_id] } }),
  },
  'delete /users/me/messages/{message_id}': { access: 'object' },
  'get /mails': { access: 'artist' },
  'post /mails/{mail_id}/send-again': {
    access: 'object',
    send: { json: { email: 'rosa.quint@example.com' } },
  },
  'get /mail/stop': { access: 'public', send: { query: 'token=made-up' }, status: 400 },
  'post /mail/stop': { access: 'public', send: { query: 'token=made-up' }, status: 400 },
  'patch /mail/stop': {
    access: 'public',
    send: { json: { token: 'made-up', stopped: 'artist' } },
    status: 400,
  },
  'get /services': { access: 'artist' },
  'post /services': { access: 'artist', send: { json: { name: 'Sleeve', duration: 90 } } },
  'get /services/{username}/available': { access: 'public' },
  'get /services/{username}/available/{service_id}': { access: 'public' },
  'get /services/{service_id}/availability': { access: 'public', send: month },
  'get /services/{service_id}': { access: 'object' },
  'patch /services/{service_id}': { access: 'object', send: { json: { name: 'Taken over' } } },
  'get /designs': { access: 'artist' },
  'post /designs': {
    access: 'artist',
    send: ({ picture }) => ({
      multipart: createMultipart([picture], { name: 'S', description: 'T' }),
    }),
  },
  'get /designs/{username}/available': { access: 'public' },
  'get /designs/{design_id}': { access: 'public' },
  // It has no length of its own.
  'get /designs/{design_id}/availability': { access: 'public', send: month, status: 404 },
  'get /designs/{design_id}/share-image': { access: 'public' },
  'patch /designs/{design_id}': { access: 'object', send: { json: { name: 'Taken over' } } },
  'get /images/portfolio': { access: 'artist' },
  'post /images/portfolio/upload': {
    access: 'artist',
    send: ({ picture }) => ({ multipart: createMultipart([picture]) }),
  },
  'get /images/artist-portfolio': {
    access: 'public',
    send: ({ owner }) => ({ query: `username=${owner.username}` }),
  },
  'get /images/{image_id}': { access: 'object' },
  'patch /images/{image_id}': { access: 'object', send: { json: { title: 'Taken over' } } },
  'post /appointments/request/service': {
    access: 'public',
    send: ({ owner, slot }) => ({
      query: `username=${owner.username}`,
      json: { ...FILLED_FORM, service_id: owner.service.id, design_id: null, ...slot },
    }),
    // The owner's appointment occupies the slot already.
    status: 409,
  },
  'post /appointments/request/design': {
    access: 'public',
    send: ({ owner }) => ({
      query: `username=${owner.username}`,
      json: { ...FILLED_FORM, design_id: null },
    }),
    // The owner's clients book slots instead of sending requests.
    status: 409,
  },
  'get /appointments/confirmation/{appt_id}': { access: 'public' },
  'get /appointments/confirmation/{appt_id}/page': { access: 'public' },
  'post /appointments/confirmation/{appt_id}': { access: 'public' },
  // The appointment is confirmed now.
  'post /appointments/confirmation/{appt_id}/release': { access: 'public', status: 409 },
  'post /appointments/confirmation/{appt_id}/decline': { access: 'public', status: 409 },
  'post /appointments/confirmation/{appt_id}/cancel': {
    access: 'public',
    path: ({ cancelledId }) => ({ appt_id: cancelledId }),
  },
  // To the same time, which changes nothing.
  'post /appointments/confirmation/{appt_id}/move': {
    access: 'public',
    send: ({ slot }) => ({ json: slot }),
  },
  'post /appointments/confirmation/{appt_id}/email': {
    access: 'public',
    send: { json: { email: 'maria@example.com' } },
  },
  'post /appointments/confirmation/{appt_id}/email/proof': {
    access: 'public',
    send: { json: { change_token: 'not signed' } },
    status: 400,
  },
  'post /appointments/confirmation/{appt_id}/data-request': {
    access: 'public',
    send: { json: { kind: 'copy' } },
    // The email is not proven.
    status: 409,
  },
  'get /users/me/booking-alarm': { access: 'artist' },
  'post /users/me/booking-alarm/{alarm_id}/cancel': { access: 'object' },
  'post /users/me/booking-alarm/{alarm_id}/dismiss': { access: 'object' },
  'get /users/me/blocked': { access: 'artist' },
  'post /users/me/blocked': { access: 'artist', send: { json: { email: 'pest@example.com' } } },
  'delete /users/me/blocked/{blocked_id}': { access: 'object' },
  'get /appointments': { access: 'artist' },
  'post /appointments': {
    access: 'artist',
    send: {
      json: {
        client: { first_name: 'Rosa' },
        start: '2027-03-01T15:00:00Z',
        end: '2027-03-01T15:59:00Z',
      },
    },
  },
  'get /appointments/schedule': {
    access: 'artist',
    send: { query: 'start=2027-03-01T00:00:00Z&end=2027-03-31T23:59:00Z' },
  },
  'get /appointments/by_client/{client_id}': { access: 'object' },
  'get /appointments/time_changes': { access: 'artist' },
  // Nothing is answered, so that there is nothing to undo.
  'post /appointments/time_changes': { access: 'artist', status: 422, send: { json: {} } },
  'delete /appointments/time_changes': { access: 'artist', status: 409 },
  'get /appointments/{appt_id}': { access: 'object' },
  'get /appointments/{appt_id}/history': { access: 'object' },
  'get /appointments/{appt_id}/rivals': { access: 'object' },
  'post /appointments/{appt_id}/payments': { access: 'object', send: { json: { amount: 5000 } } },
  'delete /appointments/{appt_id}/payments/{payment_id}': { access: 'object' },
  'get /payments': { access: 'artist', send: { query: 'first=2026-12-01&last=2026-12-31' } },
  'patch /appointments/{appt_id}': { access: 'object', send: { json: { status: 'cancelled' } } },
  'delete /appointments/{appt_id}': {
    access: 'object',
    path: ({ cancelledId }) => ({ appt_id: cancelledId }),
  },
  'get /clients': { access: 'artist' },
  'get /clients/data-requests': { access: 'artist' },
  'get /clients/{client_id}': { access: 'object' },
  'post /clients/{client_id}/merge': {
    access: 'object',
    send: ({ ids }) => ({ json: { client_id: ids.client_id } }),
    status: 409,
  },
  'post /clients/{client_id}/erase': { access: 'object', status: 409 },
  'post /clients/{client_id}/data-requests/{request_id}/done': { access: 'object' },
  'get /clients/{client_id}/export': { access: 'object' },
  'patch /clients/{client_id}': { access: 'object', send: { json: { notes: 'Taken over' } } },
  'delete /services/{service_id}': { access: 'object' },
  'delete /designs/{design_id}': { access: 'object' },
  'delete /images/{image_id}': { access: 'object' },
  // Billing is off here.
  'post /users/create-checkout-session': { access: 'artist', status: 503 },
  'post /users/create-billing-portal': { access: 'artist', status: 503 },
  'post /users/webhook': { access: 'public', send: { json: {} }, status: 503 },
  'get /users': { access: 'superuser' },
  'get /users/security-counts': { access: 'superuser' },
  'get /admin/artists': { access: 'superuser' },
  'get /admin/mails': { access: 'superuser' },
  'get /admin/jobs': { access: 'superuser' },
  'get /admin/errors': { access: 'superuser' },
  'get /admin/server': { access: 'superuser' },
  'get /admin/actions': { access: 'superuser' },
  'post /admin/doctor': { access: 'superuser' },
  'post /admin/mails/{mail_id}/send-again': {
    access: 'superuser',
    path: ({ failedMailId }) => ({ mail_id: failedMailId }),
  },
  'post /admin/artists/{artist_id}/recovery-link': { access: 'superuser', send: { json: PROOF } },
  'post /admin/artists/{artist_id}/deactivate': { access: 'superuser', send: { json: PROOF } },
  'post /admin/artists/{artist_id}/reactivate': { access: 'superuser' },
  'post /users': { access: 'superuser', send: () => ({ json: newAccount() }) },
  'get /users/{user_id}': { access: 'superuser' },
  'patch /users/{user_id}': { access: 'superuser', send: { json: { about_me: 'Taken over' } } },
  'delete /users/{user_id}': { access: 'superuser', send: { json: PROOF } },
  'delete /users/me': { access: 'artist', send: { json: PROOF } },
  'patch /users/me/password': {
    access: 'artist',
    send: { json: { current_password: PASSWORD, new_password: 'battery staple' } },
  },
  'post /users/me/sessions/end-others': { access: 'artist', send: { json: PROOF } },
  'delete /users/me/session': { access: 'artist' },
};

export const AUTHORIZATION_RULES = Object.entries(AUTHORIZATION_TABLE);

/** Creates the objects that the calls of the table refer to. */
export async function openTableFixture() {
  const app = await openTestApp();
  const [owner, stranger, subject] = await Promise.all([
    app.newArtist(),
    app.newArtist(),
    app.newArtist(),
  ]);
  const { token } = owner;
  const slots = [await findSlot(app, owner, 24), await findSlot(app, owner, 40)] as const;
  const [held, cancelled] = [
    await expectOk(requestSlot(app, owner, slots[0])),
    await expectOk(requestSlot(app, owner, slots[1])),
  ];
  const json = { status: 'cancelled' };
  await expectOk(app.call(`PATCH /appointments/${cancelled.id}`, { token, json }));
  const { client } = await expectOk(
    app.call<Appointment>(`GET /appointments/${held.id}`, { token }),
  );
  const payment = await expectOk(
    app.call<Appointment>(`POST /appointments/${held.id}/payments`, {
      token,
      json: { amount: 5000 },
    }),
  );
  const message = await expectOk(
    app.call<{ id: string }>(`POST /users/artist/${owner.username}/contact`, {
      json: { name: 'Rosa', email: 'rosa@example.com', message: 'Hello' },
    }),
  );
  const blocked = await expectOk(
    app.call<{ id: string }>('POST /users/me/blocked', {
      token,
      json: { email: 'other@example.com' },
    }),
  );
  await app.runJobs();
  const mail = await app.database
    .selectFrom('mails')
    .select('id')
    .where('appointment_id', '=', cancelled.id)
    .where('status', '=', 'sent')
    .executeTakeFirstOrThrow();
  // Of later bookings, so that it is about none.
  const soon = Date.now() + 60_000;
  const alarm = await inTransaction(app.database, raiseBookingAlarm, owner.self.id, soon, soon);
  return {
    app,
    owner,
    stranger,
    /** The artist whose account the superuser changes and deletes. */
    subject,
    superuser: await app.superuserToken(),
    cancelledId: cancelled.id,
    failedMailId: await addFailedMail(app.database, owner),
    slot: slots[0],
    picture: await createPicture(),
    /** By the names of the parameters of paths. */
    ids: {
      username: owner.username,
      service_id: owner.service.id,
      design_id: (await addDesignRow(app, owner)).id,
      image_id: await addPictureRow(app, owner),
      appt_id: held.id,
      payment_id: payment.payments[0]?.id ?? '',
      client_id: client.id,
      request_id: await addDataRequestRow(app.database, owner.self.id, client.id, {
        asked_at: new Date(0),
      }),
      merge_id: await addMerge(app, owner, client.id),
      message_id: message.id,
      alarm_id: alarm.id,
      blocked_id: blocked.id,
      session_id: await inTransaction(app.database, insertSession, { artist_id: owner.self.id }),
      passkey_id: (await addPasskeyRow(app.database, owner.self.id)).id,
      export_id: await addExportRow(app.database, owner.self.id),
      mail_id: mail.id,
      user_id: subject.self.id,
      artist_id: subject.self.id,
      email: subject.self.email,
    },
  };
}

/** A mail to the owner that was not delivered. */
async function addFailedMail(database: Database, { self }: TestArtist): Promise<string> {
  const artist = { id: self.id, name: self.full_name, email: self.email };
  const notice = { kind: 'password_changed', artist, occasion: 'once' } as const;
  const [id = ''] = await inTransaction(database, insertMails, { notices: [notice] });
  await finishMails(database, [{ id, status: 'failed', failure: 'No such mailbox' }]);
  return id;
}

/** Merges a new client of the owner into another one. */
async function addMerge(app: TestApp, owner: TestArtist, clientId: string): Promise<string> {
  const other = await app.database
    .insertInto('clients')
    .values({ artist_id: owner.self.id, email: 'twin@example.com' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const merge = await expectOk(
    app.call<{ id: string }>(`POST /clients/${clientId}/merge`, {
      token: owner.token,
      json: { client_id: other.id },
    }),
  );
  return merge.id;
}

/** Makes the valid call of a table entry, with the given token. */
export function makeCall(
  fixture: TableFixture,
  [operation, { path, send }]: [string, AuthorizationRule],
  token: string | undefined,
): Promise<ApiResponse> {
  const [method = '', pattern = ''] = operation.split(' ');
  const parameters: Readonly<Record<string, string>> = { ...fixture.ids, ...path?.(fixture) };
  const { query, ...body } = (typeof send === 'function' ? send(fixture) : send) ?? {};
  const pathname = pattern.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  );
  const address = query === undefined ? pathname : `${pathname}?${query}`;
  return fixture.app.call(`${method.toUpperCase()} ${address}`, { token, ...body });
}

/** The owner, or a new artist for calls that revoke the token or delete the account. */
export async function findCaller(
  { app, owner }: TableFixture,
  [operation]: [string, AuthorizationRule],
) {
  const endsLogin =
    /(users\/me(\/password)?|end-others|me\/session)$/.test(operation) &&
    !operation.startsWith('get');
  return endsLogin ? app.newArtist() : owner;
}
