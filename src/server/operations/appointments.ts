import type {
  Appointment,
  AppointmentChanges,
  AppointmentQuery,
  AppointmentRangeQuery,
  NewAppointment,
} from '#contract/appointment.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import {
  occupiesCalendar,
  refuseUnlessDeletable,
  setTime,
  statusAt,
  transition,
} from '#domain/appointment.ts';
import { refuse } from '#domain/refusal.ts';
import { type Instant, MINUTE_MS } from '#domain/time.ts';
import * as appointments from '#server/database/appointments.ts';
import { findArtistById } from '#server/database/artists.ts';
import * as calendar from '#server/database/calendar.ts';
import { findClient, upsertClient } from '#server/database/clients.ts';
import type { Database } from '#server/database/connect.ts';
import { findArtistDesign } from '#server/database/designs.ts';
import { findService } from '#server/database/services.ts';
import type { Context } from './context.ts';
import { expireHolds } from './expire_holds.ts';
import { updateCalendar } from './invalidating.ts';
import { notify, toAppointmentFacts } from './notify.ts';
import { toAppointment } from './to_appointment.ts';

export async function listAppointments(
  { database, images }: Context,
  artistId: string,
  { skip, limit, ...filter }: AppointmentQuery,
  now: Instant,
): Promise<ListPage<Appointment>> {
  const page = { skip, limit };
  const listed = await appointments.listAppointments(database, artistId, filter, now, page);
  return {
    data: listed.rows.map((row) => toAppointment(images, row, now)),
    count: listed.count,
  };
}

/**
 * All that a client of the artist has asked for, newest first.
 * @throws Refusal `not_found` when the artist has no such client
 */
export async function listAppointmentsOfClient(
  { database, images }: Context,
  artistId: string,
  clientId: string,
  page: PageQuery,
  now: Instant,
): Promise<ListPage<Appointment>> {
  if (!(await findClient(database, artistId, clientId))) throw refuse('not_found');
  const filter = { order: 'newest', clientId } as const;
  const listed = await appointments.listAppointments(database, artistId, filter, now, page);
  return {
    data: listed.rows.map((row) => toAppointment(images, row, now)),
    count: listed.count,
  };
}

/** What is, was or may yet be on the artist's calendar within a span, in order. */
export async function listScheduledAppointments(
  { database, images }: Context,
  artistId: string,
  { start, end }: AppointmentRangeQuery,
  now: Instant,
): Promise<ListPage<Appointment>> {
  const span = parseTimes(start, end);
  const rows = await appointments.listOverlappingAppointments(database, artistId, span);
  const data = rows
    .filter((row) => isOnCalendar(row, now))
    .map((row) => toAppointment(images, row, now));
  return { data, count: data.length };
}

export async function loadAppointment(
  { database, images }: Context,
  artistId: string,
  id: string,
  now: Instant,
): Promise<Appointment> {
  const row = await appointments.findAppointment(database, artistId, id);
  if (!row) throw refuse('not_found');
  return toAppointment(images, row, now);
}

/**
 * The artist enters an appointment: it is confirmed at once, whatever the opening hours.
 * @throws Refusal `not_found` for what is not the artist's, `time_taken`
 */
export async function createAppointment(
  context: Context,
  artistId: string,
  entry: NewAppointment,
): Promise<Appointment> {
  return updateCalendar(context, artistId, async (database, now) => {
    const artist = await findArtistById(database, artistId);
    if (!artist) throw refuse('not_found');
    await refuseForeignServiceOrDesign(database, artistId, entry);
    const client = await findOrMergeClient(database, artistId, entry);
    const id = await appointments.insertAppointment(database, {
      ...client,
      artist_id: artistId,
      place_id: artist.studio_id,
      service_id: entry.service_id ?? null,
      design_id: entry.design_id ?? null,
      status: 'confirmed',
      customer_notes: entry.customer_notes,
    });
    const kept = { id, artist_id: artistId, place_id: artist.studio_id };
    const times = parseTimes(entry.start, entry.end);
    await reserveWithBuffer(context, database, kept, times, null, now);
    // Who sat in the chair already needs no mail.
    if (times.start <= now) return loadAppointment({ ...context, database }, artistId, id, now);
    return notifyAndLoad(context, database, kept, 'booked', null, now);
  });
}

/**
 * The artist sets a time or names a state.
 * @throws Refusal `not_found`, `stale_version`, `state_moved`, `time_taken`
 * @throws InvalidInput when a client would be asked to confirm a time that has begun
 */
