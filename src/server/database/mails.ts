/** Mails: stored and queued, ordered in threads, sent or dropped, and deleted in the end. */
import { randomUUID } from 'node:crypto';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import {
  ARTIST_MAIL_KINDS,
  CLIENT_MAIL_KINDS,
  deduplicationKey,
  type MailData,
  type MailKind,
  type MailStatus,
  recipientAddress,
  type ShownMailStatus,
} from '#domain/mail/mail.ts';
import { mailThread } from '#domain/mail/mail_plan.ts';
import type { Instant } from '#domain/time/time.ts';
import { takeLocksOn, tryLockOn } from './advisory_lock.ts';
import type { Database, Transaction } from './connect.ts';
import { hasRow } from './has_row.ts';
import { deleteInBatches } from './in_batches.ts';
import { SENT_WITH_NEXT } from './prepared_statements.ts';
import type { DB } from './tables.ts';

/** An event, and the mails to both sides about it. */
export interface MailedEvent {
  /** The facts from which a job writes the text of each mail. */
  readonly notices: readonly MailData[];
  /** The network that typed the address; undefined if the artist caused the mails. */
  readonly source?: string | undefined;
  /** Set if the mails may be sent only later. */
  readonly waitsUntil?: Instant | undefined;
  /** Set if the artist sends a mail again: then it is no duplicate of the earlier one. */
  readonly isResent?: true;
}

/** Mails per INSERT statement. */
const BATCH_SIZE = 500;

/**
 * Inserts mails with the status `queued`, which is the column's default. Skips mails whose recipient has no
 * address. One whose deduplication key (column `cause`) exists already is not inserted either. An error comes with the
 * next statement.
 * @returns the ids of the mails that have an address
 */
export async function insertMails(transaction: Transaction, event: MailedEvent): Promise<string[]> {
  const rows = event.notices.flatMap((notice) => toNewRow(notice, event) ?? []);
  for (let from = 0; from < rows.length; from += BATCH_SIZE)
    await transaction
      .insertInto('mails')
      .values(rows.slice(from, from + BATCH_SIZE))
      .onConflict((conflict) => conflict.column('cause').doNothing())
      .modifyEnd(sql.raw(SENT_WITH_NEXT))
      .execute();
  return rows.map(({ id }) => id);
}

function toNewRow(notice: MailData, { source, waitsUntil, isResent }: MailedEvent) {
  const address = recipientAddress(notice);
  if (address === null) return undefined;
  const { artistId, ...about } = subjectOf(notice);
  return {
    ...about,
    id: randomUUID(),
    artist_id: artistId,
    sender_id: artistId,
    source: source ?? artistId,
    thread: mailThread(notice),
    is_resent: isResent === true,
    cause: deduplicationKey(notice) + (isResent ? `:${randomUUID()}` : ''),
    notice: JSON.stringify(notice, toWellFormed),
    address,
    waits_until: waitsUntil === undefined ? null : new Date(waitsUntil),
  };
}

/** The ids of the rows that a mail is about. The artist and the client of an appointment are in its row. */
function subjectOf(notice: MailData) {
  if (!('appointment' in notice))
    return { artistId: notice.artist.id, appointment_id: null, client_id: null };
  const { id } = notice.appointment;
  return {
    artistId: columnOf(id, 'artist_id'),
    appointment_id: id,
    client_id: columnOf(id, 'client_id'),
  };
}

function columnOf(id: string, column: 'artist_id' | 'client_id') {
  return sql<string>`(SELECT ${sql.ref(column)} FROM appointments WHERE id = ${id})`;
}

/** For `JSON.stringify`: replaces half a surrogate pair, which PostgreSQL refuses, by U+FFFD. */
function toWellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

/** Whether a mail of this kind about an appointment is queued. */
export function isMailQueued(database: Database, appointmentId: string, kind: MailKind) {
  const queued = database
    .selectFrom('mails')
    .where('appointment_id', '=', appointmentId)
    .where('status', '=', 'queued')
    .where(sql`notice->>'kind'`, '=', kind);
  return hasRow(queued.select('id').limit(sql.lit(1)));
}

export type MailToSend = Selectable<DB['mails']>;

