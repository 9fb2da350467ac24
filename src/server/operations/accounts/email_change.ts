/** Changes of an account's email: requested, applied once the new email is proven, and undone. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import { tag } from '#cache/policy.ts';
import type { Message } from '#contract/common.ts';
import type { EmailChangeUndone } from '#contract/login.ts';
import { EMAIL_UNDO_MS } from '#domain/accounts/security.ts';
import type { MailData } from '#domain/mail/mail.ts';
import { toEmailHint } from '#domain/mail/mailbox.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import type { Instant } from '#domain/time/time.ts';
import * as artists from '#server/database/artists.ts';
import type { Database, Transaction } from '#server/database/connect.ts';
import { endPendingEmailChange } from '#server/database/email_changes.ts';
import { hasRow } from '#server/database/has_row.ts';
import {
  deletePasswordRecoveries,
  issueRecoveryToken,
} from '#server/database/password_recoveries.ts';
import { insertSecurityEvent, insertSessionEvent } from '#server/database/security_events.ts';
import type { EmailChanges } from '#server/database/tables.ts';
import { change } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { emailProofArtist, readLink } from '../mail/mail_tokens.ts';
import { notify, toAccountSnapshot } from '../mail/notify.ts';
import { deletePasskeys } from './passkeys.ts';
import { hashPassword } from './password.ts';
import { queueEmailProof, saveEmailProof } from './prove_email.ts';
import {
  type Browser,
  endSessionsAndExports,
  insertBrowserEvent,
  type TokenOwner,
} from './sessions.ts';

/**
 * Stores that an artist wants another email, and mails its link. The account keeps the old email until
 * the link is used. The old email, if it is proven, gets a link that stops the change.
 * @throws Refusal `email_taken` when another account has the email
 */
export async function requestEmailChange(
  context: InChange<Pick<Context, 'jobs'>>,
  artist: artists.OwnArtistRow,
  newEmail: string,
  owner: Pick<TokenOwner, 'id' | 'sessionId'>,
): Promise<void> {
  const { database } = context;
  const holder = await artists.findCredentials(database, newEmail);
  if (holder && holder.id !== artist.id) throw refuse('email_taken');
  const canBeUndone = artist.email_proven_at !== null;
  const changeId = await insertEmailChange(database, {
    artist_id: artist.id,
    old_email: artist.email,
    new_email: newEmail,
    can_be_undone: canBeUndone,
  });
  const account = toAccountSnapshot(artist);
  await queueEmailProof(context, { ...account, email: newEmail });
  if (canBeUndone) {
    const facts = { artist: account, change: changeId, newEmail: toEmailHint(newEmail) };
    await notify(context, { notices: [{ kind: 'email_change_requested', ...facts }] });
  }
  await insertSessionEvent(database, owner, 'email_change_requested');
}

/**
 * An artist used the link that was mailed to the email that the account has, or will get. The same
 * link may be used again, until the artist wants another email.
 */
export async function proveEmail(
  context: Context,
  token: string,
  browser: Browser,
): Promise<Message> {
  const artistId = emailProofArtist(token);
  const artist = artistId && (await artists.findArtistById(context.database, artistId));
  if (!artist) throw refuse('link_not_valid');
  const isProofOf = (email: string) =>
    readLink(context.tokenKeys, 'prove email', token, [email]) !== undefined;
  const { email, pending_email } = artist;
  if (pending_email !== null && isProofOf(pending_email))
    await applyEmailChange(context, artist, pending_email, browser);
  else if (isProofOf(email)) {
    await change(context, { invalidates: [tag.explore()] }, async ({ database }, now) => {
      const isProven = await saveEmailProof(database, artist.id, email, now);
      // The artist has changed their email since we read it.
      if (!isProven) throw refuse('link_not_valid');
    });
  } else throw refuse('link_not_valid');
  return { message: 'Your email is confirmed.' };
}

