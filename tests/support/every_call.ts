import { randomUUID } from 'node:crypto';
import type { Appointment } from '#contract/appointment.ts';
import { aPicture, multipart } from '#support/pictures.ts';
import { type Answer, expectOk } from './calls.ts';
import { PASSWORD, type TestArtist } from './new_artist.ts';
import { NEW_YORK } from './rosa.ts';
import { addDesign, addPicture, aSentMail } from './rows.ts';
import { aSlot, FILLED_FORM, openTestApp, requestSlot, type TestApp } from './test_app.ts';

/** Everything that the calls of the table are about; it is all the owner's. */
export interface World {
  readonly studio: TestApp;
  readonly owner: TestArtist;
  readonly stranger: TestArtist;
  /** Whose account the superuser changes and deletes. */
  readonly subject: TestArtist;
  readonly superuser: string;
  readonly designId: string;
  readonly imageId: string;
  readonly clientId: string;
  readonly appointmentId: string;
  readonly cancelledId: string;
  readonly messageId: string;
  readonly mailId: string;
  readonly slot: { readonly start: string; readonly end: string };
  readonly picture: Buffer;
}

interface Sent {
  readonly query?: string;
  readonly json?: unknown;
  readonly form?: Record<string, string>;
  readonly multipart?: FormData;
}

export interface Entry {
  /** `object`: an artist, of what is theirs; others are told that it is not there. */
  readonly who: 'public' | 'artist' | 'object' | 'superuser';
  /** What goes into the braces of the path, where `namesIn` has another. */
  readonly path?: (world: World) => Readonly<Record<string, string>>;
  readonly send?: Sent | ((world: World) => Sent);
  /** A call that needs something else too, such as the link of a mail, or that billing is on. */
  readonly status?: number;
}

const month = { query: 'year=2027&month=3' };
const newAccount = () => ({
  email: `${randomUUID()}@example.com`,
  full_name: 'Rosa Quint',
  username: `rosa-${randomUUID().slice(0, 8)}`,
  password: PASSWORD,
  studio_name: 'Quint',
  ...NEW_YORK,
});

/** Who may make each call, and how a good one is made; in the order in which they can be. */
export const TABLE: Readonly<Record<string, Entry>> = {
  'post /users/signup': {
    who: 'public',
    send: () => ({ json: { ...newAccount(), confirm_password: PASSWORD } }),
  },
  'post /login/access-token': {
    who: 'public',
    send: ({ owner }) => ({ form: { username: owner.self.email, password: PASSWORD } }),
  },
  'post /login/test-token': { who: 'artist' },
  'post /password-recovery/{email}': { who: 'public' },
  'post /reset-password': {
    who: 'public',
    send: { json: { token: 'made-up', new_password: PASSWORD } },
    status: 400,
  },
  'post /password-recovery-html-content/{email}': { who: 'superuser' },
  'get /users/me': { who: 'artist' },
  'patch /users/me': { who: 'artist', send: { json: { about_me: 'I draw.' } } },
  'patch /users/me/avatar': {
    who: 'artist',
    send: ({ picture }) => ({ multipart: multipart([picture]) }),
  },
  'patch /users/me/schedule': { who: 'artist', send: { json: { buffer_minutes: 0 } } },
  'patch /users/me/booking_range': { who: 'artist', send: { json: { kind: 'open' } } },
  'get /users/availability': { who: 'artist', send: month },
  'get /users/{user_id}/availability': {
    who: 'public',
    path: ({ owner }) => ({ user_id: owner.self.id }),
    send: month,
  },
  'get /users/artist/{username}': { who: 'public' },
  'get /users/artist/{username}/share-image': { who: 'public' },
  'get /users/artists': { who: 'public' },
  'post /users/artist/{username}/contact': {
    who: 'public',
    send: { json: { name: 'Rosa', email: 'rosa@example.com', message: 'Hello' } },
  },
  'get /users/me/messages': { who: 'artist' },
  'delete /users/me/messages/{message_id}': { who: 'object' },
  'get /mails': { who: 'artist' },
  'post /mails/{mail_id}/send-again': {
    who: 'object',
    send: { json: { email: 'rosa.quint@example.com' } },
  },
  'get /services': { who: 'artist' },
  'post /services': { who: 'artist', send: { json: { name: 'Sleeve', duration: 90 } } },
  'get /services/{username}/available': { who: 'public' },
  'get /services/{username}/available/{service_id}': { who: 'public' },
  'get /services/{service_id}/availability': { who: 'public', send: month },
  'get /services/{service_id}': { who: 'object' },
  'patch /services/{service_id}': { who: 'object', send: { json: { name: 'Taken over' } } },
  'get /designs': { who: 'artist' },
  'post /designs': {
    who: 'artist',
    send: ({ picture }) => ({ multipart: multipart([picture], { name: 'S', description: 'T' }) }),
  },
  'get /designs/{username}/available': { who: 'public' },
  'get /designs/{design_id}': { who: 'public' },
  'get /designs/{design_id}/share-image': { who: 'public' },
  'patch /designs/{design_id}': { who: 'object', send: { json: { name: 'Taken over' } } },
  'get /images/portfolio': { who: 'artist' },
  'post /images/portfolio/upload': {
    who: 'artist',
    send: ({ picture }) => ({ multipart: multipart([picture]) }),
  },
  'get /images/artist-portfolio': {
    who: 'public',
    send: ({ owner }) => ({ query: `username=${owner.username}` }),
  },
  'get /images/{image_id}': { who: 'object' },
  'patch /images/{image_id}': { who: 'object', send: { json: { title: 'Taken over' } } },
  'post /appointments/request/service': {
    who: 'public',
    send: ({ owner, slot }) => ({
      query: `username=${owner.username}`,
      json: { ...FILLED_FORM, service_id: owner.service.id, design_id: null, ...slot },
    }),
    // The owner's appointment is there already.
    status: 409,
  },
  'post /appointments/request/design': {
    who: 'public',
    send: ({ owner }) => ({
      query: `username=${owner.username}`,
      json: { ...FILLED_FORM, design_id: null },
    }),
    // The owner's clients book times.
    status: 409,
  },
  'get /appointments/confirmation/{appt_id}': { who: 'public' },
  'post /appointments/confirmation/{appt_id}': { who: 'public' },
  'get /appointments': { who: 'artist' },
  'post /appointments': {
    who: 'artist',
    send: {
      json: {
        client: { first_name: 'Rosa' },
        start: '2027-03-01T15:00:00Z',
        end: '2027-03-01T15:59:00Z',
      },
    },
  },
  'get /appointments/schedule': {
    who: 'artist',
    send: { query: 'start=2027-03-01T00:00:00Z&end=2027-03-31T23:59:00Z' },
  },
  'get /appointments/by_client/{client_id}': { who: 'object' },
  'get /appointments/{appt_id}': { who: 'object' },
  'patch /appointments/{appt_id}': { who: 'object', send: { json: { status: 'cancelled' } } },
  'delete /appointments/{appt_id}': {
    who: 'object',
    path: ({ cancelledId }) => ({ appt_id: cancelledId }),
  },
  'get /clients': { who: 'artist' },
  'get /clients/{client_id}': { who: 'object' },
  'patch /clients/{client_id}': { who: 'object', send: { json: { notes: 'Taken over' } } },
  'delete /services/{service_id}': { who: 'object' },
  'delete /designs/{design_id}': { who: 'object' },
  'delete /images/{image_id}': { who: 'object' },
  // Billing is off here.
  'post /users/create-checkout-session': { who: 'artist', status: 503 },
  'post /users/create-billing-portal': { who: 'artist', status: 503 },
  'post /users/webhook': { who: 'public', send: { json: {} }, status: 503 },
  'get /users': { who: 'superuser' },
  'post /users': { who: 'superuser', send: () => ({ json: newAccount() }) },
  'get /users/{user_id}': { who: 'superuser' },
  'patch /users/{user_id}': { who: 'superuser', send: { json: { about_me: 'Taken over' } } },
  'delete /users/{user_id}': { who: 'superuser' },
  'delete /users/me': { who: 'artist' },
  'patch /users/me/password': {
    who: 'artist',
    send: { json: { current_password: PASSWORD, new_password: 'battery staple' } },
  },
};

