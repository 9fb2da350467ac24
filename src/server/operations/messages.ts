import type { Listed, PageQuery } from '#contract/common.ts';
import type { ContactMessage, KeptMessage } from '#contract/contact.ts';
import { refuse } from '#domain/refusal.ts';
import { rfc3339 } from '#domain/time.ts';
import { findActiveArtist } from '#server/database/artists.ts';
import * as messages from '#server/database/messages.ts';
import type { Parts } from './parts.ts';

/** Keeps a visitor's message for the artist. */
export async function leaveMessage(
  { database }: Parts,
  username: string,
  { name, email, message }: ContactMessage,
): Promise<KeptMessage> {
  const artist = await findActiveArtist(database, username);
  if (!artist) throw refuse('not_found');
  return showMessage(
    await messages.insertMessage(database, { artist_id: artist.id, name, email, message }),
  );
}

/** What visitors wrote to the artist, newest first. */
export async function listMessages(
  { database }: Parts,
  artistId: string,
  page: PageQuery,
): Promise<Listed<KeptMessage>> {
  const { rows, count } = await messages.listMessages(database, artistId, page);
  return { data: rows.map(showMessage), count };
}

/** @throws Refusal `not_found` */
export async function deleteMessage(
  { database }: Parts,
  artistId: string,
  id: string,
): Promise<void> {
  if (!(await messages.deleteMessage(database, artistId, id))) throw refuse('not_found');
}

function showMessage(row: messages.MessageRow): KeptMessage {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    message: row.message,
    created_at: rfc3339(row.created_at.getTime()),
  };
}
