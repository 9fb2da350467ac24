import { expect, test } from 'vitest';
import * as merges from '#server/database/client_merges.ts';
import { addArtist } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const FIELDS = {
  email: null,
  first_name: 'Rosa',
  last_name: null,
  pronouns: null,
  phone_number: null,
  preferred_contact: null,
  notes: '',
};

async function setUp() {
  const { database } = await openTestApp({ database: 'own' });
  const artist = await addArtist(database);
  const add = async () => {
    const row = { artist_id: artist.id, ...FIELDS };
    const inserted = database.insertInto('clients').values(row).returning('id');
    return (await inserted.executeTakeFirstOrThrow()).id;
  };
  return { database, artistId: artist.id, remaining: await add(), other: await add() };
}

test('moving to another client and back hides and shows, for its artist only', async () => {
  const { database, artistId, remaining, other } = await setUp();
  const stranger = await addArtist(database);
  const way = { from: other, to: remaining };
  await merges.moveToClient(database, stranger.id, way);
  expect(await merges.findMergeableClient(database, artistId, other)).toEqual(FIELDS);
  const rows = await merges.moveToClient(database, artistId, way);
  expect(rows).toEqual({ appointmentIds: [], clientIds: [], dataRequestIds: [] });
  expect(await merges.findMergeableClient(database, artistId, other)).toBeUndefined();
  await merges.returnMergedRows(database, stranger.id, { from: remaining, to: other }, rows);
  expect(await merges.findMergeableClient(database, artistId, other)).toBeUndefined();
  await merges.returnMergedRows(database, artistId, { from: remaining, to: other }, rows);
  expect(await merges.findMergeableClient(database, artistId, other)).toEqual(FIELDS);
  await merges.updateMergedFields(database, stranger.id, other, { notes: 'Foreign' });
  await merges.updateMergedFields(database, artistId, other, { pronouns: 'they/them' });
  expect(await merges.findMergeableClient(database, artistId, other)).toEqual({
    ...FIELDS,
    pronouns: 'they/them',
  });
});
