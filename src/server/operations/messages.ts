import type { ListPage, PageQuery } from '#contract/common.ts';
import type { ContactMessage, ReceivedMessage } from '#contract/contact.ts';
import { refuse } from '#domain/refusal.ts';
import { toRfc3339 } from '#domain/time.ts';
import { findArtist } from '#server/database/artists.ts';
import * as messages from '#server/database/messages.ts';
import type { Context } from './context.ts';
import { accountFactsOf, notify } from './notify.ts';

/** Keeps a visitor's message for the artist, and has them told. */
export async function leaveMessage(
  context: Context,
  username: string,
  { name, email, message }: ContactMessage,
): Promise<ReceivedMessage> {
  const artist = await findArtist(context.database, username);
  if (!artist) throw refuse('not_found');
  await context.spendMailbox('contact', artist.email);
  return context.database.transaction().execute(async (transaction) => {
    const kept = { artist_id: artist.id, name, email, message };
    const row = await messages.insertMessage(transaction, kept);
    const notice = {
      kind: 'contact_message',
      artist: accountFactsOf(artist),
      message: { id: row.id, name, email, text: message },
    } as const;
    await notify(context, transaction, artist.id, [notice]);
    return showMessage(row);
  });
}

/** What visitors wrote to the artist, newest first. */
export async function listMessages(
  { database }: Context,
  artistId: string,
  page: PageQuery,
): Promise<ListPage<ReceivedMessage>> {
  const { rows, count } = await messages.listMessages(database, artistId, page);
  return { data: rows.map(showMessage), count };
}

/** @throws Refusal `not_found` */
export async function deleteMessage(
  { database }: Context,
  artistId: string,
  id: string,
): Promise<void> {
  if (!(await messages.deleteMessage(database, artistId, id))) throw refuse('not_found');
}

function showMessage(row: messages.MessageRow): ReceivedMessage {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    message: row.message,
    created_at: toRfc3339(row.created_at.getTime()),
  };
}
