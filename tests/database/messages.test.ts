import { expect, test } from 'vitest';
import { deleteMessage, insertMessage, listMessages } from '#server/database/messages.ts';
import { addArtist } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const ALL = { skip: 0, limit: 100 };

async function withMessages(...texts: string[]) {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  const ids: string[] = [];
  for (const [day, message] of texts.entries()) {
    const row = await insertMessage(database, {
      artist_id: artist.id,
      name: 'Rosa',
      email: 'rosa@example.com',
      message,
      created_at: new Date(Date.UTC(2026, 10, 1 + day)),
    });
    ids.push(row.id);
  }
  return { database, artist, ids };
}

test('messages are listed newest first, with pagination', async () => {
  const { database, artist } = await withMessages('one', 'two', 'three');
  const page = await listMessages(database, artist.id, { skip: 0, limit: 2 });
  expect(page.rows.map(({ message }) => message)).toEqual(['three', 'two']);
  expect(page.count).toBe(3);
});

test('only the artist of a message can delete it, and only once', async () => {
  const { database, artist, ids } = await withMessages('one', 'two');
  const other = await addArtist(database);
  const [id = ''] = ids;
  expect(await deleteMessage(database, other.id, id)).toBe(false);
  expect(await deleteMessage(database, artist.id, id)).toBe(true);
  expect(await deleteMessage(database, artist.id, id)).toBe(false);
  const { rows } = await listMessages(database, artist.id, ALL);
  expect(rows.map(({ message }) => message)).toEqual(['two']);
});
