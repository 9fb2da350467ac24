import type { Actor } from '#domain/appointment.ts';
import type { AccountSnapshot, AppointmentSnapshot } from '#domain/mail.ts';
import { type AppointmentRow, toAppointmentTime } from '#server/database/appointments.ts';
import type { PublicArtistRow } from '#server/database/artists.ts';
import { insertMails, type MailedEvent } from '#server/database/mails.ts';
import type { Context, InChange } from '../context.ts';
import { toStudio } from '../studio/to_studio.ts';

/**
 * Stores the mails about something that happened, and jobs that send them, in the transaction of the change:
 * both commit, or neither does. Skips mails whose recipient has no address, and duplicates of stored mails.
 * @returns the ids of the mails that were not skipped
 */
export async function notify(
  { database, jobs }: InChange<Pick<Context, 'jobs'>>,
  event: MailedEvent,
): Promise<string[]> {
  const ids = await insertMails(database, event);
  // The minutely tasks enqueue the jobs of mails that wait.
  if (event.waitsUntil === undefined)
    await jobs.enqueue(
      database,
      ids.map((id) => ({ kind: 'mail', id }) as const),
    );
  return ids;
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