/** Gives the account the new email, whose link was used, unless the change of the email waits no more. */
async function applyEmailChange(
  context: Context,
  { id: artistId, email: oldEmail }: Pick<artists.OwnArtistRow, 'id' | 'email'>,
  newEmail: string,
  browser: Browser,
): Promise<void> {
  await change(context, emailScope(artistId), async (context, now) => {
    const { database } = context;
    const pending = await database
      .selectFrom('email_changes')
      .select(['id', 'new_email', 'can_be_undone'])
      .where('artist_id', '=', artistId)
      .where('applied_at', 'is', null)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (pending?.new_email !== newEmail) throw refuse('link_not_valid');
    const before = requireFound(await artists.findArtistById(database, artistId));
    // The artist may have proven the old email after they asked for the change.
    const canBeUndone = pending.can_be_undone || before.email_proven_at !== null;
    await database
      .updateTable('email_changes')
      .set({ applied_at: sql<Date>`now()`, can_be_undone: canBeUndone })
      .where('id', '=', pending.id)
      .execute();
    await artists.updateArtist(database, artistId, { email: newEmail, email_proven_at: null });
    await requireUnreservedEmail(database, artistId, newEmail);
    await saveEmailProof(database, artistId, newEmail, now);
    // A recovery link mailed to the old address must not work: others may read that mailbox.
    await deletePasswordRecoveries(database, artistId);
    const artist = { ...before, email: newEmail };
    if (canBeUndone) await notifyOfNewEmail(context, artist, oldEmail, pending.id);
    await insertBrowserEvent(database, artistId, 'email_changed', browser);
  });
}

/** The scope of a change of an account's email, which the artist's pages may show. */
function emailScope(artistId: string) {
  const invalidates = [tag.artist(artistId), tag.explore()];
  return { artistId, lock: 'artist', invalidates } as const;
}

/**
 * A superuser gives an account another email, which counts as proven. The old email gets no link that
 * undoes it, and earlier links stop working: the artist may have lost the old email to someone else.
 */
export async function replaceEmail(
  context: InChange<Pick<Context, 'jobs'>>,
  before: artists.OwnArtistRow,
  newEmail: string,
  now: Instant,
): Promise<void> {
  const { database } = context;
  const { id: artistId, email: oldEmail } = before;
  await endPendingEmailChange(database, artistId);
  await artists.updateArtist(database, artistId, {
    email: newEmail,
    email_proven_at: new Date(now),
  });
  await requireUnreservedEmail(database, artistId, newEmail);
  await deletePasswordRecoveries(database, artistId);
  if (oldEmail === newEmail) return;
  // Else a thief who changed the email before could take the account back with an earlier link.
  await database
    .updateTable('email_changes')
    .set({ can_be_undone: false })
    .where('artist_id', '=', artistId)
    .execute();
  const artist = { ...before, email: newEmail };
  if (before.email_proven_at !== null) await notifyOfNewEmail(context, artist, oldEmail, null);
  await insertSecurityEvent(database, { artist_id: artistId, kind: 'email_changed' });
}

/**
 * Informs the old email of an account that the account has another one.
 * @param changeId of the change that a link in the mail undoes; null for no such link
 */
async function notifyOfNewEmail(
  context: InChange<Pick<Context, 'jobs'>>,
  artist: artists.OwnArtistRow,
  oldEmail: string,
  changeId: string | null,
): Promise<void> {
  const notice = {
    kind: 'email_changed',
    artist: { ...toAccountSnapshot(artist), email: oldEmail },
    change: changeId,
    newEmail: toEmailHint(artist.email),
    // Unique for each change, so that none counts as a duplicate.
    occasion: randomUUID(),
  } as const;
  await notify(context, { notices: [notice] });
}

/**
 * The owner of the old email undoes a change with the mailed link. The account gets the old email
 * back. Who asked for the change knew the password: so it stops working, all sessions end,
 * and passkeys and exports are deleted.
 * @returns the token with which the owner sets a new password
 */
