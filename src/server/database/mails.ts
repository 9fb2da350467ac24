import { sql } from 'kysely';
import {
  CLIENT_MAIL_KINDS,
  deduplicationKey,
  type MailData,
  type MailKind,
  type MailStatus,
} from '#domain/mail.ts';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { loadPage, type Pagination, TOTAL_COUNT } from './pagination.ts';

/** A notice on its way to an address. */
export interface NewMail {
  readonly notice: MailData;
  readonly address: string;
  readonly artistId: string | null;
  /** Tells it from an earlier mail of the same cause, when it is sent again. */
  readonly resendKey?: string;
}

/** Writes mails down that are to be sent; answers the ids of those whose cause is new. */
export async function insertMails(
  database: Database,
  mails: readonly NewMail[],
): Promise<string[]> {
  if (mails.length === 0) return [];
  const rows = await database
    .insertInto('mails')
    .values(
      mails.map(({ notice, address, artistId, resendKey: again }) => ({
        artist_id: artistId,
        appointment_id: 'appointment' in notice ? notice.appointment.id : null,
        cause:
          again === undefined ? deduplicationKey(notice) : `${deduplicationKey(notice)}:${again}`,
        notice: JSON.stringify(notice, toWellFormed),
        address,
      })),
    )
    .onConflict((conflict) => conflict.column('cause').doNothing())
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Which of an artist's mails. */
export interface MailFilter {
  readonly appointment_id?: string | undefined;
  readonly status?: MailStatus | undefined;
}

/** What an artist sees of their mails: all but the ways back into their account. */
function selectVisibleMails(database: Database, artistId: string) {
  return database
    .selectFrom('mails')
    .leftJoin('appointments', 'appointments.id', 'mails.appointment_id')
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('appointment_times')
          .whereRef('appointment_times.appointment_id', '=', 'mails.appointment_id')
          .select([sql<Date>`lower(during)`.as('start'), sql<Date>`upper(during)`.as('end')])
          .select('lapses_at')
          .orderBy(sql`lower(during)`)
          .limit(1)
          .as('time'),
      (join) => join.onTrue(),
    )
    .where('mails.artist_id', '=', artistId)
    .where(sql`notice->>'kind'`, '!=', 'password_recovery');
}

const VISIBLE_COLUMNS = [
  'mails.id',
  'mails.appointment_id',
  'mails.notice',
  'mails.address',
  'mails.status',
  'mails.failure',
  'mails.created_at',
  'mails.settled_at',
  'appointments.status as appointment_status',
  'time.start',
  'time.end',
  'time.lapses_at',
] as const;

export type MailRow = NonNullable<Awaited<ReturnType<typeof findArtistMail>>>;

/** An artist's mails, the newest first. */
export function listMails(
  database: Database,
  artistId: string,
  { appointment_id, status }: MailFilter,
  page: Pagination,
) {
  let all = selectVisibleMails(database, artistId);
  if (appointment_id !== undefined) all = all.where('mails.appointment_id', '=', appointment_id);
  if (status !== undefined) all = all.where('mails.status', '=', status);
  return loadPage(
    all.select(VISIBLE_COLUMNS).orderBy('mails.created_at', 'desc').orderBy('mails.id'),
    all.select(TOTAL_COUNT),
    page,
  );
}

/** A mail of this artist. */
export function findArtistMail(database: Database, artistId: string, id: string) {
  return selectVisibleMails(database, artistId)
    .select(VISIBLE_COLUMNS)
    .where('mails.id', '=', id)
    .executeTakeFirst();
}

/** Waits until nobody else sends a mail of the appointment again. */
export async function lockAppointmentMails(
  transaction: Database,
  appointmentId: string,
): Promise<void> {
  await transaction
    .selectFrom('appointments')
    .select('id')
    .where('id', '=', appointmentId)
    .forNoKeyUpdate()
    .execute();
}

/** Whether a mail of that kind about the appointment is on its way. */
export async function isMailQueued(
  database: Database,
  appointmentId: string,
  kind: MailKind,
): Promise<boolean> {
  const queued = await database
    .selectFrom('mails')
    .select('id')
    .where('appointment_id', '=', appointmentId)
    .where('status', '=', 'queued')
    .where(sql`notice->>'kind'`, '=', kind)
    .limit(1)
    .executeTakeFirst();
  return queued !== undefined;
}

export type MailToSend = NonNullable<Awaited<ReturnType<typeof findMail>>>;

/** Half a surrogate pair is shown as any other sign that is not one: PostgreSQL takes none in JSON. */
function toWellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

/** A mail by its id, with all that sending it needs. */
export function findMail(database: Database, id: string) {
  return database
    .selectFrom('mails')
    .select(['id', 'artist_id', 'appointment_id', 'notice', 'address', 'status', 'failure'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** A mail that has gone out, was given up or is no longer to be sent; queued ones alone. */
export async function finishMail(
  database: Database,
  id: string,
  status: 'sent' | 'failed' | 'dropped',
  failure: string | null,
): Promise<boolean> {
  const settled = await database
    .updateTable('mails')
    .set({ status, failure, settled_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .returning('id')
    .executeTakeFirst();
  return settled !== undefined;
}

/** Deletes an artist's mails, all but what clients are still to be told. */
export async function deleteArtistMails(database: Database, artistId: string): Promise<void> {
  await database
    .deleteFrom('mails')
    .where('artist_id', '=', artistId)
    .where(({ or, eb, not }) =>
      or([
        eb('status', '!=', 'queued'),
        not(eb(sql<string>`notice->>'kind'`, 'in', CLIENT_MAIL_KINDS)),
      ]),
    )
    .execute();
}

/**
 * Deletes mails that have gone out or were given up: those of artists who have no account any more,
 * and those from before.
 */
export async function deleteFinishedMails(database: Database, before: Instant): Promise<void> {
  await database
    .deleteFrom('mails')
    .where('settled_at', 'is not', null)
    .where(({ or, eb }) =>
      or([eb('artist_id', 'is', null), eb('settled_at', '<', new Date(before))]),
    )
    .execute();
}

/** Remembers why a mail has not gone out yet. */
export async function updateMailFailure(
  database: Database,
  id: string,
  failure: string,
): Promise<void> {
  await database.updateTable('mails').set({ failure }).where('id', '=', id).execute();
}
