import type { APIRequestContext, Page } from '@playwright/test';
import sharp from 'sharp';
import * as z from 'zod/mini';
import { expect, test } from '#support/browser.ts';
import { addDesigns, addPictures } from '#support/browser_artwork.ts';
import { changeRows } from '#support/browser_database.ts';
import { serveInstead, siteUrl } from '#support/browser_server.ts';
import { call, demoArtist, newArtist } from '#support/browser_studio.ts';
import { expectOk } from '#support/calls.ts';
import { readStructuredData, thingOf } from '#support/structured_data.ts';

/** Pages that search engines show, with the path that each says is its own. */
const PUBLIC_PAGES = {
  '/': '/',
  '/explore/': '/explore/',
  '/ana/': '/ana/',
  '/Ana': '/ana/',
  '/ana/about?utm_source=x': '/ana/about',
  '/ana/services': '/ana/services',
  '/ana/contact': '/ana/contact',
  '/ana/scheduling': '/ana/scheduling',
  '/bo/': '/bo/',
  '/bo/scheduling': '/bo/scheduling',
  '/cleo/': '/cleo/',
};

/** Pages that are for one person. */
const CLOSED_PAGES = [
  '/login',
  '/signup',
  '/recover-password',
  '/reset-password?token=x',
  '/studio/services',
  '/studio/appointments',
  '/studio/profile',
  '/ana/contact?sent=1',
];

/** The same as every page says it of itself: `npm start` knows no other name of its site. */
function publicUrl(): string {
  return siteUrl().replace('127.0.0.1', 'localhost');
}

/** Where the tests reach it. */
function reach(url: string): string {
  return url.replace(publicUrl(), siteUrl());
}

/** What the head says under a name or a property, all of it. */
async function said(page: Page): Promise<Record<string, string[]>> {
  const pairs = await page
    .locator('head meta[content]')
    .evaluateAll((metas) =>
      metas.map((meta) => [
        meta.getAttribute('property') ?? meta.getAttribute('name') ?? '',
        meta.getAttribute('content') ?? '',
      ]),
    );
  return Object.fromEntries(
    Object.entries(Object.groupBy(pairs, ([name = '']) => name)).map(([name, found = []]) => [
      name,
      found.map(([, content = '']) => content),
    ]),
  );
}

async function described(page: Page) {
  const text = await page.locator('script[type="application/ld+json"]').textContent();
  return readStructuredData(text ?? '');
}

async function read(request: APIRequestContext, path: string, type: string): Promise<string> {
  const answer = await request.get(path);
  expect([path, answer.status()]).toEqual([path, 200]);
  expect(answer.headers()['content-type']).toContain(type);
  return answer.text();
}

/** Every address between those tags, once it is plain. */
function listed(xml: string, tag: string): string[] {
  return [...xml.matchAll(new RegExp(`<${tag}>([^<]+)</${tag}>`, 'g'))].map(([, address = '']) =>
    address.replaceAll('&amp;', '&'),
  );
}

test('each public page has a title, a description, one address, and says all where it is shared', async ({
  page,
}) => {
  const titles: string[] = [];
  for (const [path, own] of Object.entries(PUBLIC_PAGES)) {
    await page.goto(path);
    const head = await said(page);
    const title = await page.title();
    if (path !== '/Ana') titles.push(title);
    expect(head['robots'], path).toBeUndefined();
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', publicUrl() + own);
    const [description = ''] = head['description'] ?? [];
    expect(description.length, path).toBeGreaterThan(25);
    const shownTitle = title.replace(/ · Linework$/, '');
    expect(head, path).toMatchObject({
      'og:url': [publicUrl() + own],
      'og:type': [/^\/(explore\/)?$/.test(own) ? 'website' : 'profile'],
      'og:site_name': ['Linework'],
      'og:description': [description],
      'twitter:description': [description],
    });
    expect(title, path).toContain(head['og:title']?.[0]?.replace(/ · Linework$/, '') ?? '-');
    expect(head['twitter:title'], path).toEqual(head['og:title']);
    expect(shownTitle.length, path).toBeGreaterThan(5);
  }
  expect(new Set(titles).size).toBe(titles.length);
});