export async function undoEmailChange(
  context: Context,
  token: string,
  browser: Browser,
): Promise<EmailChangeUndone> {
  const [changeId] = readLink(context.tokenKeys, 'undo email change', token) ?? [];
  const found = changeId && (await findUndoableEmailChange(context.database, changeId));
  if (!found) throw refuse('link_not_valid');
  const { artist_id: artistId, old_email: oldEmail } = found;
  const unknownPassword = await hashPassword(randomBytes(32).toString('base64url'));
  const reset_token = await change(context, emailScope(artistId), async (context, now) => {
    const { database } = context;
    // Another call may have undone it meanwhile.
    const undone = await findUndoableEmailChange(database, found.id);
    if (!undone) throw refuse('link_not_valid');
    const before = requireFound(await artists.findArtistById(database, artistId));
    // Undoes all later changes too: the owner need not wait for their links, and these links must not undo
    // the undo.
    await database
      .updateTable('email_changes')
      .set({ undone_at: sql<Date>`now()`, ended_at: sql<Date>`coalesce(ended_at, now())` })
      .where('artist_id', '=', artistId)
      .where('requested_at', '>=', undone.requested_at)
      .where('undone_at', 'is', null)
      .execute();
    await artists.updateArtist(database, artistId, {
      email: oldEmail,
      email_proven_at: new Date(now),
    });
    await artists.revokeTokens(database, artistId, unknownPassword);
    await endSessionsAndExports(database, artistId);
    await deletePasskeys(database, artistId);
    await deletePasswordRecoveries(database, artistId);
    const artist = toAccountSnapshot({ ...before, email: oldEmail });
    const notices: MailData[] = [{ kind: 'email_change_undone', artist, change: undone.id }];
    // The owner may have left the old email because somebody else reads its mail.
    if (before.email !== oldEmail)
      notices.push({
        kind: 'email_taken_back',
        artist: toAccountSnapshot(before),
        change: undone.id,
        oldEmail: toEmailHint(oldEmail),
      });
    await notify(context, { notices });
    await insertBrowserEvent(database, artistId, 'email_change_undone', browser);
    return (await issueRecoveryToken(context.database, artistId, oldEmail)).token;
  });
  return { message: 'The old email is back. Now choose a new password.', reset_token };
}

/** Inserts a change that waits for the new email's link, and ends one that waited; returns the new one's id. */
export async function insertEmailChange(
  transaction: Transaction,
  values: Insertable<EmailChanges>,
): Promise<string> {
  await endPendingEmailChange(transaction, values.artist_id);
  const inserted = transaction.insertInto('email_changes').values(values).returning('id');
  return (await inserted.executeTakeFirstOrThrow()).id;
}

/** A change that was requested or applied before can no longer be undone. */
const UNDOABLE_SINCE = sql<Date>`now() - ${EMAIL_UNDO_MS} * interval '1 millisecond'`;

/** Finds a change, applied or not, that the link mailed to the old email can still undo. */
export function findUndoableEmailChange(database: Database, id: string) {
  return database
    .selectFrom('email_changes')
    .select(['id', 'artist_id', 'old_email', 'requested_at'])
    .where('id', '=', id)
    .where('can_be_undone', '=', true)
    .where('undone_at', 'is', null)
    .where(sql`coalesce(applied_at, requested_at)`, '>', UNDOABLE_SINCE)
    .executeTakeFirst();
}

/**
 * Refuses an email to which another account can still return. Call this after the email is stored: the
 * unique index has then waited for changes that were under way.
 * @throws Refusal `email_taken`
 */
export async function requireUnreservedEmail(
  transaction: Transaction,
  artistId: string,
  email: string,
): Promise<void> {
  const reserved = transaction
    .selectFrom('email_changes')
    .where(sql`lower(old_email)`, '=', email.toLowerCase())
    .where('artist_id', '!=', artistId)
    .where('can_be_undone', '=', true)
    .where('undone_at', 'is', null)
    .where('applied_at', '>', UNDOABLE_SINCE);
  if (await hasRow(reserved.select('id').limit(sql.lit(1)))) throw refuse('email_taken');
}
