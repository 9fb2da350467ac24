/** The artist's appointments: lists, histories, and their changes of status, time and details. */
import type {
  Appointment,
  AppointmentChanges,
  AppointmentEvent,
  AppointmentQuery,
  AppointmentRangeQuery,
} from '#contract/appointment.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import {
  ACTION_OF_STATUS,
  type ArtistStatus,
  artistTransition,
  isConfirmed,
  isOver,
  isUndecided,
  occupiesCalendar,
  refuseUnlessDeletable,
  type SetTime,
  setTime,
  statusAt,
  TRANSITIONS,
} from '#domain/appointments/appointment.ts';
import { isNewTime } from '#domain/appointments/appointment_changes.ts';
import { blockedRange, fromSlot } from '#domain/booking/availability.ts';
import { usesEdition } from '#domain/booking/editions.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { agreedTimeAt } from '#domain/studio/agreed_time.ts';
import type { Instant } from '#domain/time/time.ts';
import { listAppointmentEvents } from '#server/database/appointment_events.ts';
import {
  listAppointmentRows,
  listOverlappingAppointments,
  listRivalRows,
} from '#server/database/appointment_lists.ts';
import {
  type AppointmentTransition,
  saveMove,
  saveTransition,
} from '#server/database/appointment_transitions.ts';
import { deleteAppointmentRow } from '#server/database/appointment_updates.ts';
import {
  type AppointmentRow,
  findAppointment,
  hasTime,
  toAppointmentState,
  toAppointmentTime,
  toBufferedTime,
} from '#server/database/appointments.ts';
import * as artists from '#server/database/artists.ts';
import { findOpenAlarm } from '#server/database/booking_limits.ts';
import { selectKeptClientId } from '#server/database/clients.ts';
import type { Database, Transaction } from '#server/database/connect.ts';
import { requireEdition } from '../booking/bookable.ts';
import { calendarScope, change, refusingOverlap } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { announce } from '../mail/notify.ts';
import { changeDetails, toEditionUse } from './appointment_details.ts';
import { expireHolds, storeExpiry } from './expire_holds.ts';
import {
  makeRoomForArtist,
  parseStudioRange,
  type StudioRange,
  type TimeSetByArtist,
} from './time_set_by_artist.ts';
import { toAppointment, toHistory } from './to_appointment.ts';

export async function listAppointments(
  { database, images }: Context,
  artistId: string,
  { skip, limit, in_alarm, ...query }: AppointmentQuery & { readonly clientId?: string },
  now: Instant,
): Promise<ListPage<Appointment>> {
  const alarm = in_alarm ? await findOpenAlarm(database, artistId) : undefined;
  if (in_alarm && !alarm) return { data: [], count: 0 };
  const filter = { ...query, ...(alarm && { alarmId: alarm.id }), now };
  const page = { skip, limit };
  const list = await listAppointmentRows(database, artistId, filter, page);
  return { data: list.rows.map((row) => toAppointment(images, row, now)), count: list.count };
}

/**
 * All appointments of one client, erased or not, the last created first. The id of a merged client
 * lists those of the client into whom it was merged.
 * @throws Refusal `not_found` when the artist has no such client
 */
export async function listAppointmentsOfClient(
  context: Context,
  artistId: string,
  { clientId: id, ...page }: PageQuery & { readonly clientId: string },
  now: Instant,
): Promise<ListPage<Appointment>> {
  const client = await selectKeptClientId(context.database, artistId, id).executeTakeFirst();
  const { id: clientId } = requireFound(client);
  return listAppointments(context, artistId, { ...page, order: 'newest', clientId }, now);
}

/** The appointments in a time range that are held, offered, confirmed, completed or a no-show. */
export async function listScheduledAppointments(
  { database, images }: Context,
  artistId: string,
  query: AppointmentRangeQuery,
  now: Instant,
): Promise<ListPage<Appointment>> {
  const rows = await listOverlappingAppointments(database, artistId, fromSlot(query));
  const data = rows
    .map((row) => toAppointment(images, row, now))
    .filter(({ status }) => occupiesCalendar(status) || isConfirmed(status));
  return { data, count: data.length };
}

export async function loadAppointment(
  { database, images }: Context,
  artistId: string,
  id: string,
  now: Instant,
): Promise<Appointment> {
  return toAppointment(images, await loadAppointmentRow(database, artistId, id), now);
}