test('the card that is shared is there, as large as it is said to be, and described', async ({
  page,
}) => {
  const { designs } = await demoArtist('bo');
  const [, design] = designs;
  if (!design) throw new Error('No designs');
  const card = (whose: string) => `${publicUrl()}/api/v1/${whose}/share-image?v=`;
  for (const [path, whose] of [
    ['/ana/', 'users/artist/ana'],
    ['/ana/about', 'users/artist/ana'],
    ['/ana/services', 'users/artist/ana'],
    ['/ana/contact', 'users/artist/ana'],
    ['/cleo/', 'users/artist/cleo'],
    ['/bo/scheduling', 'users/artist/bo'],
    [`/bo/scheduling?design=${design.id}`, `designs/${design.id}`],
  ] as const) {
    await page.goto(path);
    const head = await said(page);
    const [url = ''] = head['og:image'] ?? [];
    expect(url, path).toContain(card(whose));
    expect(head, path).toMatchObject({
      'twitter:card': ['summary_large_image'],
      'twitter:image': [url],
    });
    expect(head['og:image:alt']?.[0], path).toMatch(/\S/);
    expect(head['twitter:image:alt']).toEqual(head['og:image:alt']);
    const answer = await page.request.get(reach(url));
    const { width, height } = await sharp(await answer.body()).metadata();
    expect(head, path).toMatchObject({
      'og:image:type': [answer.headers()['content-type']],
      'og:image:width': [String(width)],
      'og:image:height': [String(height)],
    });
    expect([path, width, height]).toEqual([path, 1200, 630]);
  }
  // Whoever shares a design shares it, and search engines count one page.
  const head = await said(page);
  expect(head['og:url']).toEqual([`${publicUrl()}/bo/scheduling?design=${design.id}`]);
  expect(head['og:title']?.[0]).toContain(design.name);
  expect(head['og:image:alt']?.[0]).toContain(design.name);
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute(
    'href',
    `${publicUrl()}/bo/scheduling`,
  );
});

test('a card is at another address once what it shows has changed', async ({ request, artist }) => {
  const { username, token } = artist;
  const [design] = await addDesigns(artist, ['Swallow']);
  const shared = async () => {
    const urls: (string | undefined)[] = [];
    for (const path of [`/${username}/`, `/${username}/scheduling?design=${design?.id}`]) {
      const html = await read(request, path, 'text/html');
      urls.push(/property="og:image" content="([^"]+)"/.exec(html)?.[1]);
    }
    return urls;
  };
  const first = await shared();
  expect(first.join(' ')).toMatch(/share-image\?v=\w+ .*share-image\?v=\w+/);
  expect(await shared()).toEqual(first);
  await expectOk(call(`PATCH /designs/${design?.id}`, { token, json: { name: 'Two swallows' } }));
  const renamed = await shared();
  expect([renamed[0], renamed[1] === first[1]]).toEqual([first[0], false]);
  await addDesigns(artist, ['Anchor']);
  const added = await shared();
  expect([added[0] === first[0], added[1]]).toEqual([false, renamed[1]]);
  await expectOk(call('PATCH /users/me', { token, json: { full_name: 'Rosa Quint-Reyes' } }));
  for (const [index, url] of (await shared()).entries()) expect(url).not.toBe(added[index]);
});

test('pages that are for one person are not indexed, shared or described', async ({ page }) => {
  for (const path of CLOSED_PAGES) {
    const answer = await page.request.get(path);
    const html = await answer.text();
    expect([path, answer.status()]).toEqual([path, 200]);
    expect(html, path).toContain('<meta name="robots" content="noindex">');
    expect(html, path).not.toContain('application/ld+json');
    if (!path.includes('?sent')) {
      expect(html, path).not.toContain('rel="canonical"');
      expect(html, path).not.toContain('og:');
    }
  }
});

test('the studio, the artist and the way to the page are described on each of their pages', async ({
  page,
}) => {
  const self = (await expectOk(call<{ full_name: string }>('GET /users/artist/ana'))).full_name;
  for (const rest of ['', 'about', 'services', 'contact', 'scheduling']) {
    await page.goto(`/ana/${rest}`);
    const things = await described(page);
    const parlor = thingOf(things, 'TattooParlor');
    const person = thingOf(things, 'Person');
    expect(parlor.employee['@id']).toBe(person['@id']);
    expect(person.worksFor['@id']).toBe(parlor['@id']);
    expect(person).toMatchObject({ name: self, url: `${publicUrl()}/ana/` });
    expect(parlor.image).toMatch(/\/media\/.+\.webp$/);
    for (const profile of person.sameAs ?? [])
      await expect(page.locator(`a[href="${profile}"]`)).not.toHaveCount(0);
    const { itemListElement: way } = thingOf(things, 'BreadcrumbList');
    expect(way.map(({ item }) => item)).toEqual(
      [`/`, `/ana/`, ...(rest === '' ? [] : [`/ana/${rest}`])].map((path) => publicUrl() + path),
    );
  }
});

