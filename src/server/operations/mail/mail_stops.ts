/** Clients stop the mail to their mailbox, and let it be sent again. */
import { sql } from 'kysely';
import type { MailStopChange, MailStopState } from '#contract/mail.ts';
import { refuse } from '#domain/refusal.ts';
import { findArtistById } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import { change } from '../change.ts';
import type { Context } from '../context.ts';
import { readLink } from './mail_tokens.ts';

/** Shows whose mail a person may stop, and whose is stopped. */
export async function loadMailStop(context: Context, token: string): Promise<MailStopState> {
  return loadState(context, readToken(context, token));
}

/**
 * Stops the mail of one artist or of everyone to a mailbox, or lets it be sent again. No login: the
 * token is in every mail to a client.
 */
export async function changeMailStop(
  context: Context,
  { token, stopped }: MailStopChange,
): Promise<MailStopState> {
  const stop = readToken(context, token);
  const { artistId, mailboxHash } = stop;
  await change(context, { invalidates: [] }, async ({ database }) => {
    // Stops of other artists' mail stay.
    await database
      .deleteFrom('stopped_mailboxes')
      .where('mailbox_hash', '=', mailboxHash)
      .where(concernsArtist(artistId))
      .execute();
    const whose = stopped === 'artist' ? artistId : null;
    if (stopped !== 'nothing') await insertStoppedMailbox(database, mailboxHash, whose);
  });
  return loadState(context, stop);
}

/** Stops the mail of the artist, for the button of a mail program (RFC 8058). */
export async function stopArtistMail(context: Context, token: string): Promise<void> {
  const { artistId, mailboxHash } = readToken(context, token);
  await insertStoppedMailbox(context.database, mailboxHash, artistId);
}

/** Whose mail a person stops, and the mailbox that gets no more of it. */
interface MailStop {
  readonly artistId: string;
  readonly mailboxHash: string;
}

/** @throws Refusal `link_not_valid` */
function readToken({ tokenKeys }: Context, token: string): MailStop {
  const [artistId, mailboxHash] = readLink(tokenKeys, 'stop mail', token) ?? [];
  if (artistId === undefined || mailboxHash === undefined) throw refuse('link_not_valid');
  return { artistId, mailboxHash };
}

async function loadState(
  { database }: Context,
  { artistId, mailboxHash }: MailStop,
): Promise<MailStopState> {
  const artist = await findArtistById(database, artistId);
  const stops = await database
    .selectFrom('stopped_mailboxes')
    .select('artist_id')
    .where('mailbox_hash', '=', mailboxHash)
    .where(concernsArtist(artistId))
    .execute();
  let stopped: MailStopState['stopped'] = stops.length > 0 ? 'artist' : 'nothing';
  if (stops.some(({ artist_id }) => artist_id === null)) stopped = 'everyone';
  return { artist_name: artist?.full_name ?? null, stopped };
}

/** The condition that a stop is of this artist's mail, or of the mail of every artist. */
function concernsArtist(artistId: string) {
  return sql<boolean>`(artist_id IS NULL OR artist_id = ${artistId})`;
}

/** Stores that a mailbox gets no more mail of an artist. @param artistId null for the mail of every artist */
export async function insertStoppedMailbox(
  database: Database,
  mailboxHash: string,
  artistId: string | null,
): Promise<void> {
  await database
    .insertInto('stopped_mailboxes')
    .values({ mailbox_hash: mailboxHash, artist_id: artistId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
