import { sql } from 'kysely';
import {
  CLIENT_MAIL_KINDS,
  deduplicationKey,
  type MailData,
  type MailKind,
  type MailStatus,
} from '#domain/mail.ts';
import type { Instant } from '#domain/time.ts';
import { selectTime } from './appointments.ts';
import type { Database } from './connect.ts';
import { loadPage, type Pagination } from './pagination.ts';

export interface NewMail {
  /** The facts from which a job writes the text of the mail. */
  readonly notice: MailData;
  /** The email address of the client or artist who receives the mail. */
  readonly address: string;
  /** The artist who receives the mail, or whose client receives it. */
  readonly artistId: string;
  /** Set if the artist resends a mail: a random suffix, so that its deduplication key is new. */
  readonly resendKey?: string;
  /** Who caused it: the network that typed the address. The artist unless set. */
  readonly source?: string | undefined;
  /** Set if the mail may be sent only later. */
  readonly waitsUntil?: Instant;
}

/**
 * Inserts mails with the status `queued`, which is the column's default. A mail whose deduplication
 * key (column `cause`) exists already is skipped.
 * @returns the ids of the inserted mails
 */
export async function insertMails(database: Database, mails: readonly NewMail[]) {
  if (mails.length === 0) return [];
  const rows = await database
    .insertInto('mails')
    .values(
      mails.map(({ notice, address, artistId, resendKey, source = artistId, waitsUntil }) => ({
        artist_id: artistId,
        sender_id: artistId,
        source,
        appointment_id: 'appointment' in notice ? notice.appointment.id : null,
        cause: deduplicationKey(notice) + (resendKey === undefined ? '' : `:${resendKey}`),
        notice: JSON.stringify(notice, toWellFormed),
        address,
        waits_until: waitsUntil === undefined ? null : new Date(waitsUntil),
      })),
    )
    .onConflict((conflict) => conflict.column('cause').doNothing())
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** For `JSON.stringify`: replaces half a surrogate pair, which PostgreSQL refuses, by U+FFFD. */
function toWellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

/** Selects mails to an artist and their clients, except mails for recovering a password. */
function selectVisibleMails(database: Database, artistId: string) {
  // `selectTime` adds the time of the appointment, if any, as `time`.
  return database
    .selectFrom('mails')
    .leftJoin('appointments', 'appointments.id', 'mails.appointment_id')
    .leftJoinLateral(selectTime, (join) => join.onTrue())
    .select([
      'mails.id',
      'mails.appointment_id',
      'mails.notice',
      'mails.address',
      'mails.status',
      'mails.failure',
      'mails.created_at',
      'mails.settled_at',
      'mails.waits_until',
      'mails.waits_for',
      'appointments.status as appointment_status',
      'time.start',
      'time.end',
      'time.lapses_at',
    ])
    .where('mails.artist_id', '=', artistId)
    .where(sql`notice->>'kind'`, '!=', 'password_recovery');
}

export type MailRow = NonNullable<Awaited<ReturnType<typeof findArtistMail>>>;

/** Lists the mails that this artist may see, newest first. */
export function listMails(
  database: Database,
  artistId: string,
  filter: { appointment_id?: string | undefined; status?: MailStatus | undefined },
  page: Pagination,
) {
  let mails = selectVisibleMails(database, artistId);
  if (filter.appointment_id !== undefined)
    mails = mails.where('mails.appointment_id', '=', filter.appointment_id);
  if (filter.status !== undefined) mails = mails.where('mails.status', '=', filter.status);
  return loadPage(mails.orderBy('mails.created_at', 'desc').orderBy('mails.id'), page);
}

/** Finds a mail that this artist may see. */
export function findArtistMail(database: Database, artistId: string, id: string) {
  return selectVisibleMails(database, artistId).where('mails.id', '=', id).executeTakeFirst();
}

/** Locks the appointment's row, so that only one transaction at a time resends its mails. */
export async function lockAppointmentMails(transaction: Database, appointmentId: string) {
  await transaction
    .selectFrom('appointments')
    .select('id')
    .where('id', '=', appointmentId)
    .forNoKeyUpdate()
    .execute();
}

export async function isMailQueued(database: Database, appointmentId: string, kind: MailKind) {
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

/** Finds a mail of any artist, in any status, with the columns that sending needs. */
export function findMail(database: Database, id: string) {
  return database
    .selectFrom('mails')
    .select(['id', 'artist_id', 'appointment_id', 'notice', 'address', 'status', 'failure'])
    .select([
      'sender_id',
      'sender_was_proven',
      'source',
      'waits_until',
      'merged_into',
      'created_at',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The artist for whom a mail is sent: their email, and whether it is, or was, proven. */
export async function findMailSender(
  database: Database,
  {
    sender_id,
    artist_id,
    sender_was_proven,
  }: Pick<MailToSend, 'sender_id' | 'artist_id' | 'sender_was_proven'>,
): Promise<{ readonly email: string | null; readonly isProven: boolean }> {
  const artist = await database
    .selectFrom('artists')
    .select(['email', 'email_proven_at'])
    .where('id', '=', sender_id ?? artist_id)
    .executeTakeFirst();
  if (!artist) return { email: null, isProven: sender_was_proven ?? false };
  return { email: artist.email, isProven: artist.email_proven_at !== null };
}

/** Who caused the first mail about an appointment, and so typed the client's address. */
export async function findFirstSource(database: Database, appointmentId: string) {
  const first = await database
    .selectFrom('mails')
    .select('source')
    .where('appointment_id', '=', appointmentId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return first?.source ?? undefined;
}

/**
 * Drops queued mails. Mails that were merged into one of them are sent on their own.
 * @param reason why they are not sent although they are true; null if they are no longer true
 */
export async function dropMails(
  database: Database,
  ids: readonly string[],
  reason: string | null = null,
): Promise<void> {
  if (ids.length === 0) return;
  await database
    .updateTable('mails')
    .set({ merged_into: null, woken_at: null })
    .where('merged_into', 'in', ids)
    .where('status', '=', 'queued')
    .execute();
  await database
    .updateTable('mails')
    .set({ status: 'dropped', failure: reason, settled_at: sql`now()` })
    .where('id', 'in', ids)
    .where('status', '=', 'queued')
    .execute();
}

/**
 * Stores the final status of a queued mail, and of the mails that are merged into it, and the
 * current time as `settled_at`.
 * @param failure why a mail `failed`; null for other statuses
 * @returns false when the mail is no longer queued, so that nothing changes
 */
export async function finishMail(
  database: Database,
  id: string,
  status: 'sent' | 'failed',
  failure: string | null = null,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('mails')
    .set({ status, failure, settled_at: sql`now()` })
    .where(({ or, eb }) => or([eb('id', '=', id), eb('merged_into', '=', id)]))
    .where('status', '=', 'queued')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes the mails to an artist and their clients, but not the mails still queued for clients. */
export async function deleteArtistMails(database: Database, artistId: string): Promise<void> {
  await sql`
    UPDATE mails SET sender_was_proven = artists.email_proven_at IS NOT NULL FROM artists
    WHERE mails.artist_id = ${artistId} AND artists.id = ${artistId} AND status = 'queued'
  `.execute(database);
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

/** Deletes finished mails: without an artist (deleted account), or finished before `before`. */
export async function deleteFinishedMails(database: Database, before: Instant): Promise<void> {
  await database
    .deleteFrom('mails')
    .where('settled_at', 'is not', null)
    .where(({ or, eb }) =>
      or([eb('artist_id', 'is', null), eb('settled_at', '<', new Date(before))]),
    )
    .execute();
}

/** Stores why an attempt to send a mail failed; the mail stays queued for the next attempt. */
export async function updateMailFailure(database: Database, id: string, failure: string) {
  await database.updateTable('mails').set({ failure }).where('id', '=', id).execute();
}
