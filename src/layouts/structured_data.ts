import type { Graph, ImageObject, ListItem, Offer, Thing, VisualArtwork } from 'schema-dts';
import type { Artist } from '#contract/artist.ts';
import type { Design } from '#contract/design.ts';
import type { UploadedImage } from '#contract/image.ts';
import type { Service } from '#contract/service.ts';
import { toDecimal } from '#domain/decimal_amount.ts';
import { isBookable } from '#domain/design.ts';
import type { Price } from '#domain/price.ts';

// Structured data for search engines, in the vocabulary of https://schema.org.

/** Longer lists are described up to this many items; the page itself shows all. */
const MAX_LIST_ITEMS = 50;

/**
 * The studio, and the artist who works in it.
 * @param imageUrl shown for the studio
 */
export function describeArtist(artist: Artist, imageUrl: string | null, siteUrl: string): Thing[] {
  const { studio } = artist;
  const url = toAbsoluteUrl(`/${artist.username}/`, siteUrl);
  const profiles = [artist.instagram_url, artist.facebook_url].filter((link) => link !== null);
  return [
    {
      '@type': 'TattooParlor',
      '@id': studioId(artist, siteUrl),
      name: studio.name,
      url,
      ...(imageUrl === null ? {} : { image: toAbsoluteUrl(imageUrl, siteUrl) }),
      address: {
        '@type': 'PostalAddress',
        streetAddress: [studio.address_one, studio.address_two].filter(Boolean).join(', '),
        addressLocality: studio.city,
        addressRegion: studio.state,
        postalCode: studio.zip_code,
      },
      employee: { '@id': artistId(artist, siteUrl) },
    },
    {
      '@type': 'Person',
      '@id': artistId(artist, siteUrl),
      name: artist.full_name,
      alternateName: artist.username,
      jobTitle: 'Tattoo artist',
      url,
      ...(artist.avatar_url === null ? {} : { image: toAbsoluteUrl(artist.avatar_url, siteUrl) }),
      ...(artist.about_me ? { description: artist.about_me } : {}),
      ...(profiles.length > 0 ? { sameAs: profiles } : {}),
      worksFor: { '@id': studioId(artist, siteUrl) },
    },
  ];
}

/** @param steps from the start page to the page itself, which is last */
export function describeBreadcrumbs(
  steps: readonly { readonly name: string; readonly path: string }[],
  siteUrl: string,
): Thing {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(
      ({ name, path }, index): ListItem => ({
        '@type': 'ListItem',
        position: index + 1,
        name,
        item: toAbsoluteUrl(path, siteUrl),
      }),
    ),
  };
}

/** The services that clients can book, in the artist's order. */
export function describeServices(
  artist: Artist,
  services: readonly Service[],
  siteUrl: string,
): Thing[] {
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
            url: toAbsoluteUrl(`/${artist.username}/scheduling?service=${service.id}`, siteUrl),
            provider: { '@id': studioId(artist, siteUrl) },
            ...describeServiceOffer(service),
          },
        }),
      ),
    },
  ];
}

function describeServiceOffer({ price }: Service): { offers?: Offer } {
  const properties = describePrice(price);
  return properties === null ? {} : { offers: { '@type': 'Offer', ...properties } };
}

/** A group of pictures, such as a portfolio, at its page's name and path. */
export function describeGallery(
  artist: Artist,
  { name, path }: { readonly name: string; readonly path: string },
  images: readonly UploadedImage[],
  siteUrl: string,
): Thing[] {
  if (images.length === 0) return [];
  return [
    {
      '@type': 'ImageGallery',
      name,
      url: toAbsoluteUrl(path, siteUrl),
      author: { '@id': artistId(artist, siteUrl) },
      image: images
        .slice(0, MAX_LIST_ITEMS)
        .map((image) => describePicture(artist, image, siteUrl)),
    },
  ];
}

