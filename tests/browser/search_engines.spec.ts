// These tests use only HTTP, without a browser.
import { expect, test } from '@playwright/test';
import type { Document as HtmlDocument } from 'happy-dom';
import sharp from 'sharp';
import * as z from 'zod/mini';
import { loadDemoArtist, newSiteArtist } from '#support/browser_api.ts';
import { addDesigns, addPictures } from '#support/browser_artwork.ts';
import { siteUrl } from '#support/browser_server.ts';
import {
  attributeOf,
  fetchPage,
  fetchSite,
  fetchText,
  listTagValues,
  textsOf,
} from '#support/html_page.ts';
import { findThing, parseStructuredData } from '#support/structured_data.ts';

/** The path of the page of one of ana's designs, and of one of her pictures. */
async function loadPathsWithIds() {
  const { designs, portfolio } = await loadDemoArtist('ana');
  return [`/ana/designs/${designs[1]?.id}`, `/ana/about/${portfolio[1]?.id}`] as const;
}

/** Indexed pages, with the path of their canonical URL. */
const PUBLIC_PAGES = {
  '/': '/',
  '/explore/': '/explore/',
  '/privacy': '/privacy/',
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

/** Pages that must not be indexed. */
const PRIVATE_PAGES = [
  '/login',
  '/signup',
  '/recover-password',
  '/reset-password?token=x',
  '/studio/services',
  '/studio/appointments',
  '/studio/profile',
  '/ana/contact?sent=1',
];

/** The site's origin in its pages. `npm start` uses `localhost` without SITE_URL. */
function publicUrl(): string {
  return siteUrl().replace('127.0.0.1', 'localhost');
}

/** The same URL at the origin that tests use. */
function toTestUrl(url: string): string {
  return url.replace(publicUrl(), siteUrl());
}

/** The contents of all meta elements, by name or property. */
function readMeta(document: HtmlDocument): Record<string, string[]> {
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

function readStructuredData(document: HtmlDocument) {
  const block = document.querySelector('script[type="application/ld+json"]');
  return parseStructuredData(block?.textContent ?? '');
}

async function readDocument(path: string): Promise<HtmlDocument> {
  const { status, document } = await fetchPage(path);
  expect([path, status]).toEqual([path, 200]);
  return document;
}

/** The size of a picture and its content type. */
async function measurePicture(path: string) {
  const response = await fetchSite(path);
  expect([path, response.status]).toEqual([path, 200]);
  const { width, height } = await sharp(await response.arrayBuffer()).metadata();
  return { type: response.headers.get('content-type') ?? '', width, height };
}

test('each public page has a unique title, a description, a canonical URL and Open Graph tags; private pages have noindex', async () => {
  const titles: string[] = [];
  const withIds = (await loadPathsWithIds()).map((path) => [path, path] as const);
  for (const [path, own] of [...Object.entries(PUBLIC_PAGES), ...withIds]) {
    const document = await readDocument(path);
    const head = readMeta(document);
    const title = titleOf(document);
    if (path !== '/Ana') titles.push(title);
    expect(head['robots'], path).toBeUndefined();
    expect(canonicalOf(document)).toBe(publicUrl() + own);
    const [description = ''] = head['description'] ?? [];
    expect(description.length, path).toBeGreaterThan(25);
    expect(head, path).toMatchObject({
      'og:url': [publicUrl() + own],
      'og:type': [/^\/((explore|privacy)\/)?$/.test(own) ? 'website' : 'profile'],
      'og:site_name': ['Linework'],
      'og:description': [description],
      'twitter:description': [description],
    });
    expect(title, path).toContain(head['og:title']?.[0]?.replace(/ · Linework$/, '') ?? '-');
    expect(head['twitter:title'], path).toEqual(head['og:title']);
  }
  expect(new Set(titles).size).toBe(titles.length);
  for (const path of PRIVATE_PAGES) {
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

test('the share image of each page exists, has its declared size and type, and has alt text', {
  tag: '@all',
}, async () => {
  const { designs } = await loadDemoArtist('bo');
  const [, design] = designs;
  if (!design) throw new Error('No designs');
  const card = (owner: string) => `${publicUrl()}/api/v1/${owner}/share-image?v=`;
  for (const [path, owner] of [
    ['/ana/', 'users/artist/ana'],
    ['/cleo/', 'users/artist/cleo'],
    [`/bo/scheduling?design=${design.id}`, `designs/${design.id}`],
    [`/bo/designs/${design.id}`, `designs/${design.id}`],
  ] as const) {
    const head = readMeta(await readDocument(path));
    const [url = ''] = head['og:image'] ?? [];
    expect(url, path).toContain(card(owner));
    expect(head, path).toMatchObject({
      'twitter:card': ['summary_large_image'],
      'twitter:image': [url],
    });
    expect(head['og:image:alt']?.[0], path).toMatch(/\S/);
    expect(head['twitter:image:alt']).toEqual(head['og:image:alt']);
    const { type, width, height } = await measurePicture(toTestUrl(url));
    expect(head, path).toMatchObject({
      'og:image:type': [type],
      'og:image:width': [String(width)],
      'og:image:height': [String(height)],
    });
    expect([path, width, height]).toEqual([path, 1200, 630]);
  }
  // Sharing the booking page of a design shares the design's own page.
  const document = await readDocument(`/bo/scheduling?design=${design.id}`);
  const head = readMeta(document);
  expect(head['og:url']).toEqual([`${publicUrl()}/bo/designs/${design.id}`]);
  expect(head['og:title']?.[0]).toContain(design.name);
  expect(head['og:image:alt']?.[0]).toContain(design.name);
  expect(canonicalOf(document)).toBe(`${publicUrl()}/bo/scheduling`);
});

test('the structured data of an artist’s pages matches what they show', {
  tag: '@all',
}, async () => {
  const { designs, services } = await loadDemoArtist('ana');
  const [designPath, picturePath] = await loadPathsWithIds();
  const breadcrumbsOf = (things: ReturnType<typeof readStructuredData>) =>
    findThing(things, 'BreadcrumbList').itemListElement.map(({ item }) =>
      item.slice(publicUrl().length),
    );
  for (const rest of ['', 'about', 'services', 'contact', 'scheduling']) {
    const document = await readDocument(`/ana/${rest}`);
    const things = readStructuredData(document);
    const parlor = findThing(things, 'TattooParlor');
    const person = findThing(things, 'Person');
    expect(parlor.employee['@id']).toBe(person['@id']);
    expect(person.worksFor['@id']).toBe(parlor['@id']);
    expect(person.url).toBe(`${publicUrl()}/ana/`);
    expect(parlor.image).toMatch(/\/media\/.+\.webp$/);
    for (const profile of person.sameAs ?? [])
      expect(document.querySelector(`a[href="${profile}"]`), profile).not.toBeNull();
    expect(breadcrumbsOf(things)).toEqual([
      ...['/', '/ana/'],
      ...(rest === '' ? [] : [`/ana/${rest}`]),
    ]);
  }

  const list = findThing(readStructuredData(await readDocument('/ana/services')), 'ItemList');
  expect(list.itemListElement.map(({ item }) => item.name)).toEqual(
    services.map(({ name }) => name),
  );
  const home = readStructuredData(await readDocument('/ana/'));
  const offers = home.filter((thing) => thing['@type'] === 'Offer');
  expect(offers.map(({ itemOffered }) => itemOffered.name)).toEqual(
    designs.map(({ name }) => name),
  );
  await readDocument(toTestUrl(offers[0]?.url ?? ''));

  const ofDesign = readStructuredData(await readDocument(designPath));
  expect(findThing(ofDesign, 'Offer').itemOffered.url).toBe(publicUrl() + designPath);
  expect(breadcrumbsOf(ofDesign)).toEqual(['/', '/ana/', designPath]);
  const ofPicture = readStructuredData(await readDocument(picturePath));
  expect(findThing(ofPicture, 'ImageObject').contentUrl).toMatch(/\/media\//);
  expect(breadcrumbsOf(ofPicture)).toEqual(['/', '/ana/', '/ana/about', picturePath]);
});

test('robots.txt disallows only private pages and the API, and names the sitemap', {
  tag: '@all',
}, async () => {
  const text = await fetchText('/robots.txt', 'text/plain');
  const lines = text.split('\n');
  expect(lines[0]).toBe('User-agent: *');
  expect(lines).toContain(`Sitemap: ${publicUrl()}/sitemap.xml`);
  // RFC 9309, 2.2.2 and 2.2.3: the longest matching rule applies.
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
  const isDisallowed = (path: string) => longest('Disallow', path) > longest('Allow', path);
  for (const path of [
    '/studio',
    '/studio/clients',
    '/api/v1/users/artist/ana',
    '/ana/confirmation/x/',
    '/confirmation/x',
    '/login',
    '/signup',
    '/reset-password?token=x',
  ])
    expect([path, isDisallowed(path)]).toEqual([path, true]);
  for (const path of [
    '/',
    '/ana/scheduling?design=x',
    '/ana/designs/x',
    '/studio-ana/',
    '/loginova/about',
    '/signup.1/',
    '/media/x/1200.webp',
    '/api/v1/users/artist/ana/share-image?v=x',
    '/api/v1/designs/x/share-image?v=x',
    '/sitemap.xml',
  ])
    expect([path, isDisallowed(path)]).toEqual([path, false]);
});

test('the sitemap lists the pages and pictures of artists with a booking type, and they exist', {
  tag: '@all',
}, async () => {
  const [artist, managedArtist, unfinished] = await Promise.all([
    newSiteArtist(),
    newSiteArtist({ scheduling_type: 'managed' }),
    newSiteArtist({ scheduling_type: null }),
  ]);
  const [design] = await addDesigns(artist, ['Swallow & Rose']);
  await addPictures(artist, 1);
  const xml = await fetchSitemap();
  const pages = listTagValues(xml, 'loc');
  const home = `${publicUrl()}/${artist.username}/`;
  const own = [...['', 'about', 'services', 'scheduling', 'contact'], `designs/${design?.id}`].map(
    (rest) => home + rest,
  );
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
    const { status } = await fetchSite(toTestUrl(url));
    expect([url, status]).toEqual([url, 200]);
  }
});

test('the icons and the web app manifest exist with their declared sizes', {
  tag: '@all',
}, async () => {
  const document = await readDocument('/ana/');
  const icons = [...document.querySelectorAll('link[rel=icon]')];
  expect(icons.length).toBeGreaterThan(0);
  for (const icon of icons) {
    const { status, headers } = await fetchSite(icon.getAttribute('href') ?? '');
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)]);
  }
  const appleTouchIcon = attributeOf(document, 'link[rel=apple-touch-icon]', 'href') ?? '';
  expect(await measurePicture(appleTouchIcon)).toMatchObject({ width: 180, height: 180 });

  const manifest = attributeOf(document, 'link[rel=manifest]', 'href') ?? '';
  const text = await fetchText(manifest, 'application/manifest+json');
  const { name, icons: manifestIcons } = Manifest.parse(JSON.parse(text));
  expect(name).toBe('Linework');
  expect(manifestIcons.map(({ sizes, purpose }) => `${sizes} ${purpose ?? 'any'}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ]);
  for (const { src, sizes, type } of manifestIcons) {
    const { width, height, type: actualType } = await measurePicture(src);
    expect([actualType, `${width}x${height}`]).toEqual([type, sizes]);
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

/** The site's sitemap; all its parts, one after the other, when it is an index. */
async function fetchSitemap(): Promise<string> {
  const xml = await fetchText('/sitemap.xml', 'application/xml');
  if (!xml.includes('<sitemapindex')) return xml;
  const parts = listTagValues(xml, 'loc').map((url) => new URL(url).pathname);
  return (await Promise.all(parts.map((path) => fetchText(path, 'application/xml')))).join('');
}
