// An artist who sets no prices, facts of designs or policies has the pages of the version before those
// existed. That version rendered the files in `pages_without_prices`. These tests use only HTTP.
// After a wanted change of these pages, edit the files by hand: the failure shows each changed line.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Design } from '#contract/design.ts';
import { callSite, newSiteArtist } from '#support/browser_api.ts';
import { addDesigns, addPictures } from '#support/browser_artwork.ts';
import { expectOk } from '#support/call_api.ts';
import { fetchPage } from '#support/html_page.ts';
import type { ArtistOptions, TestArtist } from '#support/new_artist.ts';

const FOLDER = join(import.meta.dirname, 'pages_without_prices');

/** Each text, by the order of its first appearance, with a number in its place. */
function numbered(html: string, pattern: RegExp, name: string): string {
  const texts = [...new Set(html.match(pattern))];
  return html.replace(pattern, (text) => `${name}-${texts.indexOf(text) + 1}`);
}

/** The HTML without what differs from site to site and from build to build; one element a line. */
function normalize(html: string, { username }: TestArtist): string {
  const plain = html
    .replaceAll(username, 'someone')
    .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):\d+/g, 'http://site')
    .replaceAll(/(share-image\?v=)\w+/g, '$1version')
    .replaceAll(/(\/_astro\/[\w.-]+?)\.[\w-]{8}\.(css|js|svg|woff2)/g, '$1.$2')
    // An encoder may differ from machine to machine.
    .replaceAll(/data:image\/webp;base64,[\w+/=]+/g, 'data:placeholder')
    .replaceAll(/<source type="image\/avif"[^<]*/g, '')
    .replaceAll(/<script>.*?<\/script>/gs, '<script></script>')
    // The properties of an island; what it renders is compared.
    .replaceAll(/(<astro-island)(?: [\w-]+(?:="[^"]*")?)*>/g, '$1>')
    .replaceAll('><', '>\n<');
  const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
  return numbered(numbered(plain, uuid, 'id'), /_R_\w*_/g, 'react');
}

/** React names the fields of an island by where their components are. */
function withoutFieldIds(html: string): string {
  return numbered(html, /_r\d+R_[a-z\d]+_/g, 'field');
}

async function expectAsBefore(artist: TestArtist, path: string, name: string): Promise<void> {
  const { status, html } = await fetchPage(`/${artist.username}/${path}`);
  expect([path, status]).toEqual([path, 200]);
  const before = readFileSync(join(FOLDER, `${name}.txt`), 'utf8');
  expect(withoutFieldIds(`${normalize(html, artist)}\n`), name).toBe(withoutFieldIds(before));
}

/** Two designs that clients can book, and one that is claimed. */
async function addDesignsToBookAndClaimed(artist: TestArtist): Promise<readonly Design[]> {
  const designs = await addDesigns(artist, ['Swallow', 'Panther', 'Moth']);
  const change = (index: number, json: object) =>
    expectOk(callSite(`PATCH /designs/${designs[index]?.id}`, { token: artist.token, json }));
  await change(1, { description: 'Bold lines.\nFits a forearm.' });
  await change(2, { status: 'claimed' });
  return designs;
}

test('an artist without prices has the pages of before: designs, their pages, services and booking', async () => {
  const artist = await newSiteArtist();
  await expectAsBefore(artist, '', 'services_instead_of_designs');
  await expectAsBefore(artist, 'scheduling', 'scheduling');
  const [, panther, moth] = await addDesignsToBookAndClaimed(artist);
  await addPictures(artist, 1);
  await expectAsBefore(artist, '', 'designs');
  await expectAsBefore(artist, `designs/${panther?.id}`, 'design');
  await expectAsBefore(artist, `designs/${moth?.id}`, 'claimed_design');
  await expectAsBefore(artist, 'services', 'services');
  await expectAsBefore(artist, 'about', 'about');
  await expectAsBefore(artist, `scheduling?design=${panther?.id}`, 'scheduling_of_design');
});

test('an artist without prices who answers requests has the pages of before', async () => {
  const setup: ArtistOptions = { scheduling_type: 'managed' };
  const artist = await newSiteArtist(setup);
  await expectAsBefore(artist, '', 'requests_instead_of_designs');
  await expectAsBefore(artist, 'scheduling', 'request');
  const [swallow] = await addDesignsToBookAndClaimed(artist);
  await expectAsBefore(artist, '', 'designs_on_request');
  await expectAsBefore(artist, `scheduling?design=${swallow?.id}`, 'request_of_design');
});