/** A picture that an artist uploaded. */
export function describePicture(
  artist: Artist,
  image: UploadedImage,
  siteUrl: string,
): ImageObject {
  return {
    '@type': 'ImageObject',
    '@id': imageId(image, siteUrl),
    contentUrl: toAbsoluteUrl(image.file_url, siteUrl),
    width: `${image.width} px`,
    height: `${image.height} px`,
    ...(image.title ? { caption: image.title } : {}),
    creator: { '@id': artistId(artist, siteUrl) },
    creditText: artist.full_name,
  };
}

/** The designs that clients can book now. */
export function describeOffers(
  artist: Artist,
  designs: readonly Design[],
  siteUrl: string,
): Offer[] {
  if (!artist.taking_bookings) return [];
  return designs.slice(0, MAX_LIST_ITEMS).map(
    (design): Offer => ({
      '@type': 'Offer',
      url: toAbsoluteUrl(`/${artist.username}/scheduling?design=${design.id}`, siteUrl),
      availability: 'https://schema.org/InStock',
      offeredBy: { '@id': studioId(artist, siteUrl) },
      itemOffered: describeArtwork(artist, design, siteUrl),
      ...describePrice(design.price),
    }),
  );
}

/** The properties of an offer that say what it costs; null for a price on request. */
function describePrice(price: Price | null): PriceProperties | null {
  if (price === null || price.kind === 'ask') return null;
  const { kind, amount, amount_to: to, currency } = price;
  if (kind === 'fixed') return { price: toDecimal({ amount, currency }), priceCurrency: currency };
  return {
    priceSpecification: {
      '@type': 'PriceSpecification',
      // Numbers, unlike `price` (https://schema.org/minPrice).
      minPrice: Number(toDecimal({ amount, currency })),
      ...(to === null ? {} : { maxPrice: Number(toDecimal({ amount: to, currency })) }),
      priceCurrency: currency,
    },
  };
}

type PriceProperties = Pick<
  Exclude<Offer, string>,
  'price' | 'priceCurrency' | 'priceSpecification'
>;

/** A design on its own page, with its picture; an offer while clients can book it. */
export function describeDesign(artist: Artist, design: Design, siteUrl: string): Thing[] {
  const offers = isBookable(design) ? describeOffers(artist, [design], siteUrl) : [];
  return [
    ...(offers.length > 0 ? offers : [describeArtwork(artist, design, siteUrl)]),
    describePicture(artist, design.image, siteUrl),
  ];
}

function describeArtwork(artist: Artist, design: Design, siteUrl: string): VisualArtwork {
  return {
    '@type': 'VisualArtwork',
    name: design.name,
    url: toAbsoluteUrl(`/${artist.username}/designs/${design.id}`, siteUrl),
    ...(design.description ? { description: design.description } : {}),
    artform: 'Tattoo design',
    image: { '@id': imageId(design.image, siteUrl) },
    creator: { '@id': artistId(artist, siteUrl) },
  };
}

/** The text of a `<script type="application/ld+json">`. */
export function toJsonLd(things: readonly Thing[]): string {
  const graph: Graph = { '@context': 'https://schema.org', '@graph': things };
  // A `</script>` inside an artist's text would end the script element.
  return JSON.stringify(graph).replaceAll('<', '\\u003c');
}

/** @param path of the site, which begins with a slash; or a URL, which is returned as it is */
function toAbsoluteUrl(path: string, siteUrl: string): string {
  return path.startsWith('/') ? siteUrl + path : path;
}

function studioId({ username }: Artist, siteUrl: string): string {
  return `${toAbsoluteUrl(`/${username}/`, siteUrl)}#studio`;
}

function artistId({ username }: Artist, siteUrl: string): string {
  return `${toAbsoluteUrl(`/${username}/`, siteUrl)}#artist`;
}

function imageId({ file_url }: UploadedImage, siteUrl: string): string {
  return `${toAbsoluteUrl(file_url, siteUrl)}#picture`;
}
