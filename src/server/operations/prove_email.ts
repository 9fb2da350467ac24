import { randomUUID } from 'node:crypto';
import { tag } from '#cache/policy.ts';
import type { Message } from '#contract/common.ts';
import { RateLimited, refuse, requireFound } from '#domain/refusal.ts';
import { HOUR_SECONDS, type Instant } from '#domain/time.ts';
import { findArtistById, markEmailProven } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import { endMailWaits } from '#server/database/mail_waits.ts';
import { markMailboxProven } from '#server/database/mailboxes.ts';
import type { Context } from './context.ts';
import { invalidating } from './invalidating.ts';
import { findEmailProofWait } from './mail_admission.ts';
import { emailProofArtist, isEmailProof } from './mail_tokens.ts';
import { notify, toAccountSnapshot } from './notify.ts';

/** Mails with the link that an artist may ask for. */
const REQUEST_LIMIT = { name: 'prove_email', points: 5, seconds: HOUR_SECONDS };

/**
 * An artist used the link that was mailed to their email. The same link may be used again.
 * @throws Refusal `link_not_valid`, also when the artist has another email now
 */
export async function proveEmail(context: Context, token: string, now: Instant): Promise<Message> {
  const { database, tokenSecret } = context;
  const artistId = emailProofArtist(token);
  const artist = artistId && (await findArtistById(database, artistId));
  if (!artist || !isEmailProof(tokenSecret, token, artist.id, artist.email))
    throw refuse('link_not_valid');
  const isProven = await invalidating(context, [tag.explore()], () =>
    database
      .transaction()
      .execute((transaction) => saveEmailProof(transaction, artist.id, artist.email, now)),
  );
  // The artist has changed their email since we read it.
  if (!isProven) throw refuse('link_not_valid');
  return { message: 'Your email is confirmed.' };
}

/**
 * Stores that an artist has used a link that was mailed to an email. Mails that wait become due.
 * @returns false when nothing changed, because the artist has another email now
 */
export async function saveEmailProof(
  transaction: Database,
  artistId: string,
  email: string,
  now: Instant,
): Promise<boolean> {
  if (!(await markEmailProven(transaction, artistId, email))) return false;
  await markMailboxProven(transaction, email, artistId, now);
  await endMailWaits(transaction, { senderId: artistId }, now);
  return true;
}

/**
 * Counts a mail with the link. A new email causes one too: an account must not mail many strangers.
 * @param artist with the email to which it is mailed
 * @throws RateLimited beyond the hourly limit of the account, and when the mail would have to wait
 */
export async function limitEmailProofs(
  context: Context,
  artist: { readonly id: string; readonly email: string },
  now: Instant,
): Promise<void> {
  const wait = await findEmailProofWait(context, artist, now);
  if (wait !== null) throw new RateLimited(Math.ceil((wait - now) / 1000), 'too_many_proof_mails');
  const result = await context.countEvent(REQUEST_LIMIT, artist.id);
  if (!result.isAllowed) throw new RateLimited(result.retryAfterSeconds, 'too_many_proof_mails');
}

/**
 * Mails the link once more, unless the artist's email is proven.
 * @throws RateLimited beyond the hourly limit of the account, and when the mail would have to wait
 */
export async function requestEmailProof(
  context: Context,
  artistId: string,
  now: Instant,
): Promise<void> {
  const artist = requireFound(await findArtistById(context.database, artistId));
  if (artist.email_proven_at !== null) return;
  await limitEmailProofs(context, artist, now);
  await context.database
    .transaction()
    .execute((transaction) => queueEmailProof(context, transaction, toAccountSnapshot(artist)));
}

/** Queues a mail with the link that proves the artist's email. */
export async function queueEmailProof(
  context: Pick<Context, 'jobs'>,
  transaction: Database,
  artist: ReturnType<typeof toAccountSnapshot>,
): Promise<void> {
  const notice = { kind: 'prove_email', artist, occasion: randomUUID() } as const;
  await notify(context, transaction, artist.id, [notice]);
}
