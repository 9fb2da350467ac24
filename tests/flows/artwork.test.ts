import { expect, test } from 'vitest';
import type { ListPage } from '#contract/common.ts';
import type { Design } from '#contract/design.ts';
import type { UploadedImage } from '#contract/image.ts';
import { addDesignRow, addPictureRow } from '#support/app_rows.ts';
import { expectOk } from '#support/call_api.ts';
import { NO_DESIGN_FACTS } from '#support/design_facts.ts';
import { NOT_FOUND, UNKNOWN_ID, validationMessages } from '#support/problems.ts';
import { openTestApp } from '#support/test_app.ts';

test('a portfolio lists its pictures in the order of the artist, each with its sources', async () => {
  const app = await openTestApp();
  const [artist, other] = [await app.newArtist(), await app.newArtist()];
  const second = await addPictureRow(app, artist, { position: 2, title: 'Second' });
  const first = await addPictureRow(app, artist, {
    position: 1,
    title: 'First',
    widths: [1600],
    formats: ['webp'],
  });
  const third = await addPictureRow(app, artist, { position: 2, title: 'Third' });
  await addPictureRow(app, artist, { kind: 'avatar' });
  await addDesignRow(app, artist);
  await addPictureRow(app, other);
  const list = (query: string) =>
    expectOk(
      app.call<ListPage<UploadedImage>>(
        `GET /images/artist-portfolio?username=${artist.username}${query}`,
      ),
    );
  const { data, count } = await list('');
  expect(count).toBe(3);
  expect(data[0]).toStrictEqual({
    id: first,
    file_url: `/media/${first}/1600.webp`,
    title: 'First',
    width: 1600,
    height: 1200,
    sources: [{ type: 'image/webp', srcset: `/media/${first}/1600.webp 1600w` }],
    placeholder: null,
  });
  expect(data[1]).toStrictEqual({
    id: second,
    file_url: `/media/${second}/800.webp`,
    title: 'Second',
    width: 1600,
    height: 1200,
    sources: [
      {
        type: 'image/avif',
        srcset: `/media/${second}/400.avif 400w, /media/${second}/800.avif 800w`,
      },
      {
        type: 'image/webp',
        srcset: `/media/${second}/400.webp 400w, /media/${second}/800.webp 800w`,
      },
    ],
    placeholder: null,
  });
  expect(data[2]?.id).toBe(third);
  expect(await list('&skip=1&limit=1')).toEqual({ data: [data[1]], count: 3 });
});

test('only the available designs of an artist are listed, in the order of the artist', async () => {
  const app = await openTestApp();
  const [artist, other] = [await app.newArtist(), await app.newArtist()];
  const last = await addDesignRow(app, artist, { name: 'Last', position: 9 });
  const first = await addDesignRow(app, artist, { name: 'First' });
  await addDesignRow(app, artist, { name: 'Claimed', status: 'claimed' });
  await addDesignRow(app, artist, { name: 'Hidden', status: 'hidden' });
  await addDesignRow(app, other);
  const list = (query = '') =>
    expectOk(
      app.call<ListPage<Design>>(`GET /designs/${artist.username.toUpperCase()}/available${query}`),
    );
  const { data, count } = await list();
  expect(data.map(({ id }) => id)).toEqual([first.id, last.id]);
  expect(count).toBe(2);
  expect(data[0]).toStrictEqual({
    id: first.id,
    name: 'First',
    description: 'In black.',
    status: 'available',
    ...NO_DESIGN_FACTS,
    image: {
      id: first.imageId,
      file_url: `/media/${first.imageId}/800.webp`,
      title: 'A swallow',
      width: 1600,
      height: 1200,
      sources: [
        {
          type: 'image/avif',
          srcset: `/media/${first.imageId}/400.avif 400w, /media/${first.imageId}/800.avif 800w`,
        },
        {
          type: 'image/webp',
          srcset: `/media/${first.imageId}/400.webp 400w, /media/${first.imageId}/800.webp 800w`,
        },
      ],
      placeholder: null,
    },
  });
  expect(await list('?skip=1&limit=200')).toEqual({ data: [data[1]], count: 2 });
});

test('available and claimed designs are public, hidden ones are not', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  for (const status of ['available', 'claimed'] as const) {
    const { id } = await addDesignRow(app, artist, { status });
    const response = await app.call(`GET /designs/${id}`);
    expect(response).toMatchObject({ status: 200, body: { id, status, name: 'Swallow' } });
  }
  const { id } = await addDesignRow(app, artist, { status: 'hidden' });
  expect(await app.call(`GET /designs/${id}`)).toMatchObject(NOT_FOUND);
  expect(await app.call(`GET /designs/${UNKNOWN_ID}`)).toMatchObject(NOT_FOUND);
});

test('a design of a superuser is not public, but its owner can read it', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const { id } = await addDesignRow(app, artist);
  await app.database
    .updateTable('artists')
    .set({ is_superuser: true })
    .where('id', '=', artist.self.id)
    .execute();
  expect(await app.call(`GET /designs/${id}`)).toMatchObject(NOT_FOUND);
  const own = await app.call(`GET /designs/${id}`, { token: artist.token });
  expect(own).toMatchObject({ status: 200, body: { id } });
});

test('the artwork and services of an unknown or inactive artist are not found', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const { id } = await addDesignRow(app, artist);
  const paths = (username: string) => [
    `GET /images/artist-portfolio?username=${username}`,
    `GET /designs/${username}/available`,
    `GET /services/${username}/available`,
    `GET /services/${username}/available/${artist.service.id}`,
  ];
  for (const path of paths('nobody-at-all')) expect(await app.call(path)).toMatchObject(NOT_FOUND);
  await app.database
    .updateTable('artists')
    .set({ is_active: false })
    .where('id', '=', artist.self.id)
    .execute();
  for (const path of [...paths(artist.username), `GET /designs/${id}`])
    expect(await app.call(path)).toMatchObject(NOT_FOUND);
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
