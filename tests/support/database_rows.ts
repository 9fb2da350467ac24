import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { AppointmentStatus } from '#domain/appointments/appointment.ts';
import type { WantedBooking } from '#domain/booking/booking_checks.ts';
import type { AppointmentSnapshot } from '#domain/mail/mail.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '#domain/time/time.ts';
import { reserveTime } from '#server/database/appointment_times.ts';
import {
  type AppointmentTransition,
  saveTransition,
} from '#server/database/appointment_transitions.ts';
import { findAppointment } from '#server/database/appointments.ts';
import { insertArtist } from '#server/database/artists.ts';
import type { Database, Transaction } from '#server/database/connect.ts';
import { nextPosition } from '#server/database/ordered_lists.ts';
import type {
  Artists,
  Clients,
  DataRequests,
  Designs,
  Images,
  Services,
  Studios,
} from '#server/database/tables.ts';
import { inTransaction } from './in_transaction.ts';
import { NEW_YORK } from './sample_people.ts';

// Inserts rows without the API.

/** An artist of one test. */
export interface ArtistRow {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly studioId: string;
}

const STUDIO_ROW = { name: 'The Studio', ...NEW_YORK };

/** An active artist with the schedule of a new account. */
export async function addArtist(
  database: Database,
  changes: Partial<Insertable<Artists>> = {},
  studio: Partial<Insertable<Studios>> = {},
): Promise<ArtistRow> {
  const username = changes.username ?? `artist-${randomUUID()}`;
  const email = changes.email ?? `${username}@example.com`;
  const id = await inTransaction(
    database,
    insertArtist,
    {
      full_name: 'An Artist',
      password_hash: 'no hash',
      scheduling_type: 'service',
      email_proven_at: new Date(),
      ...changes,
      username,
      email,
    },
    { ...STUDIO_ROW, ...studio },
  );
  const { studio_id } = await database
    .selectFrom('artists')
    .select('studio_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { id, username, email, studioId: studio_id };
}

/** Adds a client of the artist, by default Rosa, and returns the id. */
export async function addClient(
  database: Database,
  artist: ArtistRow,
  changes: Partial<Insertable<Clients>> = {},
): Promise<string> {
  const rosa = {
    first_name: 'Rosa',
    last_name: 'Quint',
    email: `rosa-${randomUUID()}@example.com`,
  };
  const { id } = await database
    .insertInto('clients')
    .values({ ...rosa, ...changes, artist_id: artist.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Adds what a client asks for about their data, at `NOON` and open by default, and returns the id. */
export async function addDataRequestRow(
  database: Database,
  artistId: string,
  clientId: string,
  changes: Partial<Insertable<DataRequests>> = {},
): Promise<string> {
  const { id } = await database
    .insertInto('data_requests')
    .values({
      artist_id: artistId,
      client_id: clientId,
      kind: 'copy',
      asked_at: new Date(NOON),
      ...changes,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Adds a one-hour service that clients can book. */
export function addService(
  database: Database,
  artist: ArtistRow,
  changes: Partial<Insertable<Services>> = {},
) {
  const service = { name: 'Flash', description: '', duration_minutes: 60 };
  return database
    .insertInto('services')
    .values({ ...service, ...changes, artist_id: artist.id })
    .returning(['id', 'name', 'duration_minutes', 'is_available', 'price'])
    .executeTakeFirstOrThrow();
}

/** Adds the row of a finished picture, without its files. */
export function addImage(
  database: Database,
  artist: Pick<ArtistRow, 'id'>,
  changes: Partial<Insertable<Images>> = {},
) {
  const image = {
    kind: 'portfolio',
    title: 'A swallow',
    width: 1600,
    height: 1200,
    widths: [400, 800],
    formats: ['avif', 'webp'],
  } satisfies Partial<Insertable<Images>>;
  return database
    .insertInto('images')
    .values({ ...image, ...changes, artist_id: artist.id })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** Adds an available design with its own picture. */
export async function addDesign(
  database: Database,
  artist: Pick<ArtistRow, 'id'>,
  changes: Partial<Insertable<Designs>> = {},
): Promise<{ id: string; imageId: string }> {
  const { id: imageId } = await addImage(database, artist, { kind: 'design' });
  const design = { name: 'Swallow', description: 'In black.', status: 'available' } as const;
  const position = nextPosition('designs', artist.id);
  const { id } = await database
    .insertInto('designs')
    .values({ ...design, position, ...changes, artist_id: artist.id, image_id: imageId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, imageId };
}

/** The default start of an appointment. */
export const NOON: Instant = Date.parse('2030-06-03T12:00:00Z');

interface NewAppointment {
  readonly status?: AppointmentStatus;
  /** Null for a request without a time. */
  readonly start?: Instant | null;
  readonly minutes?: number;
  /** Minutes that stay free after it. */
  readonly buffer?: number;
  readonly expiresAt?: Instant | null;
  readonly client?: string;
  readonly email?: string | null;
  readonly isProven?: boolean;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly serviceId?: string | null;
  readonly designId?: string | null;
  readonly key?: string;
}

/** Adds an appointment: by default confirmed, and one hour from `NOON`. */
export async function addAppointment(
  database: Database,
  artist: ArtistRow,
  changes: NewAppointment = {},
): Promise<string> {
  const { start = NOON, minutes = 60, buffer = 0, expiresAt = null } = changes;
  const row = {
    artist_id: artist.id,
    studio_id: artist.studioId,
    client_id: changes.client ?? (await addClient(database, artist)),
    status: changes.status ?? 'confirmed',
    email: changes.email === undefined ? 'rosa@example.com' : changes.email,
    email_proven: changes.isProven,
    first_name: changes.firstName === undefined ? 'Rosa' : changes.firstName,
    last_name: changes.lastName === undefined ? 'Quint' : changes.lastName,
    service_id: changes.serviceId ?? null,
    design_id: changes.designId ?? null,
    idempotency_key: changes.key ?? null,
  };
  const inserted = database.insertInto('appointments').values(row).returning('id');
  const { id } = await inserted.executeTakeFirstOrThrow();
  if (start !== null) {
    const end = start + minutes * MINUTE_MS;
    await inTransaction(database, reserveTime, {
      appointmentId: id,
      artistId: artist.id,
      studioId: artist.studioId,
      zone: NEW_YORK.time_zone,
      start,
      end,
      blockedUntil: end + buffer * MINUTE_MS,
      isReserved: true,
      expiresAt,
    });
  }
  return id;
}

/** Changes an appointment of an artist without any check and without a mail. */
export async function changeAppointmentRow(
  database: Database,
  artistId: string,
  id: string,
  changes: Partial<AppointmentTransition>,
): Promise<void> {
  const row = await findAppointment(database, artistId, id);
  if (row === undefined) throw new Error('The artist has no such appointment');
  const transition = { actor: 'artist', what: 'edited', status: row.status, ...changes } as const;
  await inTransaction(database, saveTransition, row, transition, NOON);
}

/** What a client wants of an artist; by default nothing. */
export function wantedOf(artist: ArtistRow, wanted: Partial<WantedBooking> = {}): WantedBooking {
  const nothing = { serviceId: null, designId: null, time: null, own: null };
  return { artistId: artist.id, zone: NEW_YORK.time_zone, ...nothing, ...wanted };
}

/** Whether the appointment's time occupies the calendar; null without a time. */
export async function occupiesTime(database: Database, id: string): Promise<boolean | null> {
  const row = await database
    .selectFrom('appointment_times')
    .select('occupies')
    .where('appointment_id', '=', id)
    .executeTakeFirst();
  return row?.occupies ?? null;
}

/** Runs the work in a transaction and rolls it back, so that it may change all rows. */
export async function withRollback(
  database: Database,
  work: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  const transaction = await database.startTransaction().execute();
  try {
    await work(transaction);
  } finally {
    await transaction.rollback().execute();
  }
}

/** The data of an appointment in a mail about it. */
export function createAppointmentFacts(artist: ArtistRow, id: string): AppointmentSnapshot {
  return {
    id,
    version: 1,
    wasBooked: true,
    by: 'artist',
    isGone: false,
    artist: {
      ...{ username: artist.username, name: 'An Artist' },
      ...{ email: artist.email, publicEmail: artist.email },
    },
    studio: { ...STUDIO_ROW, address_two: null },
    client: { name: 'Rosa Quint', email: 'rosa@example.com', phone: null },
    service: 'Flash',
    design: null,
    time: { start: NOON, end: NOON + HOUR_MS },
    movedFrom: null,
    expiresAt: null,
    isReserved: true,
    location: null,
    size: null,
    wishes: null,
    note: null,
  };
}

/** The mails of an artist, oldest first, as `expired to rosa@example.com`. */
export async function listNotices(database: Database, artistId: string): Promise<string[]> {
  const rows = await database
    .selectFrom('mails')
    .select(['notice', 'address'])
    .where('artist_id', '=', artistId)
    .orderBy('created_at')
    .execute();
  return rows.map(({ notice, address }) => `${notice.kind} to ${address}`);
}