/** The same, as a list. */
export const ENTRIES = Object.entries(TABLE);

/** A studio in which all of them can be made. */
export async function makeWorld(): Promise<World> {
  const studio = await openTestApp();
  const [owner, stranger, subject] = await Promise.all([
    studio.artist(),
    studio.artist(),
    studio.artist(),
  ]);
  const { token } = owner;
  const slots = [await aSlot(studio, owner, 24), await aSlot(studio, owner, 40)] as const;
  const [kept, cancelled] = [
    await expectOk(requestSlot(studio, owner, slots[0])),
    await expectOk(requestSlot(studio, owner, slots[1])),
  ];
  const json = { status: 'cancelled' };
  await expectOk(studio.call(`PATCH /appointments/${cancelled.id}`, { token, json }));
  const { client } = await expectOk(
    studio.call<Appointment>(`GET /appointments/${kept.id}`, { token }),
  );
  const message = await expectOk(
    studio.call<{ id: string }>(`POST /users/artist/${owner.username}/contact`, {
      json: { name: 'Rosa', email: 'rosa@example.com', message: 'Hello' },
    }),
  );
  return {
    studio,
    owner,
    stranger,
    subject,
    superuser: await studio.superuser(),
    designId: (await addDesign(studio, owner)).id,
    imageId: await addPicture(studio, owner),
    clientId: client.id,
    appointmentId: kept.id,
    cancelledId: cancelled.id,
    messageId: message.id,
    mailId: await aSentMail(studio, owner, cancelled.id),
    slot: slots[0],
    picture: await aPicture(),
  };
}

/** What goes into the braces of paths. */
function namesIn(world: World): Readonly<Record<string, string>> {
  const { owner, subject } = world;
  return {
    username: owner.username,
    service_id: owner.service.id,
    design_id: world.designId,
    image_id: world.imageId,
    appt_id: world.appointmentId,
    client_id: world.clientId,
    message_id: world.messageId,
    mail_id: world.mailId,
    user_id: subject.self.id,
    email: subject.self.email,
  };
}

/** Makes the call of an entry, as it is meant to be made but for the token. */
export function make(
  world: World,
  [operation, { path, send }]: [string, Entry],
  token: string | undefined,
): Promise<Answer> {
  const [method = '', pattern = ''] = operation.split(' ');
  const names = { ...namesIn(world), ...path?.(world) };
  const { query, ...body } = (typeof send === 'function' ? send(world) : send) ?? {};
  const filled = pattern.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(names[name] ?? ''),
  );
  const address = query === undefined ? filled : `${filled}?${query}`;
  return world.studio.call(`${method.toUpperCase()} ${address}`, { token, ...body });
}

/** The artist who makes a call: two end their token and one their account, and have one each. */
export async function whoMakes({ studio, owner }: World, [operation]: [string, Entry]) {
  const own = /users\/me(\/password)?$/.test(operation) && !operation.startsWith('get');
  return own ? studio.artist() : owner;
}
