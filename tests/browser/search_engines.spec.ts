// Over HTTP alone: no test here needs a browser.
import { expect, test } from '@playwright/test';
import type { Document as HtmlDocument } from 'happy-dom';
import sharp from 'sharp';
import * as z from 'zod/mini';
import { callSite, loadDemoArtist, newSiteArtist } from '#support/browser_api.ts';
import { addDesigns, addPictures } from '#support/browser_artwork.ts';
import { siteUrl } from '#support/browser_server.ts';
import { expectOk } from '#support/call_api.ts';
import {
  attributeOf,
  fetchPage,
  fetchSite,
  fetchText,
  listTagValues,
  textsOf,
} from '#support/html_page.ts';
import { findThing, parseStructuredData } from '#support/structured_data.ts';

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
function said(document: HtmlDocument): Record<string, string[]> {
  const pairs = [...document.querySelectorAll('head meta[content]')].map((meta) => [
    meta.getAttribute('property') ?? meta.getAttribute('name') ?? '',
    meta.getAttribute('content') ?? '',
  ]);
  return Object.fromEntries(
    Object.entries(Object.groupBy(pairs, ([name = '']) => name)).map(([name, found = []]) => [
      name,
      found.map(([, content = '']) => content),
    ]),
  );
}

const titleOf = (document: HtmlDocument) => textsOf(document, 'head > title').join();
const canonicalOf = (document: HtmlDocument) =>
  attributeOf(document, 'link[rel=canonical]', 'href');

function described(document: HtmlDocument) {
  const block = document.querySelector('script[type="application/ld+json"]');
  return parseStructuredData(block?.textContent ?? '');
}

async function readDocument(address: string): Promise<HtmlDocument> {
  const { status, document } = await fetchPage(address);
  expect([address, status]).toEqual([address, 200]);
  return document;
}

/** The size of a picture, and the type it is sent as. */
async function measure(address: string) {
  const answer = await fetchSite(address);
  expect([address, answer.status]).toEqual([address, 200]);
  const { width, height } = await sharp(await answer.arrayBuffer()).metadata();
  return { type: answer.headers.get('content-type') ?? '', width, height };
}