export async function updateAppointment(
  context: Context,
  artistId: string,
  id: string,
  { start, end, status, note, version }: AppointmentChanges,
): Promise<Appointment> {
  return updateCalendar(context, artistId, async (database, now) => {
    const row = await appointments.findAppointment(database, artistId, id);
    if (!row) throw refuse('not_found');
    const appointment = { status: row.status, time: appointments.toAppointmentTime(row) };
    if (status !== undefined) {
      refuseStaleVersion(row, version);
      const next = transition(appointment, status, now);
      await saveTransition(database, row, next, note);
      await calendar.releaseTime(database, id);
      if (next === 'completed' || next === 'no_show')
        return loadAppointment({ ...context, database }, artistId, id, now);
      return notifyAndLoad(context, database, row, next, row, now);
    }
    if (start !== undefined && end !== undefined) {
      const times = parseTimes(start, end);
      // Judged first: a time that cannot be asked for is invalid (422) before it is stale (409).
      const next = setTime(appointment, times.start, context.confirmationTerms, now);
      refuseStaleVersion(row, version);
      await saveTransition(database, row, next.status);
      await reserveWithBuffer(context, database, row, times, next.expiresAt, now);
      // What is over is only set right.
      if (appointment.time && appointment.time.start <= now && times.start <= now)
        return loadAppointment({ ...context, database }, artistId, id, now);
      return notifyAndLoad(context, database, row, NOTICE_BY_STATUS[next.status], row, now);
    }
    return loadAppointment({ ...context, database }, artistId, id, now);
  });
}

/**
 * The artist deletes what came to nothing.
 * @throws Refusal `not_found`, `not_over`
 */
export async function deleteAppointment(
  context: Context,
  artistId: string,
  id: string,
): Promise<void> {
  await updateCalendar(context, artistId, async (database, now) => {
    const row = await appointments.findAppointment(database, artistId, id);
    if (!row) throw refuse('not_found');
    refuseUnlessDeletable({ status: row.status, time: appointments.toAppointmentTime(row) }, now);
    if (!(await appointments.deleteAppointment(database, row))) throw refuse('state_moved');
  });
}

/** What clients are told when they get a time, or another one. */
const NOTICE_BY_STATUS = { held: 'hold', offered: 'offer', confirmed: 'moved' } as const;

/**
 * Has the client told of what has just become of an appointment, and shows it.
 * @param before what it was until now; null when there was none
 */
async function notifyAndLoad(
  context: Context,
  transaction: Database,
  { id, artist_id }: Pick<appointments.AppointmentRow, 'id' | 'artist_id'>,
  kind: 'booked' | 'hold' | 'offer' | 'moved' | 'declined' | 'cancelled',
  before: appointments.AppointmentRow | null,
  now: Instant,
): Promise<Appointment> {
  const row = await appointments.findAppointment(transaction, artist_id, id);
  if (!row) throw refuse('not_found');
  const [from, to] = [before?.start?.getTime() ?? null, row.start?.getTime() ?? null];
  const facts = toAppointmentFacts(row, before?.status === 'confirmed');
  const appointment = { ...facts, movedFrom: from === to ? null : from };
  await notify(context, transaction, artist_id, [{ kind, appointment }]);
  return toAppointment(context.images, row, now);
}

function refuseStaleVersion({ version }: { version: number }, known: number | undefined): void {
  if (known !== undefined && known !== version) throw refuse('stale_version');
}

function isOnCalendar(row: appointments.AppointmentRow, now: Instant): boolean {
  const status = statusAt({ status: row.status, time: appointments.toAppointmentTime(row) }, now);
  return occupiesCalendar(status) || status === 'completed' || status === 'no_show';
}

async function saveTransition(
  database: Database,
  row: appointments.AppointmentRow,
  next: appointments.AppointmentRow['status'],
  note?: string,
): Promise<void> {
  if (!(await appointments.updateAppointmentStatus(database, row, next, note)))
    throw refuse('state_moved');
}

/** Keeps a time and the artist's buffer after it, unless another appointment is in the way. */
async function reserveWithBuffer(
  context: Context,
  database: Database,
  row: Pick<appointments.AppointmentRow, 'id' | 'artist_id' | 'place_id'>,
  times: { start: Instant; end: Instant },
  expiresAt: Instant | null,
  now: Instant,
): Promise<void> {
  const buffer = await calendar.loadBufferMinutes(database, row.artist_id);
  const blocked = { start: times.start, end: times.end + buffer * MINUTE_MS };
  await expireHolds(context, database, row.artist_id, blocked, now, row.id);
  await calendar.reserveTime(database, {
    ...times,
    blocked,
    expiresAt,
    appointmentId: row.id,
    artistId: row.artist_id,
    studioId: row.place_id,
  });
}

async function refuseForeignServiceOrDesign(
  database: Database,
  artistId: string,
  { service_id, design_id }: NewAppointment,
): Promise<void> {
  const mine = { onlyAvailable: false };
  if (service_id && !(await findService(database, artistId, service_id, mine)))
    throw refuse('not_found');
  if (design_id && !(await findArtistDesign(database, artistId, design_id)))
    throw refuse('not_found');
}

async function findOrMergeClient(
  database: Database,
  artistId: string,
  { client, client_id }: NewAppointment,
) {
  if (client !== undefined) {
    const { first_name, last_name, email = null, phone_number, pronouns } = client;
    const details = { first_name, last_name, email, phone_number, pronouns };
    const id = await upsertClient(database, { ...details, artist_id: artistId });
    return { ...details, client_id: id };
  }
  const known = client_id && (await findClient(database, artistId, client_id));
  if (!known) throw refuse('not_found');
  const { id, ...details } = known;
  return { ...details, client_id: id };
}

function parseTimes(start: string, end: string) {
  return { start: Date.parse(start), end: Date.parse(end) + MINUTE_MS };
}
