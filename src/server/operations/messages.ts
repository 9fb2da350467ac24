import type { ListPage, PageQuery } from '#contract/common.ts';
import type { ContactMessage, ReceivedMessage } from '#contract/contact.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { toRfc3339 } from '#domain/time.ts';
import { findPublicArtist } from '#server/database/artists.ts';
import * as messages from '#server/database/messages.ts';
import type { Context } from './context.ts';
import { notify, toAccountSnapshot } from './notify.ts';

/** Stores a visitor's message to the artist, and queues a mail to the artist with the message. */
export async function addContactMessage(
  context: Context,
  username: string,
  { name, email, message }: ContactMessage,
): Promise<ReceivedMessage> {
  const artist = requireFound(await findPublicArtist(context.database, username));
  await context.consumeMailboxQuota('contact', artist.email);
  return context.database.transaction().execute(async (transaction) => {
    const newRow = { artist_id: artist.id, name, email, message };
    const row = await messages.insertMessage(transaction, newRow);
    const mailedMessage = { id: row.id, name, email, text: message };
    await notify(context, transaction, artist.id, [
      { kind: 'contact_message', artist: toAccountSnapshot(artist), message: mailedMessage },
    ]);
    return toMessage(row);
  });
}

/** The messages to an artist, newest first. */
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
  const { id, name, email, message, created_at } = row;
  return { id, name, email, message, created_at: toRfc3339(created_at.getTime()) };
}
