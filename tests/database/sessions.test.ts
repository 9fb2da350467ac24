import { expect, test } from 'vitest';
import { DAY_MS } from '#domain/time.ts';
import * as sessions from '#server/database/sessions.ts';
import { listSessions } from '#server/operations/sessions.ts';
import { addArtist } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

async function setUp() {
  const { database } = await openTestApp();
  const { id: artistId } = await addArtist(database);
  const listIds = async () =>
    (await listSessions({ database }, { id: artistId, sessionId: artistId }, Date.now())).data.map(
      ({ id }) => id,
    );
  const insert = () => sessions.insertSession(database, { artist_id: artistId });
  return { database, insert, listIds };
}

test('a login beyond a hundred sessions ends the one that was used least recently', async () => {
  const { database, insert, listIds } = await setUp();
  const oldest = await insert();
  await database
    .updateTable('sessions')
    .set({ last_used_at: new Date(Date.now() - DAY_MS) })
    .where('id', '=', oldest)
    .execute();
  for (let n = 1; n < 100; n += 1) await insert();
  expect(await listIds()).toContain(oldest);
  await insert();
  expect(await listIds()).toHaveLength(100);
  expect(await listIds()).not.toContain(oldest);
});