test('services, galleries and offers are those that the page shows', async ({ page }) => {
  const { designs, services } = await demoArtist('ana');
  await page.goto('/ana/services');
  const list = thingOf(await described(page), 'ItemList').itemListElement;
  expect(list.map(({ item }) => item.name)).toEqual(services.map(({ name }) => name));

  await page.goto('/ana/');
  const things = await described(page);
  const offers = things.filter((thing) => thing['@type'] === 'Offer');
  expect(offers.map(({ itemOffered }) => itemOffered.name)).toEqual(
    designs.map(({ name }) => name),
  );
  expect(thingOf(things, 'ImageGallery').image.map(({ contentUrl }) => contentUrl)).toEqual(
    designs.map(({ image }) => publicUrl() + image.file_url),
  );
  const booked = await page.goto(reach(offers[0]?.url ?? ''));
  expect(booked?.status()).toBe(200);

  await page.goto('/ana/about');
  const { image } = thingOf(await described(page), 'ImageGallery');
  await expect(page.locator('.masonry img')).toHaveCount(image.length);
});

test('robots may look everywhere but where it is of no use, and find the sitemap', async ({
  request,
}) => {
  const text = await read(request, '/robots.txt', 'text/plain');
  const lines = text.split('\n');
  expect(lines[0]).toBe('User-agent: *');
  expect(lines).toContain(`Sitemap: ${publicUrl()}/sitemap.xml`);
  // RFC 9309, 2.2.2 and 2.2.3: the longest rule that fits wins.
  const longest = (kind: string, path: string) =>
    Math.max(
      0,
      ...lines
        .flatMap((line) => new RegExp(`^${kind}: (.+)$`).exec(line)?.[1] ?? [])
        .filter((rule) =>
          new RegExp(
            `^${rule
              .replace(/[.+?^{}()|[\]\\]/g, '\\$&')
              .replaceAll('*', '.*')
              .replace(/\$(?!$)/g, '\\$')}`,
          ).test(path),
        )
        .map((rule) => rule.length),
    );
  const isClosed = (path: string) => longest('Disallow', path) > longest('Allow', path);
  for (const path of [
    '/studio',
    '/studio/clients',
    '/api/v1/users/artist/ana',
    '/api/v1/designs/x',
    '/ana/confirmation/x/',
    '/confirmation/x',
    '/login',
    '/signup',
    '/signup?from=x',
    '/recover-password',
    '/reset-password?token=x',
  ])
    expect([path, isClosed(path)]).toEqual([path, true]);
  for (const path of [
    '/',
    '/explore/',
    '/ana/',
    '/ana/scheduling?design=x',
    '/studio-ana/',
    '/studios-b',
    '/loginova/about',
    '/signup.1/',
    '/api.1/',
    '/media/x/1200.webp',
    '/api/v1/users/artist/ana/share-image?v=x',
    '/api/v1/designs/x/share-image?v=x',
    '/_astro/x.css',
    '/sitemap.xml',
  ])
    expect([path, isClosed(path)]).toEqual([path, false]);
});

test('the sitemap names the pages of artists who can be found, and their pictures, all there', async ({
  request,
  artist,
  managedArtist,
}) => {
  const unfinished = await newArtist({ scheduling_type: null });
  const [design] = await addDesigns(artist, ['Swallow & Rose']);
  await addPictures(artist, 1);
  const xml = await read(request, '/sitemap.xml', 'application/xml');
  const pages = listed(xml, 'loc');
  const home = `${publicUrl()}/${artist.username}/`;
  const own = ['', 'about', 'services', 'scheduling', 'contact'].map((rest) => home + rest);
  expect(pages.filter((url) => url.startsWith(home))).toEqual(own);
  expect(pages).toContain(`${publicUrl()}/`);
  expect(pages).toContain(`${publicUrl()}/explore/`);
  expect(pages).toContain(`${publicUrl()}/${managedArtist.username}/scheduling`);
  expect(pages).not.toContain(`${publicUrl()}/${managedArtist.username}/services`);
  expect(xml).not.toContain(`/${unfinished.username}/`);
  expect(xml).not.toContain('/cleo/');
  expect(new Set(pages).size).toBe(pages.length);

  const images = listed(xml, 'image:loc');
  expect(images).toContain(publicUrl() + design?.image.file_url);
  const ana = xml.slice(xml.indexOf('/ana/</loc>'), xml.indexOf('/ana/services</loc>'));
  for (const url of [...own, ...listed(ana, 'image:loc')]) {
    const answer = await request.get(reach(url));
    expect([url, answer.status()]).toEqual([url, 200]);
  }
  // One sitemap is enough here.
  expect((await request.get('/sitemaps/2.xml')).status()).toBe(404);
  for (const wrong of ['0', '01', 'x', '1e1', '-1'])
    expect([wrong, (await request.get(`/sitemaps/${wrong}.xml`)).status()]).toEqual([wrong, 404]);
});

