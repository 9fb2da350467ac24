import type { Thing } from 'schema-dts';
import { expect, test } from 'vitest';
import type { Artist } from '#contract/artist.ts';
import type { Design } from '#contract/design.ts';
import type { Price } from '#domain/money/price.ts';
import {
  describeArtist,
  describeBreadcrumbs,
  describeDesign,
  describeGallery,
  describeOffers,
  describeServices,
  toJsonLd,
} from '#layouts/structured_data.ts';
import { createDesign } from '#support/design_facts.ts';
import { ROSA_ARTIST as ROSA } from '#support/sample_people.ts';

const SITE = 'https://book.example.com';
const { id: ID } = ROSA;

/** Reads the things of a page as a search engine does: each @id has one definition. */
function writeAndRead(things: readonly Thing[]): readonly Record<string, unknown>[] {
  const text = toJsonLd(things, SITE);
  const ids = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, id]) => id);
  const defined = ids(/"@type":"\w+","@id":"([^"]+)"/g);
  expect(defined).toHaveLength(new Set(defined).size);
  expect(defined).toEqual(expect.arrayContaining(ids(/\{"@id":"([^"]+)"\}/g)));
  return JSON.parse(text)['@graph'];
}

const ofType = (things: readonly Record<string, unknown>[], type: string) =>
  things.filter((thing) => thing['@type'] === type);

test('an artist without optional details has no empty properties', () => {
  const [studio, person] = writeAndRead(describeArtist(ROSA, null));
  expect(person).toEqual({
    '@type': 'Person',
    '@id': 'https://book.example.com/rosa_ink/#artist',
    name: 'Rosa Quint',
    alternateName: 'rosa_ink',
    jobTitle: 'Tattoo artist',
    url: 'https://book.example.com/rosa_ink/',
    worksFor: { '@id': 'https://book.example.com/rosa_ink/#studio' },
  });
  expect(studio).not.toHaveProperty('image');
});

test('absolute picture URLs stay unchanged, and relative ones get the origin of the site', () => {
  const avatar_url = 'https://images.example.com/1/400.webp';
  const path = `/media/${ID}/1200.webp`;
  const [studio, person] = writeAndRead(describeArtist({ ...ROSA, avatar_url }, path));
  expect([person?.['image'], studio?.['image']]).toEqual([avatar_url, SITE + path]);
});

test('text of an artist cannot close the script element (HTML escaping)', () => {
  const about_me = '</script><script>alert(1)</script><!-- <script>","url":"/';
  const things = describeArtist({ ...ROSA, about_me }, null);
  expect(toJsonLd(things, SITE)).not.toContain('<');
  expect(writeAndRead(things)[1]?.['description']).toBe(about_me);
});

test('there are no offers while bookings are closed, and no empty lists', () => {
  const closed = { ...ROSA, taking_bookings: false };
  expect(describeOffers(closed, [createDesign('d1')])).toEqual([]);
  expect(describeServices(ROSA, [])).toEqual([]);
  expect(describeGallery(ROSA, { name: 'Tattoos', path: '/rosa_ink/about' }, [])).toEqual([]);
});

test('a design on its own page has its picture; it is an offer only while it can be booked', () => {
  const design = createDesign('d1');
  const describe = (artist: Artist, shown: Design) =>
    writeAndRead([...describeArtist(artist, null), ...describeDesign(artist, shown)]);
  const [, , offer, picture] = describe(ROSA, design);
  const url = `${SITE}/rosa_ink/designs/${design.id}`;
  expect(offer).toMatchObject({ '@type': 'Offer', itemOffered: { '@type': 'VisualArtwork', url } });
  expect(picture?.['contentUrl']).toBe(SITE + design.image.file_url);
  for (const unbookable of [
    describe({ ...ROSA, taking_bookings: false }, design),
    describe(ROSA, { ...design, status: 'claimed' }),
    describe(ROSA, { ...design, editions: 1, left: 0 }),
  ])
    expect(unbookable[2]).toEqual(offer?.['itemOffered']);
});

const EUR = { currency: 'EUR', amount_to: null } as const;
const inEuros = (range: object) => ({
  priceSpecification: { '@type': 'PriceSpecification', ...range, priceCurrency: 'EUR' },
});

/** Prices, and what a search engine reads of each. */
const PRICES: readonly (readonly [price: Price | null, read: object])[] = [
  [null, {}],
  [{ ...EUR, kind: 'ask', amount: null }, {}],
  [
    { ...EUR, kind: 'fixed', amount: 15050 },
    { price: '150.50', priceCurrency: 'EUR' },
  ],
  [
    { ...EUR, kind: 'fixed', amount: 0 },
    { price: '0.00', priceCurrency: 'EUR' },
  ],
  [
    { ...EUR, kind: 'fixed', amount: 15000, currency: 'JPY' },
    { price: '15000', priceCurrency: 'JPY' },
  ],
  [{ ...EUR, kind: 'from', amount: 15050 }, inEuros({ minPrice: 150.5 })],
  [
    { ...EUR, kind: 'range', amount: 15000, amount_to: 20000 },
    inEuros({ minPrice: 150, maxPrice: 200 }),
  ],
];

test.each(PRICES)('the offers of a design and a service have the price %j', (price, read) => {
  const service = { id: ID, name: 'Flash', description: '', duration: 60, is_available: true };
  const [offer] = describeOffers(ROSA, [{ ...createDesign('d1'), price }]);
  const cost = Object.entries(offer ?? {}).filter(([name]) => name.startsWith('price'));
  expect(Object.fromEntries(cost)).toEqual(read);
  const [list] = describeServices(ROSA, [{ ...service, price }]);
  const hasPrice = cost.length > 0;
  const item = hasPrice ? { offers: { '@type': 'Offer', ...read } } : {};
  expect(list).toMatchObject({ itemListElement: [{ item }] });
  expect(JSON.stringify(list).includes('"offers"')).toBe(hasPrice);
});

test('long lists are cut to the first fifty entries, and breadcrumbs count from 1', () => {
  const designs = Array.from({ length: 200 }, (_, index) => createDesign(`d${index}`));
  const images = designs.map(({ image }) => image);
  const steps = ['/', '/rosa_ink/'].map((path) => ({ name: `At ${path}`, path }));
  const things = writeAndRead([
    ...describeArtist(ROSA, null),
    describeBreadcrumbs(steps),
    ...describeGallery(ROSA, { name: 'Designs', path: '/rosa_ink/' }, images),
    ...describeOffers(ROSA, designs),
  ]);
  expect(ofType(things, 'Offer')).toHaveLength(50);
  const [gallery] = ofType(things, 'ImageGallery');
  expect(gallery?.['image']).toHaveLength(50);
  const item = {
    '@type': 'ListItem',
    position: 2,
    name: 'At /rosa_ink/',
    item: `${SITE}/rosa_ink/`,
  };
  const [breadcrumbs] = ofType(things, 'BreadcrumbList');
  expect(breadcrumbs?.['itemListElement']).toEqual([expect.anything(), item]);
});
