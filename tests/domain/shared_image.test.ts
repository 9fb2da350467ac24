import { expect, test } from 'vitest';
import type { Design } from '#contract/design.ts';
import { artistCard, designCard } from '#layouts/shared_image.ts';
import { ROSA_QUINT as ROSA } from '#support/rosa.ts';
import { siteSettings } from '../../src/settings.ts';

const SWALLOW: Design = {
  id: 'd1',
  name: 'Swallow',
  description: '',
  status: 'available',
  image: {
    id: 'i1',
    file_url: '/media/i1/1200.webp',
    title: 'Swallow',
    width: 1200,
    height: 1500,
    sources: [],
    placeholder: null,
  },
};
const SITE = settingsOf({ SITE_URL: 'https://book.example.com/' });

test('cards are at the public API, or else at the site, in full', () => {
  const apart = settingsOf({ PUBLIC_API_URL: 'https://api.example.com/' });
  expect(artistCard(ROSA, [], SITE).url).toMatch(
    /^https:\/\/book\.example\.com\/api\/v1\/users\/artist\/rosa_ink\/share-image\?v=\w+$/,
  );
  expect(designCard(ROSA, SWALLOW, apart).url).toMatch(
    /^https:\/\/api\.example\.com\/api\/v1\/designs\/d1\/share-image\?v=\w+$/,
  );
});

test('the address changes with anything that the card shows, and with nothing else', () => {
  const { studio } = ROSA;
  const { image } = SWALLOW;
  const addresses = [
    artistCard(ROSA, [], SITE),
    artistCard(ROSA, [image], SITE),
    artistCard(ROSA, [{ ...image, file_url: '/media/i2/1200.webp' }], SITE),
    artistCard({ ...ROSA, full_name: 'Rosa Reyes' }, [], SITE),
    artistCard({ ...ROSA, avatar_url: '/media/i3/400.webp' }, [], SITE),
    artistCard({ ...ROSA, studio: { ...studio, city: 'Boston' } }, [], SITE),
    artistCard(ROSA, [], { ...SITE, productName: 'Nadel' }),
    designCard(ROSA, SWALLOW, SITE),
    designCard(ROSA, { ...SWALLOW, name: 'Two swallows' }, SITE),
  ].map(({ url }) => url);
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(artistCard({ ...ROSA, about_me: 'Birds.' }, [], SITE).url).toBe(addresses[0]);
  expect(designCard(ROSA, { ...SWALLOW, status: 'claimed' }, SITE).url).toBe(addresses[7]);
});

function settingsOf(environment: Readonly<Record<string, string>>) {
  return siteSettings((name) => environment[name], 'https://x.example.com');
}