test('what a browser and a home screen show is there in every size', async ({ page }) => {
  await page.goto('/ana/');
  for (const [rel, size] of [
    ['icon', null],
    ['apple-touch-icon', 180],
  ] as const)
    for (const link of await page.locator(`link[rel=${rel}]`).all()) {
      const href = (await link.getAttribute('href')) ?? '';
      const answer = await page.request.get(href);
      expect([href, answer.status()]).toEqual([href, 200]);
      expect(answer.headers()['content-type']).toMatch(/^image\//);
      if (size !== null) expect((await sharp(await answer.body()).metadata()).width).toBe(size);
    }
  const manifest = await page.locator('link[rel=manifest]').getAttribute('href');
  const text = await read(page.request, manifest ?? '', 'application/manifest+json');
  const { name, icons } = Manifest.parse(JSON.parse(text));
  expect(name).toBe('Linework');
  expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose ?? 'any'}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ]);
  for (const { src, sizes, type } of icons) {
    const answer = await page.request.get(src);
    expect(answer.headers()['content-type']).toBe(type);
    const { width, height } = await sharp(await answer.body()).metadata();
    expect(`${width}x${height}`).toBe(sizes);
  }
});

const Manifest = z.object({
  name: z.string(),
  start_url: z.literal('/'),
  icons: z.array(
    z.object({
      src: z.string(),
      sizes: z.string(),
      type: z.string(),
      purpose: z.optional(z.string()),
    }),
  ),
});

test.describe('with thousands of artists, under another name', () => {
  test.describe.configure({ mode: 'default', timeout: 90_000 });
  let stop: () => Promise<void>;

  test.beforeAll(async () => {
    test.setTimeout(240_000);
    stop = await serveInstead({ PRODUCT_NAME: 'Nadel & Co', SITE_URL: 'https://book.example.com' });
  });
  test.afterAll(() => stop());

  test('the sitemap is split beyond 10,000 addresses', async ({ request }) => {
    // With `ana` and `bo` these are one artist more than fit.
    await changeRows(
      `INSERT INTO artists (username, email, full_name, password_hash, scheduling_type, studio_id)
        SELECT 'many-' || n, n || '@example.com', 'Rosa Quint', 'none', 'service', studio_id
        FROM generate_series(1, 1998) AS n, artists WHERE username = 'ana'`,
      [],
    );
    const site = 'https://book.example.com';
    const index = await read(request, `${siteUrl()}/sitemap.xml`, 'application/xml');
    expect(index).toContain('<sitemapindex');
    const parts = listed(index, 'loc');
    expect(parts).toEqual([`${site}/sitemaps/1.xml`, `${site}/sitemaps/2.xml`]);
    const began = performance.now();
    const pages: string[] = [];
    for (const part of parts) {
      const xml = await read(request, part.replace(site, siteUrl()), 'application/xml');
      const named = listed(xml, 'loc');
      expect(named.length).toBeLessThanOrEqual(10_000);
      pages.push(...named);
    }
    console.log(`${pages.length} addresses in ${Math.round(performance.now() - began)} ms`);
    // `bo` sets the times, and has one page less.
    expect(pages).toHaveLength(2 + 5 * 2000 - 1);
    expect(new Set(pages).size).toBe(pages.length);
    expect((await request.get(`${siteUrl()}/sitemaps/3.xml`)).status()).toBe(404);
  });

  test('all addresses are of the public site, and its name is everywhere', async ({ request }) => {
    const html = await read(request, `${siteUrl()}/ana/`, 'text/html');
    expect(html).toContain('<link rel="canonical" href="https://book.example.com/ana/">');
    const [, text = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
    const things = readStructuredData(text);
    expect(text).not.toContain(siteUrl());
    expect(thingOf(things, 'BreadcrumbList').itemListElement[0]).toMatchObject({
      name: 'Nadel & Co',
      item: 'https://book.example.com/',
    });
    const robots = await read(request, `${siteUrl()}/robots.txt`, 'text/plain');
    expect(robots).toContain('Sitemap: https://book.example.com/sitemap.xml');
    const manifest = await read(request, `${siteUrl()}/manifest.webmanifest`, 'application/');
    expect(JSON.parse(manifest)).toMatchObject({ name: 'Nadel & Co', short_name: 'Nadel & Co' });
  });
});
