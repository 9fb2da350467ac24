import type { Graph, ImageObject, ListItem, Offer, Thing, VisualArtwork } from 'schema-dts';
import type { Artist } from '#contract/artist.ts';
import type { Design } from '#contract/design.ts';
import type { UploadedImage } from '#contract/image.ts';
import type { Service } from '#contract/service.ts';
import { toDecimal } from '#domain/money/decimal_amount.ts';
import type { Price } from '#domain/money/price.ts';
import { isBookable } from '#domain/studio/design.ts';

// Structured data for search engines, in the vocabulary of https://schema.org. Only `toJsonLd` knows the
// origin of the site: all else has paths, beside the URLs of pictures that are elsewhere.

/** Longer lists are described up to this many items; the page itself shows all. */
const MAX_LIST_ITEMS = 50;

/** The beginning of a path in JSON. A text never matches, because JSON escapes its quotes. */
const URL_PROPERTY = /"(?:@id|contentUrl|image|item|url)":"(?=\/)/g;

/** The studio, and the artist who works in it. @param imageUrl shown for the studio */
export function describeArtist(artist: Artist, imageUrl: string | null): Thing[] {
  const { studio } = artist;
  const url = `/${artist.username}/`;
  const profiles = [artist.instagram_url, artist.facebook_url].filter((link) => link !== null);
  return [
    {
      '@type': 'TattooParlor',
      '@id': studioId(artist),
      name: studio.name,
      url,
      ...(imageUrl === null ? {} : { image: imageUrl }),
      address: {
        '@type': 'PostalAddress',
        streetAddress: [studio.address_one, studio.address_two].filter(Boolean).join(', '),
        addressLocality: studio.city,
        addressRegion: studio.state,
        postalCode: studio.zip_code,
      },
      employee: { '@id': artistId(artist) },
    },
    {
      '@type': 'Person',
      '@id': artistId(artist),
      name: artist.full_name,
      alternateName: artist.username,
      jobTitle: 'Tattoo artist',
      url,
      ...(artist.avatar_url === null ? {} : { image: artist.avatar_url }),
      ...(artist.about_me ? { description: artist.about_me } : {}),
      ...(profiles.length > 0 ? { sameAs: profiles } : {}),
      worksFor: { '@id': studioId(artist) },
    },
  ];
}

/** @param steps from the start page to the page itself, which is last */
export function describeBreadcrumbs(
  steps: readonly { readonly name: string; readonly path: string }[],
): Thing {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(
      ({ name, path }, index): ListItem => ({
        '@type': 'ListItem',
        position: index + 1,
        name,
        item: path,
      }),
    ),
  };
}

/** The services that clients can book, in the artist's order. */
export function describeServices(artist: Artist, services: readonly Service[]): Thing[] {
  if (services.length === 0) return [];
  return [
    {
      '@type': 'ItemList',
      name: `Appointments with ${artist.full_name}`,
      itemListElement: services.slice(0, MAX_LIST_ITEMS).map(
        (service, index): ListItem => ({
          '@type': 'ListItem',
          position: index + 1,
          item: {
            '@type': 'Service',
            name: service.name,
            ...(service.description ? { description: service.description } : {}),
            serviceType: 'Tattoo',
            url: `/${artist.username}/scheduling?service=${service.id}`,
            provider: { '@id': studioId(artist) },
            ...describeServiceOffer(service),
          },
        }),
      ),
    },
  ];
}

/** The property `offers` of a service; none without a price. */
function describeServiceOffer({ price }: Service): { offers?: Offer } {
  const properties = describePrice(price);
  return properties === null ? {} : { offers: { '@type': 'Offer', ...properties } };
}

/** A group of pictures, such as a portfolio, at its page's name and path. */
export function describeGallery(
  artist: Artist,
  { name, path }: { readonly name: string; readonly path: string },
  images: readonly UploadedImage[],
): Thing[] {
  if (images.length === 0) return [];
  return [
    {
      '@type': 'ImageGallery',
      name,
      url: path,
      author: { '@id': artistId(artist) },
      image: images.slice(0, MAX_LIST_ITEMS).map((image) => describePicture(artist, image)),
    },
  ];
}

/** An uploaded picture as a work of the artist. */
export function describePicture(artist: Artist, image: UploadedImage): ImageObject {
  return {
    '@type': 'ImageObject',
    '@id': imageId(image),
    contentUrl: image.file_url,
    width: `${image.width} px`,
    height: `${image.height} px`,
    ...(image.title ? { caption: image.title } : {}),
    creator: { '@id': artistId(artist) },
    creditText: artist.full_name,
  };
}

/** The designs that clients can book now. */
export function describeOffers(artist: Artist, designs: readonly Design[]): Offer[] {
  if (!artist.taking_bookings) return [];
  return designs.slice(0, MAX_LIST_ITEMS).map(
    (design): Offer => ({
      '@type': 'Offer',
      url: `/${artist.username}/scheduling?design=${design.id}`,
      availability: 'https://schema.org/InStock',
      offeredBy: { '@id': studioId(artist) },
      itemOffered: describeArtwork(artist, design),
      ...describePrice(design.price),
    }),
  );
}

/** The properties of an offer that say what it costs; null without a price, and for a price on request. */
function describePrice(price: Price | null) {
  if (price === null || price.kind === 'ask') return null;
  const { kind, amount, amount_to: to, currency } = price;
  if (kind === 'fixed') return { price: toDecimal({ amount, currency }), priceCurrency: currency };
  return {
    priceSpecification: {
      '@type': 'PriceSpecification' as const,
      // Numbers, unlike `price` (https://schema.org/minPrice).
      minPrice: Number(toDecimal({ amount, currency })),
      ...(to === null ? {} : { maxPrice: Number(toDecimal({ amount: to, currency })) }),
      priceCurrency: currency,
    },
  };
}

/** A design on its own page, with its picture; an offer while clients can book it. */
export function describeDesign(artist: Artist, design: Design): Thing[] {
  const offers = isBookable(design) ? describeOffers(artist, [design]) : [];
  return [
    ...(offers.length > 0 ? offers : [describeArtwork(artist, design)]),
    describePicture(artist, design.image),
  ];
}

/** A design as a work of the artist, without an offer. */
function describeArtwork(artist: Artist, design: Design): VisualArtwork {
  return {
    '@type': 'VisualArtwork',
    name: design.name,
    url: `/${artist.username}/designs/${design.id}`,
    ...(design.description ? { description: design.description } : {}),
    artform: 'Tattoo design',
    image: { '@id': imageId(design.image) },
    creator: { '@id': artistId(artist) },
  };
}

/** The text of a `<script type="application/ld+json">`. Paths in it become URLs of the site. */
export function toJsonLd(things: readonly Thing[], siteUrl: string): string {
  const graph: Graph = { '@context': 'https://schema.org', '@graph': things };
  // Several times as fast as a function that `JSON.stringify` calls for each property.
  const text = JSON.stringify(graph).replace(URL_PROPERTY, (property) => property + siteUrl);
  // A `</script>` inside an artist's text would end the script element.
  return text.replaceAll('<', '\\u003c');
}

function studioId({ username }: Artist): string {
  return `/${username}/#studio`;
}

function artistId({ username }: Artist): string {
  return `/${username}/#artist`;
}

function imageId({ file_url }: UploadedImage): string {
  return `${file_url}#picture`;
}
