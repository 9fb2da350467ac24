import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { changeDesign } from '#client/designs.ts';
import type { Design } from '#contract/design.ts';
import type { UploadedImage } from '#contract/image.ts';
import type { ShareCard } from '#server/images/share_card_renderer.ts';
import { createSharpShareCardRenderer } from '#server/images/sharp_share_card_renderer.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { createFlatPicture, createMultipart, createNoisyPicture } from '#support/pictures.ts';
import { UNKNOWN_ID } from '#support/problems.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

/** Apart from the colours of the card itself. */
const GREEN = { r: 20, g: 160, b: 60 };
const BLUE = { r: 30, g: 60, b: 200 };

type Colour = typeof GREEN;

/** A studio that is served as it is to everyone, with what it keeps in front. */
async function openServed() {
  const app = await openTestApp({ database: 'own' });
  return { app, origin: await app.serve() };
}

async function fetchCard(origin: URL, path: string, method = 'GET') {
  const response = await fetch(new URL(`/api/v1/${path}`, origin), { method });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

function cardOf({ username }: TestArtist): string {
  return `users/artist/${username}/share-image`;
}

async function addArt(app: TestApp, { token }: TestArtist, { r, g, b }: Colour): Promise<Design> {
  const picture = await createFlatPicture(400, 500, `rgb(${r},${g},${b})`).png().toBuffer();
  const body = createMultipart([picture], { name: 'Swallow' });
  const design = await expectOk(app.call<Design>('POST /designs', { token, multipart: body }));
  await app.imagesConverted();
  return design;
}

/** How much of a card is of about that colour, of 1. */
async function shareOf({ r, g, b }: Colour, jpeg: Buffer): Promise<number> {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  let found = 0;
  for (let at = 0; at < data.length; at += info.channels) {
    const away = [r, g, b].map((part, index) => Math.abs(part - (data[at + index] ?? 0)));
    if (Math.max(...away) < 12) found += 1;
  }
  return found / (info.width * info.height);
}

test("an artist's card is a JPEG of 1200 by 630 that opens bit by bit, drawn of their own designs", async () => {
  const { app, origin } = await openServed();
  const artist = await app.newArtist();
  await addArt(app, artist, GREEN);
  const { status, headers, bytes } = await fetchCard(origin, `${cardOf(artist)}?v=1abc`);
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
  expect(await shareOf(GREEN, bytes)).toBeGreaterThan(0.4);
});

test('a card shows what is there now: a hidden design leaves it, a portfolio stands in', async () => {
  const { app, origin } = await openServed();
  const artist = await app.newArtist();
  const { id } = await addArt(app, artist, GREEN);
  const picture = await createFlatPicture(700, 700, 'rgb(30,60,200)').png().toBuffer();
  await expectOk(
    app.call<UploadedImage>('POST /images/portfolio/upload', {
      token: artist.token,
      multipart: createMultipart([picture]),
    }),
  );
  await app.imagesConverted();
  const both = (await fetchCard(origin, cardOf(artist))).bytes;
  expect(await shareOf(GREEN, both)).toBeGreaterThan(0.2);
  expect(await shareOf(BLUE, both)).toBeGreaterThan(0.2);
  await changeDesign(app.http(artist.token), id, { status: 'hidden' });
  const one = (await fetchCard(origin, cardOf(artist))).bytes;
  expect(await shareOf(GREEN, one)).toBe(0);
  expect(await shareOf(BLUE, one)).toBeGreaterThan(0.4);
});

test("a design's card shows its picture, also once it is claimed", async () => {
  const { app, origin } = await openServed();
  const artist = await app.newArtist();
  const { id } = await addArt(app, artist, GREEN);
  for (const status of ['available', 'claimed']) {
    const change = { token: artist.token, json: { status } };
    await expectOk(app.call(`PATCH /designs/${id}`, change));
    const card = await fetchCard(origin, `designs/${id}/share-image?v=x`);
    expect([status, card.status]).toEqual([status, 200]);
    expect(await shareOf(GREEN, card.bytes)).toBeGreaterThan(0.4);
  }
});

test('there is no card of nobody, of a hidden design, or of an artist who is not shown', async () => {
  const { app, origin } = await openServed();
  const artist = await app.newArtist();
  const { id } = await addArt(app, artist, GREEN);
  await changeDesign(app.http(artist.token), id, { status: 'hidden' });
  for (const path of ['users/artist/nobody', `designs/${UNKNOWN_ID}`, `designs/${id}`]) {
    const { status, headers } = await fetchCard(origin, `${path}/share-image`);
    expect([path, status]).toEqual([path, 404]);
    expect(headers.get('Cache-Control')).toBe('no-store');
  }
  // Not to the artist either: whoever made a copy of the address would keep it.
  const own = await app.call(`GET /designs/${id}/share-image`, { token: artist.token });
  expect(own.status).toBe(404);
  await changeDesign(app.http(artist.token), id, { status: 'available' });
  const chief = await app.superuserToken();
  const close = { token: chief, json: { is_active: false } };
  await expectOk(app.call(`PATCH /users/${artist.self.id}`, close));
  for (const path of [cardOf(artist), `designs/${id}/share-image`])
    expect([path, (await fetchCard(origin, path)).status]).toEqual([path, 404]);
});

test('who asks only for the head of a card gets it', async () => {
  const { app, origin } = await openServed();
  const artist = await app.newArtist();
  const { status, headers, bytes } = await fetchCard(origin, cardOf(artist), 'HEAD');
  expect([status, headers.get('Content-Type'), bytes.length]).toEqual([200, 'image/jpeg', 0]);
});

test('pictures whose files are gone or damaged are left out', async () => {
  const { app, origin } = await openServed();
  const artist = await app.newArtist();
  const { id, image } = await addArt(app, artist, GREEN);
  await rm(join(app.folders.media, image.id), { recursive: true });
  for (const path of [cardOf(artist), `designs/${id}/share-image`]) {
    const card = await fetchCard(origin, path);
    expect([path, card.status]).toEqual([path, 200]);
    expect(await shareOf(GREEN, card.bytes)).toBe(0);
  }
  expect(app.logged).toEqual([]);
  const cut = (await createNoisyPicture(600, 600).webp().toBuffer()).subarray(0, 2000);
  const damaged = await drawOnce({ ...CARD, pictures: [async () => cut] });
  expect(damaged.equals(await drawOnce(CARD))).toBe(true);
});

test('a name that our fonts cannot write is never a row of empty boxes', async () => {
  const known = await drawOnce(named('hokusai'));
  for (const unknown of ['葛飾北斎', 'محمد', 'रोज़ा', '\u{1F339}'])
    expect([unknown, (await drawOnce(named(unknown))).equals(known)]).toEqual([unknown, true]);
  for (const written of ['Łucja Őry', 'Nguyễn Thị Ánh', 'Анна Каренина', 'Ελένη'])
    expect([written, (await drawOnce(named(written))).equals(known)]).toEqual([written, false]);
  expect((await drawOnce(named('Rosa 🌹'))).equals(await drawOnce(named('Rosa')))).toBe(true);
});

test('names are drawn as they are, whatever they would mean to a program', async () => {
  const said = ['</svg><script>"&amp;', '${ %s \u0000', 'a'.repeat(120), '-'.repeat(120)];
  for (const name of said) {
    const { width } = await sharp(await drawOnce(named(name))).metadata();
    expect([name, width]).toEqual([name, 1200]);
  }
});

test('a card of pictures that hardly compress is light enough for a chat', async () => {
  const picture = await createNoisyPicture(640, 800).webp({ quality: 95 }).toBuffer();
  const card = await drawOnce({ ...CARD, pictures: Array(4).fill(async () => picture) });
  expect(card.length).toBeLessThan(300_000);
});

test('a card that many ask for at once is drawn once, and anew when it is asked for again', async () => {
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
  const drawer = createSharpShareCardRenderer();
  const drawn = await Promise.all(Array.from({ length: 80 }, () => drawer.render('one', card)));
  expect([reads, new Set(drawn).size]).toEqual([1, 1]);
  await drawer.render('one', card);
  expect(reads).toBe(2);
});

test('more cards than can wait are refused, and those that wait are drawn', async () => {
  const drawer = createSharpShareCardRenderer();
  const drawn = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) => drawer.render(`card ${index}`, CARD)),
  );
  const refused = drawn.flatMap((one) => (one.status === 'rejected' ? [one.reason.reason] : []));
  expect(refused).toEqual(Array(9).fill('busy'));
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

function named(fullName: string): ShareCard {
  return { ...CARD, content: { ...CARD.content, fullName } };
}

async function drawOnce(card: ShareCard): Promise<Buffer> {
  return Buffer.from(await createSharpShareCardRenderer().render('card', card));
}
