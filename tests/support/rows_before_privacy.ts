import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { AppointmentSnapshot, MailData } from '#domain/mail.ts';
import { toMailbox } from '#domain/mailbox.ts';
import { DAY_MS } from '#domain/time.ts';
import type { Database } from '#server/database/connect.ts';
import type { Clients, Mails } from '#server/database/tables.ts';
import {
  type ArtistRow,
  addAppointment,
  addArtist,
  createAppointmentFacts,
} from './database_rows.ts';

/** A client who has left traces in every table. */
export const ROSA = {
  email: 'Rosalinde.Quastenberg+Ink@GMail.com',
  /** Reaches the same mailbox. */
  spelling: 'rosalindequastenberg@googlemail.com',
  network: '203.0.113.0/24',
} as const;
/** Someone with letters beyond ASCII. */
export const ZOE = { email: 'ZOË@Exämple.example', network: '2001:db8:0:1200::/56' } as const;
/** Someone whose appointment was deleted, and whose email is nowhere else. */
const STRANGER = 'Lena@elsewhere.example';

/** What `addRowsBeforePrivacy` has added. */
export interface OldRows {
  readonly ana: ArtistRow;
  readonly bo: ArtistRow;
  readonly clients: Readonly<Record<'rosa' | 'zoe' | 'own' | 'phoneOnly' | 'corrected', string>>;
  readonly appointments: readonly string[];
}

/**
 * Fills a database of before the migration 0016_privacy with rows as its servers wrote them: all spellings
 * of emails where these are told, and their usual form in lists that compare mailboxes.
 */
export async function addRowsBeforePrivacy(database: Database): Promise<OldRows> {
  const ana = await addArtist(database, { username: 'ana', mailbox: 'ana@example.com' });
  const bo = await addArtist(database, { username: 'bo' });
  const clients = await addClients(database, ana);
  const appointments = await addAppointments(database, ana, clients);
  await addMails(database, ana, bo, appointments);
  await addSenders(database, ana, bo);
  await database
    .insertInto('messages')
    .values([
      {
        artist_id: ana.id,
        name: 'Rosalinde',
        email: ROSA.spelling,
        message: 'Is latex a problem?',
      },
      { artist_id: ana.id, name: 'Zoë', email: ZOE.email, message: 'Hello', network: ZOE.network },
    ])
    .execute();
  await database
    .insertInto('rate_limits')
    .values({
      key: `links_network:${ROSA.network}`,
      points: 3,
      expire: String(Date.now() + DAY_MS),
    })
    .execute();
  return { ana, bo, clients, appointments: Object.values(appointments) };
}

