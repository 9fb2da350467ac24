import { expect, test } from 'vitest';
import { updateArtist } from '#server/database/artists.ts';
import { addDesignRow } from '#support/app_rows.ts';
import { NOT_FOUND, validationMessages } from '#support/problems.ts';
import { openTestApp } from '#support/test_app.ts';

test('a design of a superuser is not public, but its owner can read it', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const { id } = await addDesignRow(app, artist);
  await updateArtist(app.database, artist.self.id, { is_superuser: true });
  expect(await app.call(`GET /designs/${id}`)).toMatchObject(NOT_FOUND);
  const own = await app.call(`GET /designs/${id}`, { token: artist.token });
  expect(own).toMatchObject({ status: 200, body: { id } });
});

test.each(['/images/artist-portfolio?username=ana&', '/designs/ana/available?'])(
  'the list %s allows a limit of 1 to 200 and no negative skip',
  async (path) => {
    const app = await openTestApp();
    for (const [query, field] of [
      ['limit=201', 'query.limit'],
      ['limit=0', 'query.limit'],
      ['skip=-1', 'query.skip'],
    ])
      expect(Object.keys(validationMessages(await app.call(`GET ${path}${query}`)))).toEqual([
        field,
      ]);
    expect(await app.call(`GET ${path}limit=200`)).toMatchObject(NOT_FOUND);
  },
);
