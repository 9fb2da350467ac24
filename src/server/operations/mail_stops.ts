import type { MailStopChange, MailStopState } from '#contract/mail.ts';
import { refuse } from '#domain/refusal.ts';
import { findArtistById } from '#server/database/artists.ts';
import * as stops from '#server/database/stopped_mailboxes.ts';
import { change } from './change.ts';
import type { Context } from './context.ts';
import { type MailStop, readMailStop } from './mail_tokens.ts';

/**
 * Shows whose mail a person may stop, and whose is stopped.
 * @throws Refusal `link_not_valid`
 */
export async function loadMailStop(context: Context, token: string): Promise<MailStopState> {
  return toState(context, requireStop(context, token));
}

/**
 * Stops the mail of one artist or of everyone to a mailbox, or lets it be sent again. No login: the
 * token is in every mail to a client.
 * @throws Refusal `link_not_valid`
 */
export async function changeMailStop(
  context: Context,
  { token, stopped }: MailStopChange,
): Promise<MailStopState> {
  const stop = requireStop(context, token);
  const { artistId, mailboxHash } = stop;
  await change(context, { lock: 'none', invalidates: [] }, async (transaction) => {
    await stops.deleteStoppedMailbox(transaction, mailboxHash, artistId);
    if (stopped !== 'nothing')
      await stops.insertStoppedMailbox(
        transaction,
        mailboxHash,
        stopped === 'artist' ? artistId : null,
      );
  });
  return toState(context, stop);
}

/** Stops the mail of the artist, for the button of a mail program (RFC 8058). */
export async function stopArtistMail(context: Context, token: string): Promise<void> {
  const { artistId, mailboxHash } = requireStop(context, token);
  await stops.insertStoppedMailbox(context.database, mailboxHash, artistId);
}

function requireStop({ tokenKeys }: Context, token: string): MailStop {
  const stop = readMailStop(tokenKeys, token);
  if (!stop) throw refuse('link_not_valid');
  return stop;
}

async function toState(
  { database }: Context,
  { artistId, mailboxHash }: MailStop,
): Promise<MailStopState> {
  const artist = await findArtistById(database, artistId);
  const scope = await stops.findStoppedScope(database, mailboxHash, artistId);
  return { artist_name: artist?.full_name ?? null, stopped: scope ?? 'nothing' };
}