/** @throws Refusal `not_found`, also for an appointment of another artist */
export async function loadAppointmentRow(
  database: Database,
  artistId: string,
  id: string,
): Promise<AppointmentRow> {
  return requireFound(await findAppointment(database, artistId, id));
}

/**
 * The artist changes the status, or the time and the details: its subject, its price and its notes.
 * Equal values change nothing.
 * @throws Refusal `not_found`, also for another artist's service or design
 * @throws InvalidInput when a client would be asked to confirm a time that has begun
 */
export async function updateAppointment(
  context: Context,
  artistId: string,
  id: string,
  changes: AppointmentChanges,
): Promise<Appointment> {
  const { start, end, ignore_buffer, status, note, version, ...details } = changes;
  return change(context, calendarScope(artistId), async (context, now) => {
    const { database } = context;
    const load = () => loadAppointmentRow(database, artistId, id);
    const isChangeMailed = status !== undefined || start !== undefined;
    const row = await storeExpiry(context, await load(), load, { isChangeMailed, now });
    const setsTime = status === undefined && start !== undefined && end !== undefined;
    // Before the version: an invalid time is a 422 even with a stale version.
    const next = setsTime ? await judgeTime(context, row, { start, end }, now) : null;
    // A call without a `version` is never refused as stale.
    if (version !== undefined && version !== row.version) throw refuse('stale_version');
    if (status !== undefined) return changeStatus(context, row, { ...changes, status }, now);
    const isSameTime = next !== null && hasTime(row, next.time);
    // An offer with the same time may have another note, which is mailed.
    const keepsTime = next === null || (isSameTime && next.status !== 'offered');
    const newDetails = keepsTime ? { ...details, note } : details;
    const edited = await changeDetails(database, row, newDetails, now);
    if (keepsTime) return toAppointment(context.images, edited, now);
    // An offer that only gets another note keeps its time: its buffers may overlap as they did.
    const ignoresBuffer = ignore_buffer === true || isSameTime;
    return changeTime(context, edited, { ...next, ignoresBuffer, note }, now);
  });
}

/** Judges a time that the artist has sent. @throws Refusal `status_changed`; InvalidInput */
async function judgeTime(
  { database, confirmationDeadlines }: Context,
  row: AppointmentRow,
  sent: StudioRange,
  now: Instant,
): Promise<SetTime & Pick<TimeSetByArtist, 'time'>> {
  // The zone of the present studio, which the artist sees: a past appointment may keep an earlier studio.
  const { time_zone } = requireFound(await artists.findArtistById(database, row.artist_id));
  const time = parseStudioRange(time_zone, sent);
  const appointment = toAppointmentState(row);
  return { ...setTime(appointment, time.start, confirmationDeadlines, now), time };
}

/** Sets the status of an appointment; its time is released, or occupied again. */
async function changeStatus(
  context: InChange<Context>,
  row: AppointmentRow,
  { status, note, keep_edition = false }: AppointmentChanges & { readonly status: ArtistStatus },
  now: Instant,
): Promise<Appointment> {
  const { database } = context;
  const appointment = toAppointmentState(row);
  const action = ACTION_OF_STATUS[status];
  const nextStatus = artistTransition(appointment, action, now);
  const { event: what } = TRANSITIONS.artist[action];
  const transition = {
    actor: 'artist',
    what,
    status: nextStatus,
    note,
    columns: {
      // Clients see the note that belongs to the present state. Marking attendance and undoing it leave
      // the note, because it is about the time.
      artist_note: isConfirmed(nextStatus) ? undefined : note || null,
      // Only an appointment that uses up an edition can keep it from others.
      keeps_edition: keep_edition && usesEdition(toEditionUse(row), now),
    },
  } as const;
  // The time of a closed appointment becomes free; that of a reopened one must still be free.
  if (nextStatus === 'confirmed') await reopen(context, row, transition, now);
  else {
    const released = { ...transition, time: 'released' } as const;
    await saveTransition(database, row, released, now);
  }
  const after = await loadAppointmentRow(database, row.artist_id, row.id);
  // The client needs no mail about an appointment that is over, and that they do not expect later.
  const isExpected = !isOver(appointment, now) || (await wasMovedFromFuture(database, row, now));
  if (isExpected) await announce(context, transition, { before: row, after });
  return toAppointment(context.images, after, now);
}

