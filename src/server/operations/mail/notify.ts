import type { Actor } from '#domain/appointment.ts';
import {
  type AccountSnapshot,
  type AppointmentSnapshot,
  type MailData,
  recipientAddress,
} from '#domain/mail.ts';
import type { Instant } from '#domain/time.ts';
import { type AppointmentRow, toAppointmentTime } from '#server/database/appointments.ts';
import type { PublicArtistRow } from '#server/database/artists.ts';
import { insertMails, type NewMail } from '#server/database/mails.ts';
import type { Context } from '../context.ts';
import { toStudio } from '../studio/to_studio.ts';

/** Queues the mails of an artist to them and to their clients, as `enqueueMails` does. */
export async function notify(
  context: Pick<Context, 'database' | 'jobs'>,
  artistId: string,
  notices: readonly MailData[],
): Promise<void> {
  const mails = notices.map((notice) => ({ notice, artistId }));
  await enqueueMails(context, mails);
}

/** Mails per INSERT statement. */
const BATCH_SIZE = 500;

/**
 * Stores mails, and jobs that send them, in the transaction of the change that they report: both commit, or
 * neither does. Skips mails whose recipient has no address, and duplicates of stored mails.
 * @param context of a change
 * @param waitsUntil set if the mails may be sent only later
 * @returns the ids of the mails that were not skipped
 */
export async function enqueueMails(
  { database, jobs }: Pick<Context, 'database' | 'jobs'>,
  mails: readonly Omit<NewMail, 'address' | 'waitsUntil'>[],
  waitsUntil?: Instant,
): Promise<string[]> {
  const addressed = mails.flatMap((mail) => {
    const address = recipientAddress(mail.notice);
    return address === null ? [] : [{ ...mail, address, waitsUntil }];
  });
  const storedIds: string[] = [];
  for (let from = 0; from < addressed.length; from += BATCH_SIZE)
    storedIds.push(...(await insertMails(database, addressed.slice(from, from + BATCH_SIZE))));
  // The minutely tasks enqueue the jobs of mails that wait.
  if (waitsUntil === undefined)
    await jobs.enqueue(
      database,
      storedIds.map((id) => ({ kind: 'mail', id }) as const),
    );
  return storedIds;
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