async function addClients(database: Database, ana: ArtistRow) {
  const add = async (client: Partial<Insertable<Clients>>) => {
    const { id } = await database
      .insertInto('clients')
      .values({ ...client, artist_id: ana.id })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  return {
    rosa: await add({
      ...{ email: ROSA.email, first_name: 'Rosalinde', last_name: 'Quastenberg' },
      ...{ pronouns: 'xe/xem', phone_number: '+12125550177', preferred_contact: 'text' },
      ...{ notes: 'Allergic to latex.', email_failed_at: new Date() },
    }),
    zoe: await add({ email: ZOE.email, first_name: 'Zoë' }),
    // The artist tried their own page.
    own: await add({ email: ana.email, first_name: 'Ana' }),
    phoneOnly: await add({ phone_number: '+12125550188', first_name: 'Paul' }),
    // Their appointment still has the email that was wrong.
    corrected: await add({ email: 'ines@example.com', first_name: 'Ines' }),
  };
}

async function addAppointments(
  database: Database,
  ana: ArtistRow,
  clients: Awaited<ReturnType<typeof addClients>>,
) {
  const longAgo = Date.now() - 90 * DAY_MS;
  const add = (client: keyof typeof clients, day: number, email: string | null) =>
    addAppointment(database, ana, {
      ...{ client: clients[client], email, start: longAgo + day * DAY_MS, firstName: null },
      lastName: null,
    });
  const past = await addAppointment(database, ana, {
    ...{ client: clients.rosa, email: ROSA.email, key: randomUUID(), start: longAgo },
    ...{ firstName: 'Rosalinde', lastName: 'Quastenberg' },
  });
  await database
    .updateTable('appointments')
    .set({
      ...{ pronouns: 'xe/xem', phone_number: '+12125550177', preferred_contact: 'text' },
      ...{ location: 'arms', size: 'small', customer_notes: 'Over the scar of my operation.' },
      ...{ artist_note: 'For Rosalinde', network: ROSA.network },
      idempotency_subject: 'rosalinde asks for a swallow',
    })
    .where('id', '=', past)
    .execute();
  const cancelled = await addAppointment(database, ana, {
    ...{ client: clients.rosa, email: ROSA.spelling, status: 'cancelled', start: null },
    ...{ firstName: 'Rosalinde', lastName: null },
  });
  await database
    .insertInto('appointment_events')
    .values([
      { appointment_id: past, actor: 'client', what: 'confirmed', to_status: 'confirmed' },
      {
        ...{
          appointment_id: cancelled,
          actor: 'client',
          what: 'cancelled',
          to_status: 'cancelled',
        },
        note: 'My mother is ill. Rosalinde',
      },
    ])
    .execute();
  return {
    past,
    cancelled,
    ahead: await addAppointment(database, ana, {
      ...{ client: clients.zoe, email: ZOE.email, start: Date.now() + 30 * DAY_MS },
    }),
    own: await add('own', 2, ana.email),
    phoneOnly: await add('phoneOnly', 3, null),
    corrected: await add('corrected', 4, 'Inse@example.com'),
  };
}

/** Mails in all states. Their cause is the name by which tests find them. */
async function addMails(
  database: Database,
  ana: ArtistRow,
  bo: ArtistRow,
  ids: Awaited<ReturnType<typeof addAppointments>>,
): Promise<void> {
  const rosa = { name: 'Rosalinde Quastenberg', email: ROSA.email, phone: '+12125550177' };
  const facts = (id: string, client: AppointmentSnapshot['client']): AppointmentSnapshot => ({
    ...createAppointmentFacts(ana, id),
    client,
  });
  const account = { id: ana.id, name: 'An Artist', email: ana.email };
  const settled = { status: 'sent', settled_at: new Date() } as const;
  const add = async (
    cause: string,
    address: string,
    notice: MailData,
    changes: Partial<Insertable<Mails>>,
  ) => {
    const isDeleted = changes.appointment_id === null;
    const id = 'appointment' in notice && !isDeleted ? notice.appointment.id : null;
    await database
      .insertInto('mails')
      .values({
        ...{ artist_id: ana.id, sender_id: ana.id, cause, address, source: ana.id },
        ...{ appointment_id: id, ...changes, notice: JSON.stringify(notice) },
      })
      .execute();
  };
  const past = facts(ids.past, rosa);
  const cancelled = facts(ids.cancelled, { ...rosa, email: ROSA.spelling });
  const deleted = facts(randomUUID(), rosa);
  const waiting = { waits_until: new Date(Date.now() + DAY_MS), waits_for: 'mailbox' } as const;
  const zoe = facts(ids.ahead, { name: 'Zoë', email: ZOE.email, phone: null });
  await add(
    'rosa booked',
    ROSA.email,
    { kind: 'booked', appointment: past },
    {
      ...{ ...settled, calendar_method: 'REQUEST', thread: `${ids.past}:client` },
      // It had waited.
      ...{ mailbox: toMailbox(ROSA.email), source: ROSA.network },
    },
  );
  await add('rosa new booking', ana.email, { kind: 'new_booking', appointment: past }, settled);
  await add(
    'rosa cancelled',
    ROSA.spelling,
    { kind: 'cancelled', appointment: cancelled },
    {
      ...{ status: 'failed', settled_at: new Date(), failure: 'The mailbox is full' },
    },
  );
  // To the artist, and not sent yet.
  await add('rosa told', ana.email, { kind: 'client_cancelled', appointment: cancelled }, {});
  // The appointment was deleted before.
  const withoutAppointment = { ...settled, appointment_id: null };
  await add(
    'rosa deleted',
    ROSA.email,
    { kind: 'declined', appointment: deleted },
    withoutAppointment,
  );
  await add(
    'rosa links',
    ROSA.email,
    {
      ...{ kind: 'links', artist: account, email: ROSA.email, occasion: randomUUID() },
      appointments: [{ status: 'confirmed', appointment: past }],
    },
    settled,
  );
  await add(
    'rosa wrote',
    ana.email,
    {
      ...{ kind: 'contact_message', artist: account },
      message: { id: randomUUID(), name: 'Rosalinde', email: ROSA.email, text: 'Hello' },
    },
    settled,
  );
  await add(
    'zoe waits',
    ZOE.email,
    { kind: 'reminder', appointment: zoe, hours: 24 },
    {
      ...{ ...waiting, mailbox: toMailbox(ZOE.email), source: ZOE.network },
    },
  );
  await add(
    'zoe dropped',
    ZOE.email,
    { kind: 'moved', appointment: zoe },
    {
      ...{ status: 'dropped', settled_at: new Date(), source: null },
    },
  );
  const own = facts(ids.own, { name: 'Ana', email: ana.email, phone: null });
  await add('own booked', ana.email, { kind: 'booked', appointment: own }, settled);
  await add('own new booking', ana.email, { kind: 'new_booking', appointment: own }, settled);
  const inse = facts(ids.corrected, { name: 'Ines', email: 'Inse@example.com', phone: null });
  await add('corrected booked', 'Inse@example.com', { kind: 'booked', appointment: inse }, settled);
  const lena = facts(randomUUID(), { name: 'Lena', email: STRANGER, phone: null });
  await add(
    'stranger expired',
    STRANGER,
    { kind: 'expired', appointment: lena },
    withoutAppointment,
  );
  await add(
    'welcome',
    ana.email,
    {
      ...{ kind: 'welcome', artist: { ...account, username: ana.username } },
    },
    settled,
  );
  const boAccount = { id: bo.id, name: 'Bo', email: bo.email };
  await add(
    'account deleted',
    bo.email,
    { kind: 'account_deleted', artist: boAccount },
    {
      // The account is gone.
      ...{ artist_id: null, sender_id: randomUUID(), sender_was_proven: true },
    },
  );
}

/** Lists of mailboxes and networks, which held these themselves. */
async function addSenders(database: Database, ana: ArtistRow, bo: ArtistRow): Promise<void> {
  const [rosa, zoe] = [toMailbox(ROSA.email), toMailbox(ZOE.email)];
  const email = { artist_id: ana.id, kind: 'email' };
  const network = { artist_id: ana.id, kind: 'network' };
  await database
    .insertInto('blocked_senders')
    .values([
      { ...email, value: rosa },
      { ...email, value: zoe },
      { ...network, value: ROSA.network },
      { ...network, value: ZOE.network },
      { ...email, value: rosa, artist_id: bo.id },
    ])
    .execute();
  await database
    .insertInto('mailboxes')
    .values([
      { mailbox: rosa, artist_id: ana.id },
      { mailbox: zoe, artist_id: bo.id },
      { mailbox: toMailbox(ana.email), artist_id: ana.id },
    ])
    .execute();
  const counted = { is_link_needed: false, is_for_safety: false, counted_at: new Date() };
  await database
    .insertInto('counted_mails')
    .values([
      {
        ...{ ...counted, mail_id: randomUUID(), mailbox: rosa, source: ROSA.network },
        sender_id: ana.id,
      },
      // To an artist, who has caused it.
      {
        ...{ ...counted, mail_id: randomUUID(), mailbox: toMailbox(ana.email), source: ana.id },
        sender_id: null,
      },
    ])
    .execute();
}
