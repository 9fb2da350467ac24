/** Mails as artists see them, and those that failed, for superusers. */
import { type InferResult, sql } from 'kysely';
import { CLIENT_MAIL_KINDS, type ShownMailStatus } from '#domain/mail/mail.ts';
import { selectTime } from './appointments.ts';
import type { Database } from './connect.ts';
import { toStoredStatus } from './mails.ts';
import { loadPage, loadPageByIds, type Pagination } from './pagination.ts';

/**
 * The SQL condition that a newer mail to the same side says the same as the mail of the table `mails`, and was not
 * dropped: a mail of the same kind; or one about the booking, as which the artist sends an outdated mail about a
 * change of the studio again.
 */
export const HAS_NEWER_MAIL = sql<boolean>`EXISTS (
  SELECT FROM mails AS newer
  WHERE newer.thread = mails.thread AND newer.position > mails.position
    AND newer.status <> 'dropped'
    AND (newer.notice->>'kind' = mails.notice->>'kind' OR (
      mails.notice->'appointment' ? 'studioChange' AND newer.notice->>'kind' = 'booked'
    ))
)`;

/** Selects mails of all artists with the columns of their lists. */
function selectMails(database: Database) {
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
      'mails.is_only_saved',
      'mails.failure',
      'mails.created_at',
      'mails.settled_at',
      'mails.waits_until',
      'mails.waits_for',
      'appointments.status as appointment_status',
      'time.start',
      'time.end',
      'time.expires_at',
      HAS_NEWER_MAIL.as('has_newer'),
    ]);
}

/** The condition of the index `mails_visible`, to the letter: with a parameter, no plan could use the index. */
const IS_VISIBLE = sql<boolean>`mails.notice->>'kind' <> 'password_recovery'`;

/** Selects the mails of all artists that failed, or whose last attempt did. */
function selectFailedMails(database: Database) {
  return selectMails(database)
    .innerJoin('artists', 'artists.id', 'mails.artist_id')
    .select(['artists.id as artist_id', 'artists.username as artist_username'])
    .where(sql<boolean>`(mails.status = 'failed'
      OR (mails.status = 'queued' AND mails.failure IS NOT NULL))`);
}

export type FailedMailRow = InferResult<ReturnType<typeof selectFailedMails>>[number];

/** Lists the mails of all artists that failed, or whose last attempt did, the newest first. */
export function listFailedMails(database: Database, page: Pagination) {
  const newestFirst = selectFailedMails(database)
    .orderBy('mails.created_at', 'desc')
    .orderBy('mails.position', 'desc');
  return loadPage(newestFirst, page);
}

/** Finds a mail of any artist that failed, or whose last attempt did. */
export function findFailedMail(database: Database, id: string) {
  return selectFailedMails(database).where('mails.id', '=', id).executeTakeFirst();
}

export type MailRow = InferResult<ReturnType<typeof selectMailsOfArtist>>[number];

/** Selects the mails to an artist and their clients, newest first, except mails for recovering a password. */
export function selectMailsOfArtist(database: Database, artistId: string) {
  return selectMails(database)
    .where('mails.artist_id', '=', artistId)
    .where(IS_VISIBLE)
    .orderBy('mails.created_at', 'desc')
    .orderBy('mails.position', 'desc');
}

/**
 * Lists the mails to a client of this artist: to one of their emails, or about them and their appointments.
 * @param emails in lower case
 */
export function listMailsToClient(
  database: Database,
  artistId: string,
  id: string,
  emails: readonly string[],
) {
  return selectMailsOfArtist(database, artistId)
    .where(sql`mails.notice->>'kind'`, 'in', [...CLIENT_MAIL_KINDS, 'links'])
    .where(({ or, eb }) =>
      or([
        eb('appointments.client_id', '=', id),
        eb('mails.client_id', '=', id),
        sql<boolean>`lower(mails.address) = any(${emails}::text[])`,
      ]),
    )
    .execute();
}

/** Lists the mails that this artist may see, newest first. */
export function listMails(
  database: Database,
  artistId: string,
  filter: { appointment_id?: string | undefined; status?: ShownMailStatus | undefined },
  page: Pagination,
) {
  let mails = database
    .selectFrom('mails')
    .select('mails.id')
    .where('mails.artist_id', '=', artistId)
    .where(IS_VISIBLE);
  if (filter.appointment_id !== undefined)
    mails = mails.where('mails.appointment_id', '=', filter.appointment_id);
  const { status } = filter;
  // A literal, so that the indexes of failed and of queued mails can be used (docs/decisions, 0075).
  if (status !== undefined)
    mails = mails.where('mails.status', '=', sql.lit(toStoredStatus(status)));
  if (status === 'sent' || status === 'saved')
    mails = mails.where('mails.is_only_saved', '=', status === 'saved');
  const newestFirst = mails.orderBy('mails.created_at', 'desc').orderBy('mails.position', 'desc');
  return loadPageByIds(newestFirst, page, (onPage) =>
    selectMailsOfArtist(database, artistId)
      .where('mails.id', '=', sql<string>`any(${onPage})`)
      .execute(),
  );
}

export function findArtistMail(database: Database, artistId: string, id: string) {
  return selectMailsOfArtist(database, artistId).where('mails.id', '=', id).executeTakeFirst();
}
