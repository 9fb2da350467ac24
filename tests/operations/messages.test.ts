import { expect, test } from 'vitest';
import { refuse } from '#domain/refusal.ts';
import { updateArtist } from '#server/database/artists.ts';
import { addContactMessage, deleteMessage, listMessages } from '#server/operations/messages.ts';
import { addArtist, listNotices } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

const PAGE = { skip: 0, limit: 100 };
const MESSAGE = { name: 'Rosa', email: 'rosa@example.com', message: 'Do you do cover-ups?' };

async function setUp(changes: Parameters<typeof openTestContext>[0] = {}) {
  const opened = await openTestContext(changes);
  return { ...opened, artist: await addArtist(opened.context.database) };
}

test('a visitor’s message is stored and mailed to the artist', async () => {
  const { context, artist } = await setUp();
  const message = await addContactMessage(context, artist.username.toUpperCase(), MESSAGE);
  expect(message).toEqual({ id: message.id, created_at: message.created_at, ...MESSAGE });
  expect(await listMessages(context, artist.id, PAGE)).toEqual({ data: [message], count: 1 });
  expect(await listNotices(context.database, artist.id)).toEqual([
    `contact_message to ${artist.email}`,
  ]);
});

test('messages to an inactive or unknown artist are refused', async () => {
  const { context, artist } = await setUp();
  await updateArtist(context.database, artist.id, { is_active: false });
  for (const username of [artist.username, 'nobody.at.all'])
    await expect(addContactMessage(context, username, MESSAGE)).rejects.toMatchObject({
      reason: 'not_found',
    });
});

test('messages beyond the mail quota are refused and not stored', async () => {
  const spent: string[] = [];
  const { context, artist } = await setUp({
    consumeMailboxQuota: async (call, email) => {
      spent.push(`${call} ${email}`);
      throw refuse('rate_limited');
    },
  });
  const message = addContactMessage(context, artist.username, MESSAGE);
  await expect(message).rejects.toMatchObject({ reason: 'rate_limited' });
  expect(spent).toEqual([`contact ${artist.email}`]);
  expect((await listMessages(context, artist.id, PAGE)).count).toBe(0);
});

test('only the artist of a message can delete it, and only once', async () => {
  const { context, artist } = await setUp();
  const { id } = await addContactMessage(context, artist.username, MESSAGE);
  const other = await addArtist(context.database);
  const notFound = { reason: 'not_found' };
  await expect(deleteMessage(context, other.id, id)).rejects.toMatchObject(notFound);
  await deleteMessage(context, artist.id, id);
  await expect(deleteMessage(context, artist.id, id)).rejects.toMatchObject(notFound);
});
