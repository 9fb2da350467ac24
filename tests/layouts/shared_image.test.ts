import { expect, test } from 'vitest';
import { artistShareImage, designShareImage } from '#layouts/share_image.ts';
import { createDesign } from '#support/design_facts.ts';
import { ROSA_ARTIST as ROSA } from '#support/sample_people.ts';
import { readSiteSettings } from '../../src/site_settings.ts';

const SWALLOW = createDesign('d1');
const SITE = settingsOf({ SITE_URL: 'https://book.example.com/' });

test('share image URLs are absolute, on the public API or else on the site', () => {
  const separateApi = settingsOf({ PUBLIC_API_URL: 'https://api.example.com/' });
  expect(artistShareImage(ROSA, [], SITE).url).toMatch(
    /^https:\/\/book\.example\.com\/api\/v1\/users\/artist\/rosa_ink\/share-image\?v=\w+$/,
  );
  expect(designShareImage(ROSA, SWALLOW, separateApi).url).toMatch(
    /^https:\/\/api\.example\.com\/api\/v1\/designs\/d1\/share-image\?v=\w+$/,
  );
});

test('the share image URL changes with what the card shows, and only then', () => {
  const { studio } = ROSA;
  const { image } = SWALLOW;
  const urls = [
    artistShareImage(ROSA, [], SITE),
    artistShareImage(ROSA, [image], SITE),
    artistShareImage(ROSA, [{ ...image, file_url: '/media/i2/1200.webp' }], SITE),
    artistShareImage({ ...ROSA, full_name: 'Rosa Reyes' }, [], SITE),
    artistShareImage({ ...ROSA, avatar_url: '/media/i3/400.webp' }, [], SITE),
    artistShareImage({ ...ROSA, studio: { ...studio, city: 'Boston' } }, [], SITE),
    artistShareImage(ROSA, [], { ...SITE, productName: 'Nadel' }),
    designShareImage(ROSA, SWALLOW, SITE),
    designShareImage(ROSA, { ...SWALLOW, name: 'Two swallows' }, SITE),
  ].map(({ url }) => url);
  expect(new Set(urls).size).toBe(urls.length);
  expect(artistShareImage({ ...ROSA, about_me: 'Birds.' }, [], SITE).url).toBe(urls[0]);
  expect(designShareImage(ROSA, { ...SWALLOW, status: 'claimed' }, SITE).url).toBe(urls[7]);
});

function settingsOf(environment: Readonly<Record<string, string>>) {
  return readSiteSettings((name) => environment[name], 'https://x.example.com');
}
