/** The proof that an artist reads an email: they use a link that was mailed to it. */
import { randomUUID } from 'node:crypto';
import type { AccountSnapshot } from '#domain/mail/mail.ts';
import { RateLimited, requireFound } from '#domain/refusal.ts';
import type { Instant } from '#domain/time/time.ts';
import { findArtistById, markEmailProven } from '#server/database/artists.ts';
import type { Transaction } from '#server/database/connect.ts';
import { endMailWaits } from '#server/database/mail_waits.ts';
import { markMailboxProven } from '#server/database/mailboxes.ts';
import { change } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { limitEvent } from '../limits.ts';
import { findEmailProofWait } from '../mail/mail_admission.ts';
import { notify, toAccountSnapshot } from '../mail/notify.ts';

/**
 * Stores that an artist has used a link that was mailed to an email. Mails that wait become due.
 * @returns false when nothing changed, because the artist has another email now
 */
export async function saveEmailProof(
  transaction: Transaction,
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
 * Counts a mail with the link, which a new email causes too: an account must not mail many strangers.
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
  await limitEvent(context, ['prove_email'], { artist: artist.id });
}

/**
 * Mails the link once more: to the email that the account will get, if there is one, else to the one
 * that it has, unless that one is proven.
 */
export async function requestEmailProof(
  context: Context,
  artistId: string,
  now: Instant,
): Promise<void> {
  const artist = requireFound(await findArtistById(context.database, artistId));
  if (artist.pending_email === null && artist.email_proven_at !== null) return;
  const email = artist.pending_email ?? artist.email;
  await limitEmailProofs(context, { id: artistId, email }, now);
  await change(context, { invalidates: [] }, (context) =>
    queueEmailProof(context, { ...toAccountSnapshot(artist), email }),
  );
}

/** Queues a mail with the link that proves an email. @param artist with this email, which they may only want */
export async function queueEmailProof(
  context: InChange<Pick<Context, 'jobs'>>,
  artist: AccountSnapshot,
): Promise<void> {
  const notice = { kind: 'prove_email', artist, occasion: randomUUID() } as const;
  await notify(context, { notices: [notice] });
}
