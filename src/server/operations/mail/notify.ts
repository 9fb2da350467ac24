/** Stores the mails about events, with the facts from which jobs write their texts later. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '#domain/appointments/appointment.ts';
import { type AppointmentStep, mailsAbout } from '#domain/mail/appointment_mails.ts';
import type { AccountSnapshot, AppointmentSnapshot } from '#domain/mail/mail.ts';
import { confirmationWaitEnd } from '#domain/mail/mail_plan.ts';
import type { Instant } from '#domain/time/time.ts';
import { type AppointmentRow, toAppointmentTime } from '#server/database/appointments.ts';
import type { PublicArtistRow } from '#server/database/artists.ts';
import { insertMails, type MailedEvent } from '#server/database/mails.ts';
import type { Context, InChange } from '../context.ts';
import { toStudio } from '../to_studio.ts';

/**
 * Stores the mails about something that happened, and jobs that send them, in the transaction of the change:
 * both commit, or neither does. Skips mails whose recipient has no address. A duplicate of a stored mail is not stored,
 * and its job finds nothing to do.
 * @returns the ids of the mails that have an address
 */
export async function notify(
  context: InChange<Pick<Context, 'jobs'>>,
  event: MailedEvent,
): Promise<string[]> {
  const ids = await insertMails(context.database, event);
  // A task of every minute enqueues the jobs of mails whose wait is over.
  if (event.waitsUntil === undefined) await enqueueMails(context, ids);
  return ids;
}

/** Enqueues the first job of each of these mails, or repeats it after a wait: then it keeps its claim of the mail. */
export function enqueueMails(
  { database, jobs }: InChange<Pick<Context, 'jobs'>>,
  ids: readonly string[],
): Promise<void> {
  const mailJobs = ids.map((id) => ({ kind: 'mail', id }) as const);
  return jobs.enqueue(database, mailJobs);
}

/** Enqueues another job for each of these mails. If the first one still runs, only one of both claims the mail. */
export function enqueueMailsAgain(
  { database, jobs }: InChange<Pick<Context, 'jobs'>>,
  ids: readonly string[],
): Promise<void> {
  const mailJobs = ids.map((id) => ({ kind: 'mail', id, job: randomUUID() }) as const);
  return jobs.enqueue(database, mailJobs);
}

interface AnnouncedChange {
  /** The appointment before the step; null for a new one. */
  readonly before: AppointmentRow | null;
  readonly after: AppointmentRow;
  /** The client's text to the artist. The artist's text to the client is a column of the appointment. */
  readonly note?: string | undefined;
}

/**
 * Stores the mails about a step of one appointment (`mailsAbout`), in its transaction. Steps about which the
 * operation mails nobody, such as the correction of a past time, are not announced.
 * @param caller the client who took the step; undefined for the artist
 */
export async function announce(
  context: InChange<Pick<Context, 'jobs'>>,
  step: AppointmentStep,
  { before, after, note }: AnnouncedChange,
  caller?: { readonly network: string; readonly now: Instant },
): Promise<void> {
  const { actor: by, what } = step;
  const kinds = mailsAbout(step, before?.status ?? null);
  const oldTime = before && toAppointmentTime(before);
  const isNewStart = oldTime?.start !== after.start?.getTime();
  const isMoveByArtist = by === 'artist' && what === 'moved';
  const appointment: AppointmentSnapshot = {
    ...toAppointmentSnapshot(after, { wasBooked: before?.status === 'confirmed', by }),
    movedFrom: oldTime && isNewStart ? oldTime.start : null,
    ...(caller && { note: note || null }),
    // The artist can undo a move.
    ...(isMoveByArtist && oldTime && { beforeMove: { ...oldTime, note: before.artist_note } }),
  };
  // Most clients confirm soon after a hold: then they get one mail, about the booking.
  const waitsUntil =
    caller && kinds.includes('hold')
      ? confirmationWaitEnd(appointment, after.must_prove_email, caller.now)
      : undefined;
  const notices = kinds.map((kind) => ({ kind, appointment }));
  await notify(context, { notices, source: caller?.network, waitsUntil });
}

/** The artist's data that mails show. */
export function toAccountSnapshot(
  row: Pick<PublicArtistRow, 'id' | 'full_name' | 'email'>,
): AccountSnapshot {
  return { id: row.id, name: row.full_name, email: row.email };
}

/** A client's name; null without one. */
export function toFullName({
  first_name,
  last_name,
}: Pick<AppointmentRow, 'first_name' | 'last_name'>): string | null {
  return [first_name, last_name].filter(Boolean).join(' ') || null;
}

/**
 * The appointment's data that mails show. Callers set `movedFrom`, `studioChange` or `isGone` if needed.
 * @param wasBooked whether it was confirmed before the change, if any, that the mail reports
 */
export function toAppointmentSnapshot(
  row: AppointmentRow,
  { wasBooked, by = 'artist' }: { readonly wasBooked: boolean; readonly by?: Actor },
): AppointmentSnapshot {
  const time = toAppointmentTime(row);
  return {
    id: row.id,
    version: row.version,
    wasBooked,
    by,
    isGone: false,
    artist: {
      username: row.username,
      name: row.full_name,
      email: row.artist_email,
      publicEmail: row.public_artist_email,
    },
    organizers: { client: row.client_organizer, artist: row.artist_organizer },
    studio: toStudio(row),
    client: {
      name: toFullName(row),
      email: row.email,
      phone: row.phone_number,
    },
    service: row.service_name,
    design: row.design_name,
    ...(row.price && { price: row.price }),
    ...(row.deposit && { deposit: row.deposit }),
    ...(row.booking_policy && { bookingPolicy: row.booking_policy }),
    time: time && { start: time.start, end: time.end },
    movedFrom: null,
    expiresAt: time?.expiresAt ?? null,
    isReserved: row.occupies !== false,
    location: row.location,
    size: row.size,
    wishes: row.customer_notes,
    note: row.artist_note,
  };
}
