import {
  type AccountSnapshot,
  type AppointmentSnapshot,
  type MailData,
  recipientAddress,
} from '#domain/mail.ts';
import { type AppointmentRow, toAppointmentTime } from '#server/database/appointments.ts';
import type { PublicArtistRow } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import { insertMails, type NewMail } from '#server/database/mails.ts';
import type { Context } from './context.ts';
import { toStudio } from './to_studio.ts';

/**
 * Has people told of something, in the same transaction: the mails are on their way once it
 * commits. What has been told already is not told again; whoever left no email is not told.
 */
export async function notify(
  { jobs }: Pick<Context, 'jobs'>,
  transaction: Database,
  artistId: string | null,
  notices: readonly MailData[],
): Promise<void> {
  const mails = notices.flatMap((notice) => {
    const address = recipientAddress(notice);
    return address === null ? [] : [{ notice, address, artistId }];
  });
  await enqueueMails({ jobs }, transaction, mails);
}

/** As many mails as one sentence to the database holds. */
const BATCH_SIZE = 500;

/**
 * Writes mails down and has them sent once the transaction commits.
 * @returns the ids of those whose cause is new
 */
export async function enqueueMails(
  { jobs }: Pick<Context, 'jobs'>,
  transaction: Database,
  mails: readonly NewMail[],
): Promise<string[]> {
  const queued: string[] = [];
  for (let from = 0; from < mails.length; from += BATCH_SIZE) {
    const ids = await insertMails(transaction, mails.slice(from, from + BATCH_SIZE));
    await jobs.enqueue(
      transaction,
      ids.map((id) => ({ kind: 'mail', id })),
    );
    queued.push(...ids);
  }
  return queued;
}

/** An artist as notices tell of them. */
export function toAccountFacts({
  id,
  full_name,
  email,
}: Pick<PublicArtistRow, 'id' | 'full_name' | 'email'>): AccountSnapshot {
  return { id, name: full_name, email };
}

/**
 * An appointment as notices tell it.
 * @param wasBooked whether it had been booked before this change
 */
export function toAppointmentFacts(row: AppointmentRow, wasBooked: boolean): AppointmentSnapshot {
  const time = toAppointmentTime(row);
  return {
    id: row.id,
    version: row.version,
    wasBooked,
    isGone: false,
    artist: { username: row.username, name: row.full_name, email: row.artist_email },
    studio: toStudio(row),
    client: {
      name: [row.first_name, row.last_name].filter(Boolean).join(' ') || null,
      email: row.email,
      phone: row.phone_number,
    },
    service: row.service_name,
    design: row.design_name,
    time: time && { start: time.start, end: time.end },
    movedFrom: null,
    lapsesAt: time?.expiresAt ?? null,
    location: row.location,
    size: row.size,
    wishes: row.customer_notes,
    note: row.artist_note,
  };
}
