import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Design } from '#contract/design.ts';
import { changeDesign } from '#contract/endpoints.ts';
import type { ShareCard } from '#server/images/share_card_renderer.ts';
import { createSharpShareCardRenderer } from '#server/images/sharp_share_card_renderer.ts';
import { expectOk } from '#support/call_api.ts';
import { PROOF, type TestArtist } from '#support/new_artist.ts';
import {
  createFlatPicture,
  createMultipart,
  createNoisyPicture,
  uploadPicture,
} from '#support/pictures.ts';
import { UNKNOWN_ID } from '#support/problems.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

/** Colours that the card itself does not use. */
const GREEN = { r: 20, g: 160, b: 60 };
const BLUE = { r: 30, g: 60, b: 200 };

type Colour = typeof GREEN;

/** An app that serves HTTP through its cache. */
async function openServed() {
  const app = await openTestApp({ database: 'own' });
  return { app, origin: await app.serve() };
}

async function fetchCard(origin: URL, path: string, method = 'GET') {
  const response = await fetch(new URL(`/api/v1/${path}`, origin), { method });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

function cardPath({ username }: TestArtist): string {
  return `users/artist/${username}/share-image`;
}

async function addFlatDesign(
  app: TestApp,
  { token }: TestArtist,
  { r, g, b }: Colour,
): Promise<Design> {
  const picture = await createFlatPicture(400, 500, `rgb(${r},${g},${b})`).png().toBuffer();
  const body = createMultipart([picture], { name: 'Swallow' });
  const design = await expectOk(app.call<Design>('POST /designs', { token, multipart: body }));
  await app.runJobs();
  return design;
}

/** The fraction of the pixels of a card that have about this colour. */
async function colourFraction({ r, g, b }: Colour, jpeg: Buffer): Promise<number> {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  let found = 0;
  for (let at = 0; at < data.length; at += info.channels) {
    const differences = [r, g, b].map((part, index) => Math.abs(part - (data[at + index] ?? 0)));
    if (Math.max(...differences) < 12) found += 1;
  }
  return found / (info.width * info.height);
}

test("an artist's share card is a progressive JPEG of 1200 by 630, cached under the tags of what it shows", async () => {
  const { app, origin } = await openServed();
  const artist = await app.newArtist();
  const { status, headers, bytes } = await fetchCard(origin, `${cardPath(artist)}?v=1abc`);
  expect([status, headers.get('Content-Type')]).toEqual([200, 'image/jpeg']);
  expect(headers.get('Surrogate-Control')).toMatch(/^max-age=\d{3,}/);
  const { id } = artist.self;
  const tags = [`artist:${id}`, `designs:${id}`, `portfolio:${id}`];
  expect(headers.get('Cache-Tag')?.split(',')).toEqual(tags);
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(await sharp(bytes).metadata()).toMatchObject({
    format: 'jpeg',
    width: 1200,
    height: 630,
    isProgressive: true,
    space: 'srgb',
  });
});

test("an artist's picture in mails is a square JPEG from the cache, and not found without a profile picture", async () => {
  const { app, origin } = await openServed();
  const { username, token } = await app.newArtist();
  const path = `users/artist/${username}/mail-picture`;
  expect((await fetchCard(origin, path)).status).toBe(404);
  const banner = createMultipart([await createFlatPicture(600, 150).png().toBuffer()]);
  await expectOk(app.call('PATCH /users/me/avatar', { token, multipart: banner }));
  const answers = [await fetchCard(origin, `${path}?v=1`), await fetchCard(origin, `${path}?v=2`)];
  expect(answers[1]?.headers.get('Cache-Status')).toMatch(/^Linework; hit/);
  const size = { format: 'jpeg', width: 112, height: 112 };
  expect(await sharp(answers[0]?.bytes).metadata()).toMatchObject(size);
});

test('a share card comes from the cache, whatever headers and spelling its request has', async () => {
  const { app, origin } = await openServed();
  const artist = await app.newArtist();
  const { id } = await addFlatDesign(app, artist, GREEN);
  const [byName, byId] = [cardPath(artist), `designs/${id}/share-image`];
  const ask = async (path: string, sent: HeadersInit = {}) => {
    const { status, headers } = await fetch(`${origin}api/v1/${path}`, { headers: sent });
    return [path, status, headers.get('Cache-Status')?.slice(0, 13)];
  };
  for (const path of [byName, byId]) await ask(path);
  for (const [path, headers] of [
    [byName, { Authorization: 'Bearer x' }],
    [byId, { Cookie: 'a=b' }],
    [`${byName}/?a=1&v=2`],
    [byName.replace('artist', '%61rtist')],
    [byName.replace(artist.username, `%20@${artist.username.toUpperCase()}`)],
    [byId.replace(id, id.toUpperCase())],
  ] as const)
    expect(await ask(path, headers)).toEqual([path, 200, 'Linework; hit']);
  expect(await ask(byName.replace('/', '%2F'))).toMatchObject({ 1: 404 });
});

test('a share card shows designs and portfolio, without designs that were hidden since', async () => {
  const { app, origin } = await openServed();
  const artist = await app.newArtist();
  const { id } = await addFlatDesign(app, artist, GREEN);
  const picture = await createFlatPicture(700, 700, 'rgb(30,60,200)').png().toBuffer();
  await uploadPicture(app, artist.token, picture);
  await app.runJobs();
  const both = (await fetchCard(origin, cardPath(artist))).bytes;
  expect(await colourFraction(GREEN, both)).toBeGreaterThan(0.2);
  expect(await colourFraction(BLUE, both)).toBeGreaterThan(0.2);
  await call(app.http(artist.token), changeDesign, {
    path: { design_id: id },
    body: { status: 'hidden' },
  });
  const one = (await fetchCard(origin, cardPath(artist))).bytes;
  expect(await colourFraction(GREEN, one)).toBe(0);
  expect(await colourFraction(BLUE, one)).toBeGreaterThan(0.4);
});

test("a design's share card shows its picture, also when it is claimed", async () => {
  const { app, origin } = await openServed();
  const artist = await app.newArtist();
  const { id } = await addFlatDesign(app, artist, GREEN);
  for (const status of ['available', 'claimed']) {
    const change = { token: artist.token, json: { status } };
    await expectOk(app.call(`PATCH /designs/${id}`, change));
    const card = await fetchCard(origin, `designs/${id}/share-image?v=x`);
    expect([status, card.status]).toEqual([status, 200]);
    expect(await colourFraction(GREEN, card.bytes)).toBeGreaterThan(0.4);
  }
});

test('the share card of an unknown artist or design, a hidden design or an inactive artist is not found', async () => {
  const { app, origin } = await openServed();
  const artist = await app.newArtist();
  const { id } = await addFlatDesign(app, artist, GREEN);
  await call(app.http(artist.token), changeDesign, {
    path: { design_id: id },
    body: { status: 'hidden' },
  });
  for (const path of ['users/artist/nobody', `designs/${UNKNOWN_ID}`, `designs/${id}`]) {
    const { status, headers } = await fetchCard(origin, `${path}/share-image`);
    expect([path, status]).toEqual([path, 404]);
    expect(headers.get('Cache-Control')).toBe('no-store');
  }
  // Not found for the artist either, because the address of the card can be shared.
  const own = await app.call(`GET /designs/${id}/share-image`, { token: artist.token });
  expect(own.status).toBe(404);
  await call(app.http(artist.token), changeDesign, {
    path: { design_id: id },
    body: { status: 'available' },
  });
  const superuserToken = await app.superuserToken();
  const deactivation = { token: superuserToken, json: { is_active: false, ...PROOF } };
  await expectOk(app.call(`PATCH /users/${artist.self.id}`, deactivation));
  for (const path of [cardPath(artist), `designs/${id}/share-image`])
    expect([path, (await fetchCard(origin, path)).status]).toEqual([path, 404]);
});

test('a share card leaves out pictures whose files are missing or damaged', async () => {
  const { app, origin } = await openServed();
  const artist = await app.newArtist();
  const { id, image } = await addFlatDesign(app, artist, GREEN);
  await rm(join(app.folders.media, image.id), { recursive: true });
  for (const path of [cardPath(artist), `designs/${id}/share-image`]) {
    const card = await fetchCard(origin, path);
    expect([path, card.status]).toEqual([path, 200]);
    expect(await colourFraction(GREEN, card.bytes)).toBe(0);
  }
  expect(app.logged).toEqual([]);
  const cut = (await createNoisyPicture(600, 600).webp().toBuffer()).subarray(0, 2000);
  const damaged = await drawOnce({ ...CARD, pictures: [async () => cut] });
  expect(damaged.equals(await drawOnce(CARD))).toBe(true);
});

test('a share card of noisy pictures is smaller than 300 kB', async () => {
  const picture = await createNoisyPicture(640, 800).webp({ quality: 95 }).toBuffer();
  const card = await drawOnce({ ...CARD, pictures: Array(4).fill(async () => picture) });
  expect(card.length).toBeLessThan(300_000);
});

test('concurrent requests for a share card draw it once, and a later request draws it again', async () => {
  let reads = 0;
  const picture = await createFlatPicture(600, 600).webp().toBuffer();
  const card: ShareCard = {
    ...CARD,
    pictures: [
      async () => {
        reads += 1;
        return picture;
      },
    ],
  };
  const renderer = createSharpShareCardRenderer();
  const drawn = await Promise.all(Array.from({ length: 80 }, () => renderer.render('one', card)));
  expect([reads, new Set(drawn).size]).toEqual([1, 1]);
  await renderer.render('one', card);
  expect(reads).toBe(2);
});

test('one share card is drawn at a time, 50 wait, and further ones are refused as busy', async () => {
  const renderer = createSharpShareCardRenderer();
  // The picture of the first card is read when the test is over: the others wait until then.
  const { promise: testEnd, reject } = Promise.withResolvers<never>();
  const first = renderer.render('first', { ...CARD, pictures: [() => testEnd] });
  const waiting = Array.from({ length: 50 }, (_, index) => renderer.render(`card ${index}`, CARD));
  await expect(renderer.render('one more', CARD)).rejects.toMatchObject({ reason: 'busy' });
  reject(new Error('The picture is gone'));
  const [drawn] = await Promise.all([waiting[0], first]);
  expect(drawn?.length).toBeGreaterThan(0);
});

const CARD = {
  kind: 'artist',
  content: {
    productName: 'Linework',
    fullName: 'Rosa Quint',
    username: 'hokusai',
    studioName: 'Quint Tattoo',
    city: 'New York',
    state: 'NY',
  },
  avatar: null,
  pictures: [],
} as const satisfies ShareCard;

async function drawOnce(card: ShareCard): Promise<Buffer> {
  return Buffer.from(await createSharpShareCardRenderer().render('card', card));
}
