import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { ArtistListItem } from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import { listPublicArtists } from '#contract/endpoints.ts';
import { updateArtist } from '#server/database/artists.ts';
import { addDesignRow, addPictureRow } from '#support/app_rows.ts';
import { expectOk } from '#support/call_api.ts';
import { validationMessages } from '#support/problems.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

function list(app: TestApp, query = ''): Promise<ListPage<ArtistListItem>> {
  return expectOk(app.call<ListPage<ArtistListItem>>(`GET /users/artists${query}`));
}

test('public artists are listed by username, with pagination', async () => {
  const app = await openTestApp({ database: 'own' });
  for (const username of ['cleo', 'ana', 'bob']) await app.newArtist({ username });
  const { data, count } = await call(app.http(), listPublicArtists, {
    query: { skip: 0, limit: 10 },
  });
  expect(count).toBe(3);
  expect(data.map(({ username }) => username)).toEqual(['ana', 'bob', 'cleo']);
  expect(data[0]).toStrictEqual({
    username: 'ana',
    scheduling_type: 'service',
    avatar_url: null,
    design_urls: [],
    design_ids: [],
    portfolio_urls: [],
  });
  expect(await list(app, '?skip=1&limit=1')).toEqual({ data: [data[1]], count: 3 });
  const tooMany = await app.call('GET /users/artists?limit=201');
  expect(Object.keys(validationMessages(tooMany))).toEqual(['query.limit']);
});

test('artists without a scheduling type, inactive artists and superusers are not listed', async () => {
  const app = await openTestApp({ database: 'own' });
  await app.superuserToken();
  await app.newArtist({ username: 'unfinished', scheduling_type: null });
  const { self } = await app.newArtist({ username: 'inactive' });
  await app.newArtist({ username: 'managed', scheduling_type: 'managed' });
  await updateArtist(app.database, self.id, { is_active: false });
  const { data, count } = await list(app);
  expect(data.map(({ username }) => username)).toEqual(['managed']);
  expect(count).toBe(1);
});

test('the list has the avatar, available designs and at most 50 portfolio pictures, in order', async () => {
  const app = await openTestApp({ database: 'own' });
  const [artist, other] = [await app.newArtist(), await app.newArtist()];
  const portfolio: string[] = [];
  for (let position = 51; position > 0; position -= 1)
    portfolio.unshift(await addPictureRow(app, artist, { position }));
  const avatar = await addPictureRow(app, artist, { kind: 'avatar' });
  const second = await addDesignRow(app, artist, { position: 2 });
  const first = await addDesignRow(app, artist, { position: 1 });
  for (const status of ['claimed', 'hidden'] as const) await addDesignRow(app, artist, { status });
  await addPictureRow(app, other);
  const { data } = await list(app);
  const shown = data.find(({ username }) => username === artist.username);
  expect(shown?.avatar_url).toBe(`/media/${avatar}/800.webp`);
  expect(shown?.design_urls).toEqual(
    [first, second].map(({ imageId }) => `/media/${imageId}/800.webp`),
  );
  expect(shown?.design_ids).toEqual([first, second].map(({ id }) => id));
  expect(shown?.portfolio_urls).toEqual(
    portfolio.slice(0, 50).map((id) => `/media/${id}/800.webp`),
  );
});
