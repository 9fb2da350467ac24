import type { Thing } from 'schema-dts';
import { expect, test } from 'vitest';
import type { Artist } from '#contract/artist.ts';
import type { Design } from '#contract/design.ts';
import type { Service } from '#contract/service.ts';
import type { Price } from '#domain/price.ts';
import {
  describeArtist,
  describeBreadcrumbs,
  describeDesign,
  describeGallery,
  describeOffers,
  describeServices,
  toJsonLd,
} from '#layouts/structured_data.ts';
import { NO_DESIGN_FACTS } from '#support/design_facts.ts';
import { ROSA_ARTIST as ROSA } from '#support/sample_people.ts';
import { findThing, parseStructuredData } from '#support/structured_data.ts';

const SITE = 'https://book.example.com';
const { id: ID } = ROSA;

function createDesign(index: number): Design {
  const id = `f3b6f0f4-8b7e-4a2c-8a53-${String(index).padStart(12, '0')}`;
  const name = `Swallow ${index}`;
  const file_url = `/media/${id}/1200.webp`;
  const image = { id, file_url, title: name, width: 1200, height: 1600 };
  return {
    id,
    name,
    description: '',
    status: 'available',
    ...NO_DESIGN_FACTS,
    image: { ...image, sources: [], placeholder: null },
  };
}

/** Writes these things as JSON-LD, and reads and validates them as a search engine does. */
function writeAndParse(things: readonly Thing[]) {
  return parseStructuredData(toJsonLd(things));
}

test('an artist without optional details has no empty properties', () => {
  const things = writeAndParse(describeArtist(ROSA, null, SITE));
  expect(findThing(things, 'Person')).toEqual({
    '@type': 'Person',
    '@id': 'https://book.example.com/rosa_ink/#artist',
    name: 'Rosa Quint',
    alternateName: 'rosa_ink',
    jobTitle: 'Tattoo artist',
    url: 'https://book.example.com/rosa_ink/',
    worksFor: { '@id': 'https://book.example.com/rosa_ink/#studio' },
  });
  expect(findThing(things, 'TattooParlor')).not.toHaveProperty('image');
});

test('absolute picture URLs stay unchanged, and relative ones get the origin of the site', () => {
  const externalUrl = 'https://images.example.com/1/400.webp';
  const things = writeAndParse(
    describeArtist({ ...ROSA, avatar_url: externalUrl }, `/media/${ID}/1200.webp`, SITE),
  );
  expect(findThing(things, 'Person').image).toBe(externalUrl);
  expect(findThing(things, 'TattooParlor').image).toBe(`${SITE}/media/${ID}/1200.webp`);
});

test('text of an artist cannot close the script element (HTML escaping)', () => {
  const hostile = '</script><script>alert(1)</script><!-- <script>';
  const text = toJsonLd(describeArtist({ ...ROSA, about_me: hostile }, null, SITE));
  expect(text).not.toContain('<');
  expect(findThing(parseStructuredData(text), 'Person').description).toBe(hostile);
});

test('there are no offers while bookings are closed, and no empty lists', () => {
  const closed = { ...ROSA, taking_bookings: false };
  expect(describeOffers(closed, [createDesign(1)], SITE)).toEqual([]);
  expect(describeServices(ROSA, [], SITE)).toEqual([]);
  expect(describeGallery(ROSA, { name: 'Tattoos', path: '/rosa_ink/about' }, [], SITE)).toEqual([]);
});

test('a design on its own page has its picture; it is an offer only while it can be booked', () => {
  const design = createDesign(1);
  const describe = (artist: Artist, shown: Design) =>
    writeAndParse([...describeArtist(artist, null, SITE), ...describeDesign(artist, shown, SITE)]);
  const things = describe(ROSA, design);
  const { itemOffered } = findThing(things, 'Offer');
  expect(itemOffered.url).toBe(`${SITE}/rosa_ink/designs/${design.id}`);
  expect(findThing(things, 'ImageObject').contentUrl).toBe(SITE + design.image.file_url);
  for (const unbookable of [
    describe({ ...ROSA, taking_bookings: false }, design),
    describe(ROSA, { ...design, status: 'claimed' }),
    describe(ROSA, { ...design, editions: 1, left: 0 }),
  ]) {
    expect(findThing(unbookable, 'VisualArtwork')).toEqual(itemOffered);
    expect(unbookable.map((thing) => thing['@type'])).not.toContain('Offer');
  }
});

const EUR = { currency: 'EUR', amount_to: null } as const;

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
    { kind: 'fixed', amount: 15000, amount_to: null, currency: 'JPY' },
    { price: '15000', priceCurrency: 'JPY' },
  ],
  [
    { ...EUR, kind: 'from', amount: 15050 },
    {
      priceSpecification: {
        '@type': 'PriceSpecification',
        minPrice: 150.5,
        priceCurrency: 'EUR',
      },
    },
  ],
  [
    { kind: 'range', amount: 15000, amount_to: 20000, currency: 'EUR' },
    {
      priceSpecification: {
        '@type': 'PriceSpecification',
        minPrice: 150,
        maxPrice: 200,
        priceCurrency: 'EUR',
      },
    },
  ],
];

test.each(PRICES)('the offers of a design and a service have the price %j', (price, read) => {
  const service: Service = {
    id: ID,
    name: 'Flash',
    description: '',
    duration: 60,
    is_available: true,
    price,
  };
  const things = writeAndParse([
    ...describeArtist(ROSA, null, SITE),
    ...describeDesign(ROSA, { ...createDesign(1), price }, SITE),
    ...describeServices(ROSA, [service], SITE),
  ]);
  const offer = findThing(things, 'Offer');
  const { '@type': _, url, availability, offeredBy, itemOffered, ...cost } = offer;
  expect(cost).toEqual(read);
  const [item] = findThing(things, 'ItemList').itemListElement;
  const offers = Object.keys(read).length > 0 ? { '@type': 'Offer', ...read } : undefined;
  expect(item?.item.offers).toEqual(offers);
});

test('long lists are cut to the first fifty entries', () => {
  const designs = Array.from({ length: 200 }, (_, index) => createDesign(index));
  const gallery = { name: 'Designs', path: '/rosa_ink/' };
  const things = writeAndParse([
    ...describeArtist(ROSA, null, SITE),
    describeBreadcrumbs(
      [
        { name: 'Linework', path: '/' },
        { name: 'rosa_ink', path: '/rosa_ink/' },
      ],
      SITE,
    ),
    ...describeGallery(
      ROSA,
      gallery,
      designs.map(({ image }) => image),
      SITE,
    ),
    ...describeOffers(ROSA, designs, SITE),
  ]);
  expect(things.filter((thing) => thing['@type'] === 'Offer')).toHaveLength(50);
  expect(findThing(things, 'ImageGallery').image).toHaveLength(50);
});
