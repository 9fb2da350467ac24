import type { ListPage, PageQuery } from '#contract/common.ts';
import type { ContactMessage, ReceivedMessage } from '#contract/contact.ts';
import { refuse } from '#domain/refusal.ts';
import { toRfc3339 } from '#domain/time.ts';
import { findPublicArtist } from '#server/database/artists.ts';
import * as messages from '#server/database/messages.ts';
import type { Context } from './context.ts';
import { notify, toAccountFacts } from './notify.ts';

/** Keeps a visitor's message for the artist, and has them told. */
export async function addContactMessage(
  context: Context,
  username: string,
  { name, email, message }: ContactMessage,
): Promise<ReceivedMessage> {
  const artist = await findPublicArtist(context.database, username);
  if (!artist) throw refuse('not_found');
  await context.spendMailQuota('contact', artist.email);
  return context.database.transaction().execute(async (transaction) => {
    const kept = { artist_id: artist.id, name, email, message };
    const row = await messages.insertMessage(transaction, kept);
    const notice = {
      kind: 'contact_message',
      artist: toAccountFacts(artist),
      message: { id: row.id, name, email, text: message },
    } as const;
    await notify(context, transaction, artist.id, [notice]);
    return toMessage(row);
  });
}

/** What visitors wrote to the artist, newest first. */
export async function listMessages(
  { database }: Context,
  artistId: string,
  page: PageQuery,
): Promise<ListPage<ReceivedMessage>> {
  const { rows, count } = await messages.listMessages(database, artistId, page);
  return { data: rows.map(toMessage), count };
}

/** @throws Refusal `not_found` */
export async function deleteMessage(
  { database }: Context,
  artistId: string,
  id: string,
): Promise<void> {
  if (!(await messages.deleteMessage(database, artistId, id))) throw refuse('not_found');
}

function toMessage(row: messages.MessageRow): ReceivedMessage {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    message: row.message,
    created_at: toRfc3339(row.created_at.getTime()),
  };
}
