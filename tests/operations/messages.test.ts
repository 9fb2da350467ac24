import { expect, test } from 'vitest';
import { refuse } from '#domain/refusal.ts';
import { updateArtist } from '#server/database/artists.ts';
import { deleteMessage, leaveMessage, listMessages } from '#server/operations/messages.ts';
import { addArtist, noticesOf } from '#support/own_rows.ts';
import { openParts } from '#support/parts.ts';

const PAGE = { skip: 0, limit: 100 };
const MESSAGE = { name: 'Rosa', email: 'rosa@example.com', message: 'Do you do cover-ups?' };

async function open(changes: Parameters<typeof openParts>[0] = {}) {
  const opened = await openParts(changes);
  return { ...opened, artist: await addArtist(opened.parts.database) };
}

test('a visitor’s message is stored, and the artist is told by mail', async () => {
  const { parts, artist } = await open();
  const message = await leaveMessage(parts, artist.username.toUpperCase(), MESSAGE);
  expect(message).toEqual({ id: message.id, created_at: message.created_at, ...MESSAGE });
  expect(await listMessages(parts, artist.id, PAGE)).toEqual({ data: [message], count: 1 });
  expect(await noticesOf(parts.database, artist.id)).toEqual([
    `contact_message to ${artist.email}`,
  ]);
});

test('an artist who is not active, or not there, takes no messages', async () => {
  const { parts, artist } = await open();
  await updateArtist(parts.database, artist.id, { is_active: false });
  for (const username of [artist.username, 'nobody.at.all'])
    await expect(leaveMessage(parts, username, MESSAGE)).rejects.toMatchObject({
      reason: 'not_found',
    });
});

test('messages beyond what one mailbox takes are refused and not stored', async () => {
  const spent: string[] = [];
  const { parts, artist } = await open({
    spendMailbox: async (call, email) => {
      spent.push(`${call} ${email}`);
      throw refuse('too_many');
    },
  });
  const leaving = leaveMessage(parts, artist.username, MESSAGE);
  await expect(leaving).rejects.toMatchObject({ reason: 'too_many' });
  expect(spent).toEqual([`contact ${artist.email}`]);
  expect((await listMessages(parts, artist.id, PAGE)).count).toBe(0);
});

test('a message is deleted by its own artist alone, and once', async () => {
  const { parts, artist } = await open();
  const { id } = await leaveMessage(parts, artist.username, MESSAGE);
  const other = await addArtist(parts.database);
  const notFound = { reason: 'not_found' };
  await expect(deleteMessage(parts, other.id, id)).rejects.toMatchObject(notFound);
  await deleteMessage(parts, artist.id, id);
  await expect(deleteMessage(parts, artist.id, id)).rejects.toMatchObject(notFound);
});
