// These tests use only HTTP, without a browser.
import { expect, test } from '@playwright/test';
import type { Document as HtmlDocument } from 'happy-dom';
import sharp from 'sharp';
import { loadDemoArtist } from '#support/browser_api.ts';
import { siteUrl } from '#support/browser_server.ts';
import { attributeOf, fetchPage, fetchSite, fetchText, textsOf } from '#support/html_page.ts';

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
  '/ana/contact?sent=1',
];

/** The site's origin in its pages. `npm start` uses `localhost` without SITE_URL. */
function publicUrl(): string {
  return siteUrl().replace('127.0.0.1', 'localhost');
}

/** The content of a meta element, by its name or property. */
const metaOf = (document: HtmlDocument, name: string) =>
  attributeOf(document, `meta[name="${name}"], meta[property="${name}"]`, 'content');

/** The types of the things that the page describes for search engines, each once. */
function readTypes(document: HtmlDocument): readonly string[] {
  const block = document.querySelector('script[type="application/ld+json"]');
  if (!block) return [];
  const things: { '@graph': { '@type': string }[] } = JSON.parse(block.textContent);
  return [...new Set(things['@graph'].map((thing) => thing['@type']))];
}

/** The content type of a picture and its size. */
async function measurePicture(path: string): Promise<string> {
  const response = await fetchSite(path);
  expect([path, response.status]).toEqual([path, 200]);
  const { width, height } = await sharp(await response.arrayBuffer()).metadata();
  return `${response.headers.get('content-type')} ${width}x${height}`;
}

test('each public page has a unique title, a description, a canonical URL and Open Graph tags; private pages have noindex', async () => {
  const titles: string[] = [];
  const types: Record<string, string> = {};
  const { designs, portfolio } = await loadDemoArtist('ana');
  const design = `/ana/designs/${designs[1]?.id}`;
  const picture = `/ana/about/${portfolio[1]?.id}`;
  for (const [path, own] of Object.entries({
    ...PUBLIC_PAGES,
    [design]: design,
    [picture]: picture,
  })) {
    const { status, document } = await fetchPage(path);
    expect([path, status]).toEqual([path, 200]);
    const head = (name: string) => metaOf(document, name);
    const title = textsOf(document, 'head > title').join();
    if (path !== '/Ana') titles.push(title);
    types[own] = readTypes(document).join(' ');
    const url = publicUrl() + own;
    expect([head('og:url'), attributeOf(document, 'link[rel=canonical]', 'href')]).toEqual([
      url,
      url,
    ]);
    expect(head('robots'), path).toBeNull();
    expect(head('description')?.length, path).toBeGreaterThan(25);
    expect(head('og:description'), path).toBe(head('description'));
    expect(title, path).toContain(head('og:title')?.replace(/ · Linework$/, '') ?? '-');
    const isOfSite = /^\/((explore|privacy)\/)?$/.test(own);
    expect(head('og:type'), path).toBe(isOfSite ? 'website' : 'profile');
    if (!isOfSite) expect(head('og:image'), path).toMatch(/\/api\/v1\/.+\/share-image\?v=\w+$/);
  }
  expect(new Set(titles).size).toBe(titles.length);
  expect(types).toMatchObject({
    '/': '',
    '/ana/': 'TattooParlor Person BreadcrumbList ImageGallery Offer',
    '/ana/about': 'TattooParlor Person BreadcrumbList ImageGallery',
    '/ana/services': 'TattooParlor Person BreadcrumbList ItemList',
    '/bo/scheduling': 'TattooParlor Person BreadcrumbList',
    [design]: 'TattooParlor Person BreadcrumbList Offer ImageObject',
    [picture]: 'TattooParlor Person BreadcrumbList ImageObject',
  });
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

test('sharing the booking page of a design shares the page of the design; search engines read the booking page', {
  tag: '@all',
}, async () => {
  const { designs } = await loadDemoArtist('bo');
  const { document } = await fetchPage(`/bo/scheduling?design=${designs[0]?.id}`);
  expect(metaOf(document, 'og:url')).toBe(`${publicUrl()}/bo/designs/${designs[0]?.id}`);
  expect(metaOf(document, 'og:title')).toContain(designs[0]?.name);
  const canonical = attributeOf(document, 'link[rel=canonical]', 'href');
  expect(canonical).toBe(`${publicUrl()}/bo/scheduling`);
});

test('robots.txt disallows private pages and names the sitemap, which lists the public pages of artists', {
  tag: '@all',
}, async () => {
  const robots = (await fetchText('/robots.txt', 'text/plain')).split('\n');
  expect(robots).toEqual(
    expect.arrayContaining([
      ...['User-agent: *', `Sitemap: ${publicUrl()}/sitemap.xml`],
      ...['Allow: /api/v1/users/artist/*/share-image', 'Disallow: /api/', 'Disallow: /studio/'],
      ...['Disallow: /*/confirmation/', 'Disallow: /login$'],
    ]),
  );
  const sitemap = await fetchText('/sitemap.xml', 'application/xml');
  for (const page of ['/', '/ana/', '/ana/about', '/ana/services', '/bo/scheduling'])
    expect(sitemap).toContain(`<loc>${publicUrl()}${page}</loc>`);
  expect(sitemap).toContain(`<image:loc>${publicUrl()}/media/`);
  expect(sitemap).not.toContain('/cleo/');
});

test('the icons and the web app manifest exist with their declared sizes', {
  tag: '@all',
}, async () => {
  const { document } = await fetchPage('/ana/');
  const icons = [...document.querySelectorAll('link[rel=icon]')];
  expect(icons.length).toBeGreaterThan(0);
  for (const icon of icons) {
    const { status, headers } = await fetchSite(icon.getAttribute('href') ?? '');
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)]);
  }
  const appleTouchIcon = attributeOf(document, 'link[rel=apple-touch-icon]', 'href') ?? '';
  expect(await measurePicture(appleTouchIcon)).toBe('image/png 180x180');
  const path = attributeOf(document, 'link[rel=manifest]', 'href') ?? '';
  const manifest: {
    readonly name: string;
    readonly icons: readonly {
      readonly src: string;
      readonly sizes: string;
      readonly type: string;
    }[];
  } = JSON.parse(await fetchText(path, 'application/manifest+json'));
  expect(manifest).toMatchObject({ name: 'Linework', start_url: '/' });
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512', '512x512']);
  for (const { src, sizes, type } of manifest.icons)
    expect(await measurePicture(src)).toBe(`${type} ${sizes}`);
});
