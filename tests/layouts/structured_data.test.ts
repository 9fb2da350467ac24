import { expect, test } from 'vitest';
import type { Design } from '#contract/design.ts';
import {
  describeArtist,
  describeBreadcrumbs,
  describeGallery,
  describeOffers,
  describeServices,
  type Thing,
  toJsonLd,
} from '#layouts/structured_data.ts';
import { ROSA_ARTIST as ROSA } from '#support/sample_people.ts';
import { findThing, parseStructuredData } from '#support/structured_data.ts';

const SITE = 'https://book.example.com';
const { id: ID } = ROSA;

function aDesign(index: number): Design {
  const id = `f3b6f0f4-8b7e-4a2c-8a53-${String(index).padStart(12, '0')}`;
  const name = `Swallow ${index}`;
  const file_url = `/media/${id}/1200.webp`;
  const image = { id, file_url, title: name, width: 1200, height: 1600 };
  return {
    id,
    name,
    description: '',
    status: 'available',
    image: { ...image, sources: [], placeholder: null },
  };
}

/** What a page with these things tells. */
function told(things: readonly Thing[]) {
  return parseStructuredData(toJsonLd(things));
}

test('an artist who says nothing of themselves is described without gaps', () => {
  const things = told(describeArtist(ROSA, null, SITE));
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

test('pictures kept elsewhere keep their address, and ours get one', () => {
  const away = 'https://images.example.com/1/400.webp';
  const things = told(
    describeArtist({ ...ROSA, avatar_url: away }, `/media/${ID}/1200.webp`, SITE),
  );
  expect(findThing(things, 'Person').image).toBe(away);
  expect(findThing(things, 'TattooParlor').image).toBe(`${SITE}/media/${ID}/1200.webp`);
});

test('no text of a person ends the block that it stands in', () => {
  const hostile = '</script><script>alert(1)</script><!-- <script>';
  const text = toJsonLd(describeArtist({ ...ROSA, about_me: hostile }, null, SITE));
  expect(text).not.toContain('<');
  expect(findThing(parseStructuredData(text), 'Person').description).toBe(hostile);
});

test('nothing is offered while no bookings are taken, and nothing empty is described', () => {
  const closed = { ...ROSA, taking_bookings: false };
  expect(describeOffers(closed, [aDesign(1)], SITE)).toEqual([]);
  expect(describeServices(ROSA, [], SITE)).toEqual([]);
  expect(describeGallery(ROSA, { name: 'Tattoos', path: '/rosa_ink/about' }, [], SITE)).toEqual([]);
});

test('of a long list the first fifty are described', () => {
  const designs = Array.from({ length: 200 }, (_, index) => aDesign(index));
  const gallery = { name: 'Designs', path: '/rosa_ink/' };
  const things = told([
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

test('what is described wrongly is found', () => {
  const [studio, person] = describeArtist(ROSA, null, SITE);
  if (!studio || !person) throw new Error('Nothing is described');
  const { address: _, ...homeless } = studio;
  for (const wrong of [
    [homeless, person],
    [{ ...studio, adress: 'x' }, person],
    [{ ...studio, url: '/rosa_ink/' }, person],
    [studio],
    [studio, person, person],
  ])
    expect(() => told(wrong)).toThrow();
});