/** Corrects `completed` or `no_show`: occupies the time again. @throws Refusal `reopened_time_taken` */
async function reopen(
  context: InChange<Context>,
  row: AppointmentRow,
  transition: AppointmentTransition,
  now: Instant,
): Promise<void> {
  const occupied = toBufferedTime(row);
  // This check only narrows the type: an appointment that is completed or a no-show has a time.
  if (occupied === null) throw refuse('status_changed');
  await expireHolds(context, row.artist_id, { overlapping: blockedRange(occupied) }, now);
  const time = agreedTimeAt(row.time_zone, occupied.start);
  await refusingOverlap('reopened_time_taken', () =>
    saveTransition(context.database, row, { ...transition, time }, now),
  );
}

/** Whether the appointment was moved away from a time after `now`, which its client may still expect. */
async function wasMovedFromFuture(
  transaction: Transaction,
  { artist_id, id }: Pick<AppointmentRow, 'artist_id' | 'id'>,
  now: Instant,
): Promise<boolean> {
  const events = await listAppointmentEvents(transaction, artist_id, id);
  return events.some(
    ({ what, from_start }) => isNewTime(what) && from_start !== null && from_start.getTime() > now,
  );
}

/** Sets the time of an appointment, and the note about it that the client reads. */
async function changeTime(
  context: InChange<Context>,
  row: AppointmentRow,
  next: SetTime & TimeSetByArtist & Pick<AppointmentChanges, 'note'>,
  now: Instant,
): Promise<Appointment> {
  const { database } = context;
  const { action, status, expiresAt, time, ignoresBuffer } = next;
  // A new offer drops the earlier note. Otherwise, an unset note stays, and an empty one is deleted.
  const noteBefore = action === 'offer' ? null : row.artist_note;
  const artistNote = next.note === undefined ? noteBefore : next.note || null;
  const oldTime = toAppointmentTime(row);
  // The same time comes here only for an offer: another note mails it again, the same note changes nothing.
  if (action === 'move' && hasTime(row, time) && artistNote === row.artist_note)
    return toAppointment(context.images, row, now);
  // A request, and a hold that is not reserved, use up an edition only once they have this time.
  if (row.design_id !== null && !usesEdition(toEditionUse(row), now)) {
    const design = { id: row.design_id, editions: row.editions };
    await requireEdition(database, design, row, now);
  }
  const buffered = await makeRoomForArtist(context, row, { time, ignoresBuffer }, now);
  const move = {
    actor: 'artist',
    what: TRANSITIONS.artist[action].event,
    status,
    time: { ...buffered, expiresAt },
    note: next.note || undefined,
    columns: { artist_note: artistNote, is_set_by_artist: true },
  } as const;
  await saveMove(database, row, move, now);
  const after = await loadAppointmentRow(database, row.artist_id, row.id);
  // When both times have begun, the artist only corrects a record: the client needs no mail.
  const isCorrection = oldTime !== null && oldTime.start <= now && time.start <= now;
  if (!isCorrection) await announce(context, move, { before: row, after });
  return toAppointment(context.images, after, now);
}

/**
 * Lists the rivals of an appointment that waits for a decision: requests, holds and offers for the same
 * design, if it has a limit, or with an overlapping time. Empty for an appointment that is decided.
 */
export async function listRivals(
  { database, images }: Context,
  artistId: string,
  id: string,
  now: Instant,
): Promise<ListPage<Appointment>> {
  const row = await loadAppointmentRow(database, artistId, id);
  if (!isUndecided(statusAt(toAppointmentState(row), now))) return { data: [], count: 0 };
  const rows = await listRivalRows(database, row, now);
  const data = rows.map((one) => toAppointment(images, one, now));
  return { data, count: data.length };
}

/** The history of an appointment, the oldest first. */
export async function listHistory(
  { database }: Context,
  artistId: string,
  id: string,
  now: Instant,
): Promise<ListPage<AppointmentEvent>> {
  const row = await loadAppointmentRow(database, artistId, id);
  const data = toHistory(row, await listAppointmentEvents(database, artistId, id), now);
  return { data, count: data.length };
}

/**
 * The artist deletes a declined, expired or cancelled appointment.
 * @throws Refusal `not_found`, `not_deletable`; `status_changed` if it changed concurrently
 */
export async function deleteAppointment(
  context: Context,
  artistId: string,
  id: string,
): Promise<void> {
  await change(context, calendarScope(artistId), async (context, now) => {
    const load = () => loadAppointmentRow(context.database, artistId, id);
    const row = await storeExpiry(context, await load(), load, { isChangeMailed: true, now });
    refuseUnlessDeletable(toAppointmentState(row), now);
    if (!(await deleteAppointmentRow(context.database, row))) throw refuse('status_changed');
  });
}