test('each public page has a title, a description, one address, and says all where it is shared', async () => {
  const titles: string[] = [];
  for (const [path, own] of Object.entries(PUBLIC_PAGES)) {
    const document = await readDocument(path);
    const head = said(document);
    const title = titleOf(document);
    if (path !== '/Ana') titles.push(title);
    expect(head['robots'], path).toBeUndefined();
    expect(canonicalOf(document)).toBe(publicUrl() + own);
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

test('the card that is shared is there, as large as it is said to be, and described', async () => {
  const { designs } = await loadDemoArtist('bo');
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
    const head = said(await readDocument(path));
    const [url = ''] = head['og:image'] ?? [];
    expect(url, path).toContain(card(whose));
    expect(head, path).toMatchObject({
      'twitter:card': ['summary_large_image'],
      'twitter:image': [url],
    });
    expect(head['og:image:alt']?.[0], path).toMatch(/\S/);
    expect(head['twitter:image:alt']).toEqual(head['og:image:alt']);
    const { type, width, height } = await measure(reach(url));
    expect(head, path).toMatchObject({
      'og:image:type': [type],
      'og:image:width': [String(width)],
      'og:image:height': [String(height)],
    });
    expect([path, width, height]).toEqual([path, 1200, 630]);
  }
  // Whoever shares a design shares it, and search engines count one page.
  const document = await readDocument(`/bo/scheduling?design=${design.id}`);
  const head = said(document);
  expect(head['og:url']).toEqual([`${publicUrl()}/bo/scheduling?design=${design.id}`]);
  expect(head['og:title']?.[0]).toContain(design.name);
  expect(head['og:image:alt']?.[0]).toContain(design.name);
  expect(canonicalOf(document)).toBe(`${publicUrl()}/bo/scheduling`);
});

test('a card is at another address once what it shows has changed', async () => {
  const artist = await newSiteArtist();
  const { username, token } = artist;
  const [design] = await addDesigns(artist, ['Swallow']);
  const shared = async () => {
    const urls: (string | undefined)[] = [];
    for (const path of [`/${username}/`, `/${username}/scheduling?design=${design?.id}`]) {
      urls.push(said(await readDocument(path))['og:image']?.[0]);
    }
    return urls;
  };
  const first = await shared();
  expect(first.join(' ')).toMatch(/share-image\?v=\w+ .*share-image\?v=\w+/);
  expect(await shared()).toEqual(first);
  await expectOk(
    callSite(`PATCH /designs/${design?.id}`, { token, json: { name: 'Two swallows' } }),
  );
  const renamed = await shared();
  expect([renamed[0], renamed[1] === first[1]]).toEqual([first[0], false]);
  await addDesigns(artist, ['Anchor']);
  const added = await shared();
  expect([added[0] === first[0], added[1]]).toEqual([false, renamed[1]]);
  await expectOk(callSite('PATCH /users/me', { token, json: { full_name: 'Rosa Quint-Reyes' } }));
  for (const [index, url] of (await shared()).entries()) expect(url).not.toBe(added[index]);
});

test('pages that are for one person are not indexed, shared or described', async () => {
  for (const path of CLOSED_PAGES) {
    const { status, html } = await fetchPage(path);
    expect([path, status]).toEqual([path, 200]);
    expect(html, path).toContain('<meta name="robots" content="noindex">');
    expect(html, path).not.toContain('application/ld+json');
    if (!path.includes('?sent')) {
      expect(html, path).not.toContain('rel="canonical"');
      expect(html, path).not.toContain('og:');
    }
  }
});

test('the studio, the artist and the way to the page are described on each of their pages', async () => {
  const self = (await expectOk(callSite<{ full_name: string }>('GET /users/artist/ana'))).full_name;
  for (const rest of ['', 'about', 'services', 'contact', 'scheduling']) {
    const document = await readDocument(`/ana/${rest}`);
    const things = described(document);
    const parlor = findThing(things, 'TattooParlor');
    const person = findThing(things, 'Person');
    expect(parlor.employee['@id']).toBe(person['@id']);
    expect(person.worksFor['@id']).toBe(parlor['@id']);
    expect(person).toMatchObject({ name: self, url: `${publicUrl()}/ana/` });
    expect(parlor.image).toMatch(/\/media\/.+\.webp$/);
    for (const profile of person.sameAs ?? [])
      expect(document.querySelector(`a[href="${profile}"]`), profile).not.toBeNull();
    const { itemListElement: way } = findThing(things, 'BreadcrumbList');
    expect(way.map(({ item }) => item)).toEqual(
      [`/`, `/ana/`, ...(rest === '' ? [] : [`/ana/${rest}`])].map((path) => publicUrl() + path),
    );
  }
});

test('services, galleries and offers are those that the page shows', async () => {
  const { designs, services } = await loadDemoArtist('ana');
  const list = findThing(
    described(await readDocument('/ana/services')),
    'ItemList',
  ).itemListElement;
  expect(list.map(({ item }) => item.name)).toEqual(services.map(({ name }) => name));

  const things = described(await readDocument('/ana/'));
  const offers = things.filter((thing) => thing['@type'] === 'Offer');
  expect(offers.map(({ itemOffered }) => itemOffered.name)).toEqual(
    designs.map(({ name }) => name),
  );
  expect(findThing(things, 'ImageGallery').image.map(({ contentUrl }) => contentUrl)).toEqual(
    designs.map(({ image }) => publicUrl() + image.file_url),
  );
  await readDocument(reach(offers[0]?.url ?? ''));

  const about = await readDocument('/ana/about');
  const { image } = findThing(described(about), 'ImageGallery');
  expect(about.querySelectorAll('.masonry img')).toHaveLength(image.length);
});

test('robots may look everywhere but where it is of no use, and find the sitemap', async () => {
  const text = await fetchText('/robots.txt', 'text/plain');
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

test('the sitemap names the pages of artists who can be found, and their pictures, all there', async () => {
  const [artist, managedArtist, unfinished] = await Promise.all([
    newSiteArtist(),
    newSiteArtist({ scheduling_type: 'managed' }),
    newSiteArtist({ scheduling_type: null }),
  ]);
  const [design] = await addDesigns(artist, ['Swallow & Rose']);
  await addPictures(artist, 1);
  const xml = await fetchText('/sitemap.xml', 'application/xml');
  const pages = listTagValues(xml, 'loc');
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

  const images = listTagValues(xml, 'image:loc');
  expect(images).toContain(publicUrl() + design?.image.file_url);
  const ana = xml.slice(xml.indexOf('/ana/</loc>'), xml.indexOf('/ana/services</loc>'));
  for (const url of [...own, ...listTagValues(ana, 'image:loc')]) {
    const { status } = await fetchSite(reach(url));
    expect([url, status]).toEqual([url, 200]);
  }
  // One sitemap is enough here.
  for (const wrong of ['2', '0', '01', 'x', '1e1', '-1']) {
    const { status } = await fetchSite(`/sitemaps/${wrong}.xml`);
    expect([wrong, status]).toEqual([wrong, 404]);
  }
});

test('what a browser and a home screen show is there in every size', async () => {
  const document = await readDocument('/ana/');
  const icons = [...document.querySelectorAll('link[rel=icon]')];
  expect(icons.length).toBeGreaterThan(0);
  for (const icon of icons) {
    const { status, headers } = await fetchSite(icon.getAttribute('href') ?? '');
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)]);
  }
  const onHomeScreens = attributeOf(document, 'link[rel=apple-touch-icon]', 'href') ?? '';
  expect(await measure(onHomeScreens)).toMatchObject({ width: 180, height: 180 });

  const manifest = attributeOf(document, 'link[rel=manifest]', 'href') ?? '';
  const text = await fetchText(manifest, 'application/manifest+json');
  const { name, icons: ofManifest } = Manifest.parse(JSON.parse(text));
  expect(name).toBe('Linework');
  expect(ofManifest.map(({ sizes, purpose }) => `${sizes} ${purpose ?? 'any'}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ]);
  for (const { src, sizes, type } of ofManifest) {
    const { width, height, type: sent } = await measure(src);
    expect([sent, `${width}x${height}`]).toEqual([type, sizes]);
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
