import { expect, test } from 'vitest';
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