/** Finds a mail of any artist, in any status. */
export function findMail(database: Database, id: string) {
  return database.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Names the thread of a mail; of a mail without one, the mail itself. */
export function threadOf({ id, thread }: Pick<MailToSend, 'id' | 'thread'>): string {
  return thread ?? id;
}

/**
 * Locks the threads of these mails until the end of the transaction, unless a mail is no longer queued.
 * @returns the queued mails of the threads in the order of the events
 */
export async function lockThreads(
  transaction: Transaction,
  ids: readonly string[],
): Promise<MailToSend[]> {
  const found = await transaction
    .selectFrom('mails')
    .select(['id', 'thread'])
    .where('id', '=', anyOf(ids))
    .where('status', '=', 'queued')
    .execute();
  if (found.length === 0) return [];
  const locks = found.map((mail) => ({ lock: 'mailThread', id: threadOf(mail) }) as const);
  await takeLocksOn(transaction, locks);
  return listQueuedMails(transaction, found);
}

/** Locks the thread of one mail, without waiting. @returns none when another transaction has the lock */
export async function tryLockThread(
  transaction: Transaction,
  mail: Pick<MailToSend, 'id' | 'thread'>,
): Promise<MailToSend[]> {
  const isLocked = await tryLockOn(transaction, 'mailThread', threadOf(mail));
  return isLocked ? listQueuedMails(transaction, [mail]) : [];
}

/** Also locks the rows, so that a corrected address waits for the mail that is about to be sent. */
function listQueuedMails(
  transaction: Transaction,
  mails: readonly Pick<MailToSend, 'id' | 'thread'>[],
) {
  const ids = mails.map(({ id }) => id);
  const threads = mails.flatMap(({ thread }) => thread ?? []);
  return transaction
    .selectFrom('mails')
    .selectAll()
    .where(({ or, eb }) =>
      or([eb('id', '=', anyOf(ids)), eb('thread', '=', sql<string>`any(${threads}::text[])`)]),
    )
    .where('status', '=', 'queued')
    .orderBy('position')
    .forNoKeyUpdate()
    .execute();
}

/** Stores which job sends each of these mails. */
export async function claimMails(
  transaction: Transaction,
  claims: readonly { readonly id: string; readonly job: string }[],
): Promise<void> {
  if (claims.length === 0) return;
  const ids = claims.map(({ id }) => id);
  const jobs = claims.map(({ job }) => job);
  await sql`
    UPDATE mails SET claimed_by = claim.job
    FROM unnest(${ids}::uuid[], ${jobs}::text[]) AS claim (id, job) WHERE mails.id = claim.id
  `.execute(transaction);
}

function anyOf(ids: readonly string[]) {
  return sql<string>`any(${ids}::uuid[])`;
}

/** The ids of the appointments that these mails are about, in any status. */
export async function listMailedAppointments(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlySet<string | null>> {
  const rows = await database
    .selectFrom('mails')
    .select('appointment_id')
    .where('id', '=', anyOf(ids))
    .execute();
  return new Set(rows.map(({ appointment_id }) => appointment_id));
}

/** Lists the notices of those of these mails that are queued. */
export function listQueuedNotices(
  database: Database,
  artistId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly notice: MailData }[]> {
  return database
    .selectFrom('mails')
    .select(['id', 'notice'])
    .where('id', '=', anyOf(ids))
    .where('artist_id', '=', artistId)
    .where('status', '=', 'queued')
    .execute();
}

/** Queues dropped or failed mails of the artist again, in their earlier places. @returns the ids of the queued */
export async function requeueMails(
  database: Database,
  artistId: string,
  ids: readonly string[],
  status: 'dropped' | 'failed',
): Promise<string[]> {
  const queued = await database
    .updateTable('mails')
    .set({ status: 'queued', failure: null, settled_at: null, waits_until: null, woken_at: null })
    .where('id', '=', anyOf(ids))
    .where('artist_id', '=', artistId)
    .where('status', '=', status)
    .returning('id')
    .execute();
  return queued.map(({ id }) => id);
}

/**
 * Of these mails, the ids of those that a job has claimed. Locks them: none is claimed until the end
 * of the transaction.
 */
export async function listClaimedIds(transaction: Transaction, ids: readonly string[]) {
  if (ids.length === 0) return new Set<string>();
  const rows = await transaction
    .selectFrom('mails')
    .select(['id', 'claimed_by'])
    .where('id', 'in', ids)
    .forNoKeyUpdate()
    .execute();
  return new Set(rows.filter(({ claimed_by }) => claimed_by !== null).map(({ id }) => id));
}

/** Stores the current facts of a queued mail. */
export async function updateNotice(transaction: Transaction, id: string, notice: MailData) {
  await transaction
    .updateTable('mails')
    .set({ notice: JSON.stringify(notice, toWellFormed) })
    .where('id', '=', id)
    .execute();
}

/** The SQL condition that a mail brought the calendar entry of its appointment to this address. */
export function wasRequestSentTo(address: RawBuilder<unknown>) {
  return sql<boolean>`mails.status = 'sent' AND mails.calendar_method = 'REQUEST'
    AND lower(mails.address) = lower(${address})`;
}

/**
 * Drops queued mails. Mails that were merged into one of them are sent on their own.
 * @param reason why they are not sent although they are true; null if they are no longer true
 */
export async function dropMails(
  transaction: Transaction,
  ids: readonly string[],
  reason: string | null = null,
): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .updateTable('mails')
    .set({ merged_into: null, woken_at: null })
    .where('merged_into', '=', anyOf(ids))
    .where('status', '=', 'queued')
    .execute();
  await transaction
    .updateTable('mails')
    .set({
      status: 'dropped',
      failure: reason,
      settled_at: sql`now()`,
      claimed_by: null,
      merged_into: null,
    })
    .where('id', '=', anyOf(ids))
    .where('status', '=', 'queued')
    .execute();
}

/** How sending a mail ended. */
export interface MailEnd {
  readonly id: string;
  /** `saved`: it was only written to a file. */
  readonly status: 'sent' | 'saved' | 'failed';
  /** Why it failed. */
  readonly failure?: string;
  /** The calendar file that was sent with it. */
  readonly calendarMethod?: 'REQUEST' | 'CANCEL' | undefined;
}

/** The stored status: a saved mail is a sent one with `is_only_saved`. */
export function toStoredStatus(status: ShownMailStatus): MailStatus {
  return status === 'saved' ? 'sent' : status;
}

/** A mail that has ended, or was merged into one. */
interface EndedMail {
  readonly id: string;
  readonly merged_into: string | null;
  readonly thread: string | null;
}

/**
 * Stores the final status of queued mails, and of the mails that are merged into them, and the current time as
 * `settled_at`.
 * @returns those that changed; mails that are no longer queued do not change
 */
export async function finishMails(
  database: Database,
  ends: readonly MailEnd[],
): Promise<readonly EndedMail[]> {
  const ids = ends.map(({ id }) => id);
  const columns = [
    sql`${ids}::uuid[]`,
    sql`${ends.map(({ status }) => toStoredStatus(status))}::text[]`,
    sql`${ends.map(({ status }) => status === 'saved')}::boolean[]`,
    sql`${ends.map(({ failure }) => failure ?? null)}::text[]`,
    sql`${ends.map(({ calendarMethod }) => calendarMethod ?? null)}::text[]`,
  ];
  // Locked in the order of `listQueuedMails`. A literal as the status would let PostgreSQL read the whole queue.
  const { rows } = await sql<EndedMail>`
    WITH locked AS (
      SELECT id, merged_into FROM mails
      WHERE (id = ${anyOf(ids)} OR merged_into = ${anyOf(ids)}) AND status = ${'queued'}
      ORDER BY position FOR NO KEY UPDATE
    )
    UPDATE mails SET status = ended.status, is_only_saved = ended.is_only_saved, failure = ended.failure,
      calendar_method = ended.calendar_method, settled_at = now(), claimed_by = NULL
    FROM locked JOIN unnest(${sql.join(columns)}) AS ended (id, status, is_only_saved, failure, calendar_method)
      ON ended.id IN (locked.id, locked.merged_into)
    WHERE mails.id = locked.id
    RETURNING mails.id, mails.merged_into, mails.thread
  `.execute(database);
  return rows;
}

/** Lists the mails of these threads that need not wait for a time, the oldest first. */
export async function listSendableMails(
  database: Database,
  threads: readonly (string | null)[],
): Promise<string[]> {
  const named = threads.filter((thread) => thread !== null);
  if (named.length === 0) return [];
  const rows = await database
    .selectFrom('mails')
    .select('id')
    .where('thread', '=', sql<string>`any(${named}::text[])`)
    .where('status', '=', 'queued')
    .where('claimed_by', 'is', null)
    .where('merged_into', 'is', null)
    .where(({ or, eb }) => or([eb('waits_until', 'is', null), eb('woken_at', 'is not', null)]))
    .orderBy('position')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Sends the queued mails of these appointments to the client's new address, and shows it in the mails to the artist.
 * Mails to the client that waited for a budget are sent within a minute: the new mailbox has budgets of its own.
 */
export async function updateQueuedAddresses(
  transaction: Transaction,
  artistId: string,
  appointmentIds: readonly string[],
  address: string,
): Promise<void> {
  if (appointmentIds.length === 0) return;
  const notice = sql<string>`jsonb_set(notice, '{appointment,client,email}', to_jsonb(${address}::text))`;
  const updating = transaction
    .updateTable('mails')
    .set({ notice })
    .where('artist_id', '=', artistId)
    .where('appointment_id', 'in', appointmentIds)
    .where('status', '=', 'queued');
  await updating.where(sql`notice->>'kind'`, 'in', ARTIST_MAIL_KINDS).execute();
  await updating
    .set({
      address,
      mailbox: null,
      // The mail of a change that can still be undone waits on.
      waits_until: sql`CASE
        WHEN waits_for IS NULL AND (
          notice->>'kind' = 'moved' OR notice->'appointment' ? 'beforeMove'
        ) THEN waits_until
        WHEN waits_until IS NOT NULL THEN least(waits_until, now()) END`,
      waits_for: null,
      woken_at: null,
    })
    // A merged mail is sent with the other one.
    .where('merged_into', 'is', null)
    .where(sql`notice->>'kind'`, 'in', CLIENT_MAIL_KINDS)
    .execute();
}

/**
 * Deletes the mails to an artist and their clients, but not those still queued for clients, nor the
 * one that informs the artist of the deletion.
 */
export async function deleteArtistMails(transaction: Transaction, artistId: string): Promise<void> {
  await sql`
    UPDATE mails AS queued SET
      sender_was_proven = artists.email_proven_at IS NOT NULL,
      was_in_calendar = EXISTS (
        SELECT FROM mails WHERE thread = queued.thread AND ${wasRequestSentTo(sql.ref('queued.address'))}
      )
    FROM artists
    WHERE queued.artist_id = ${artistId} AND artists.id = ${artistId} AND queued.status = 'queued'
  `.execute(transaction);
  await transaction
    .deleteFrom('mails')
    .where('artist_id', '=', artistId)
    .where(({ or, eb, not }) =>
      or([
        eb('status', '!=', 'queued'),
        not(eb(sql<string>`notice->>'kind'`, 'in', [...CLIENT_MAIL_KINDS, 'account_deleted'])),
      ]),
    )
    .execute();
}

/**
 * Deletes finished mails: without an artist (deleted account), or finished before `before`. Those that
 * brought a calendar entry stay as long as a later mail may have to change the entry: until `before` is
 * after the appointment's end.
 * @param before null for no age
 */
export async function deleteFinishedMails(
  database: Database,
  before: Instant | null,
): Promise<void> {
  const date = before === null ? null : new Date(before);
  const isNeeded = sql`(calendar_method IS NOT DISTINCT FROM 'REQUEST' AND (
    EXISTS (SELECT FROM appointments JOIN appointment_times ON appointment_id = appointments.id
      WHERE appointments.id = mails.appointment_id AND status = 'confirmed'
        AND occupies AND (upper(during) >= ${date} OR ${date}::timestamptz IS NULL))
    OR EXISTS (SELECT FROM mails AS newer WHERE newer.thread = mails.thread
      AND newer.status = 'queued')))`;
  // Two statements, because each condition has its own index.
  for (const isOld of [
    sql`artist_id IS NULL AND settled_at IS NOT NULL`,
    sql`settled_at < ${date}`,
  ])
    await deleteInBatches(database, 'mails', 'settled_at', sql`${isOld} AND NOT ${isNeeded}`);
}

/**
 * Stores why an attempt to send a mail failed; the mail stays queued for the next attempt.
 * @param mayHaveArrived whether newer mails must still wait for this one
 * @returns the threads whose newer mails need not wait any more
 */
export async function updateMailFailure(
  database: Database,
  id: string,
  failure: string,
  { mayHaveArrived }: { readonly mayHaveArrived: boolean },
): Promise<(string | null)[]> {
  const updated = await database
    .updateTable('mails')
    .set({ failure, ...(!mayHaveArrived && { claimed_by: null }) })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .returning('thread')
    .execute();
  if (mayHaveArrived) return [];
  const merged = await database
    .selectFrom('mails')
    .select('thread')
    .where('merged_into', '=', id)
    .where('status', '=', 'queued')
    .execute();
  return [...updated, ...merged].map(({ thread }) => thread);
}
