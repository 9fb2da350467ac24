import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import { listPublicArtists } from '#contract/endpoints.ts';
import { addDesignRow, addPictureRow } from '#support/app_rows.ts';
import { openTestApp } from '#support/test_app.ts';

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
  const { data } = await call(app.http(), listPublicArtists, {});
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
