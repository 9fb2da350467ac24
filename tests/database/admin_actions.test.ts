import { expect, test } from 'vitest';
import { DAY_MS } from '#domain/time.ts';
import { deleteArtist } from '#server/database/accounts.ts';
import * as actions from '#server/database/admin_actions.ts';
import { addArtist } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const PAGE = { skip: 0, limit: 10 };

async function setUp() {
  const { database } = await openTestApp({ database: 'own' });
  const superuser = await addArtist(database, { username: 'boss', is_superuser: true });
  const artist = await addArtist(database, { username: 'ana' });
  const superuserId = superuser.id;
  await actions.insertAdminAction(database, {
    ...{ superuserId, kind: 'account_deactivated', artistId: artist.id },
  });
  await actions.insertAdminAction(database, {
    ...{ superuserId, kind: 'mail_sent_again', artistId: artist.id, detail: 'booked' },
  });
  return { database, superuser, artist };
}

test('actions are listed newest first, with the usernames of both', async () => {
  const { database } = await setUp();
  const { rows, count } = await actions.listAdminActions(database, PAGE);
  expect(count).toBe(2);
  expect(rows).toMatchObject([
    { kind: 'mail_sent_again', superuser: 'boss', artist: 'ana', detail: 'booked' },
    { kind: 'account_deactivated', superuser: 'boss', artist: 'ana', detail: null },
  ]);
});

test('of a deleted account the actions stay, without any name', async () => {
  const { database, superuser, artist } = await setUp();
  await database.transaction().execute(async (transaction) => {
    await deleteArtist(transaction, artist.id);
    await deleteArtist(transaction, superuser.id);
  });
  const { rows } = await actions.listAdminActions(database, PAGE);
  expect(rows).toMatchObject([
    { kind: 'mail_sent_again', superuser: null, artist: null },
    { kind: 'account_deactivated', superuser: null, artist: null },
  ]);
});

test('old actions are deleted', async () => {
  const { database } = await setUp();
  const { rows } = await actions.listAdminActions(database, PAGE);
  const oldest = rows.at(-1)?.id ?? '';
  await database
    .updateTable('admin_actions')
    .set({ happened_at: new Date(Date.now() - 2 * DAY_MS) })
    .where('id', '=', oldest)
    .execute();
  await actions.deleteOldAdminActions(database, Date.now() - DAY_MS);
  const left = await actions.listAdminActions(database, PAGE);
  expect(left.rows.map(({ kind }) => kind)).toEqual(['mail_sent_again']);
});
