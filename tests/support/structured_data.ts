import * as z from 'zod/mini';

// The properties that schema.org and Google require of structured data. Unknown properties are
// errors, so that a misspelt or misplaced one is found.

const NonEmptyText = z.string().check(z.minLength(1), z.trim());
const Url = z.url({ protocol: /^https?$/ });
const Reference = z.strictObject({ '@id': Url });
/** https://schema.org/Distance */
const Distance = z.string().check(z.regex(/^[1-9]\d* px$/));
const Position = z.int().check(z.minimum(1));
/** https://schema.org/priceCurrency */
const Currency = z.string().check(z.regex(/^[A-Z]{3}$/));
/** https://schema.org/price: digits, and a point before those of the minor unit */
const PriceText = z.string().check(z.regex(/^\d+(\.\d{2,4})?$/));

/** A price that is not one number: https://schema.org/PriceSpecification */
const PriceSpecification = z
  .strictObject({
    '@type': z.literal('PriceSpecification'),
    minPrice: z.number().check(z.minimum(0)),
    maxPrice: z.optional(z.number()),
    priceCurrency: Currency,
  })
  .check(
    z.refine(
      ({ minPrice, maxPrice = Number.POSITIVE_INFINITY }) => minPrice < maxPrice,
      'the highest price is above the lowest',
    ),
  );

/** Of an https://schema.org/Offer: a price with its currency, or a specification, or neither. */
const priceProperties = {
  price: z.optional(PriceText),
  priceCurrency: z.optional(Currency),
  priceSpecification: z.optional(PriceSpecification),
};

function hasWholePrice(offer: {
  price?: string | undefined;
  priceCurrency?: string | undefined;
  priceSpecification?: object | undefined;
}): boolean {
  const hasPrice = offer.price !== undefined;
  if (hasPrice !== (offer.priceCurrency !== undefined)) return false;
  return !(hasPrice && offer.priceSpecification);
}

const WHOLE_PRICE_ERROR = 'a price has a currency, and no specification beside it';

/** What a service costs. */
const ServiceOffer = z.strictObject({ '@type': z.literal('Offer'), ...priceProperties }).check(
  z.refine(hasWholePrice, WHOLE_PRICE_ERROR),
  z.refine(
    ({ price, priceSpecification }) => (price ?? priceSpecification) !== undefined,
    'without a price there is no offer',
  ),
);

/** https://developers.google.com/search/docs/appearance/structured-data/local-business */
const TattooParlor = z.strictObject({
  '@type': z.literal('TattooParlor'),
  '@id': Url,
  name: NonEmptyText,
  url: Url,
  image: z.optional(Url),
  address: z.strictObject({
    '@type': z.literal('PostalAddress'),
    streetAddress: NonEmptyText,
    addressLocality: NonEmptyText,
    addressRegion: NonEmptyText,
    postalCode: NonEmptyText,
  }),
  employee: Reference,
});

/** https://schema.org/Person */
const Person = z.strictObject({
  '@type': z.literal('Person'),
  '@id': Url,
  name: NonEmptyText,
  alternateName: NonEmptyText,
  jobTitle: NonEmptyText,
  url: Url,
  image: z.optional(Url),
  description: z.optional(NonEmptyText),
  sameAs: z.optional(z.array(Url).check(z.minLength(1))),
  worksFor: Reference,
});

/** https://developers.google.com/search/docs/appearance/structured-data/breadcrumb */
const BreadcrumbList = z.strictObject({
  '@type': z.literal('BreadcrumbList'),
  itemListElement: z
    .array(
      z.strictObject({
        '@type': z.literal('ListItem'),
        position: Position,
        name: NonEmptyText,
        item: Url,
      }),
    )
    .check(z.minLength(2), z.refine(hasConsecutivePositions, 'positions count from 1')),
});

/** https://schema.org/Service, in an https://schema.org/ItemList */
const ServiceList = z.strictObject({
  '@type': z.literal('ItemList'),
  name: NonEmptyText,
  itemListElement: z
    .array(
      z.strictObject({
        '@type': z.literal('ListItem'),
        position: Position,
        item: z.strictObject({
          '@type': z.literal('Service'),
          name: NonEmptyText,
          description: z.optional(NonEmptyText),
          serviceType: NonEmptyText,
          url: Url,
          provider: Reference,
          offers: z.optional(ServiceOffer),
        }),
      }),
    )
    .check(z.minLength(1), z.refine(hasConsecutivePositions, 'positions count from 1')),
});

/** https://developers.google.com/search/docs/appearance/structured-data/image-license-metadata */
const ImageObject = z.strictObject({
  '@type': z.literal('ImageObject'),
  '@id': Url,
  contentUrl: Url,
  width: Distance,
  height: Distance,
  caption: z.optional(NonEmptyText),
  creator: Reference,
  creditText: NonEmptyText,
});

/** https://schema.org/ImageGallery */
const ImageGallery = z.strictObject({
  '@type': z.literal('ImageGallery'),
  name: NonEmptyText,
  url: Url,
  author: Reference,
  image: z.array(ImageObject).check(z.minLength(1)),
});

/** https://schema.org/VisualArtwork */
const VisualArtwork = z.strictObject({
  '@type': z.literal('VisualArtwork'),
  name: NonEmptyText,
  url: Url,
  description: z.optional(NonEmptyText),
  artform: NonEmptyText,
  image: Reference,
  creator: Reference,
});

/** https://schema.org/Offer */
const Offer = z
  .strictObject({
    '@type': z.literal('Offer'),
    url: Url,
    availability: z.literal('https://schema.org/InStock'),
    offeredBy: Reference,
    itemOffered: VisualArtwork,
    ...priceProperties,
  })
  .check(z.refine(hasWholePrice, WHOLE_PRICE_ERROR));

const Thing = z.discriminatedUnion('@type', [
  TattooParlor,
  Person,
  BreadcrumbList,
  ServiceList,
  ImageGallery,
  ImageObject,
  Offer,
  VisualArtwork,
]);
type Thing = z.output<typeof Thing>;

const Graph = z.strictObject({
  '@context': z.literal('https://schema.org'),
  '@graph': z.array(Thing),
});

/** Parses and checks a page's structured data. Throws if it is invalid. */
export function parseStructuredData(text: string): readonly Thing[] {
  const things = Graph.parse(JSON.parse(text))['@graph'];
  const defined = collectIds(things, (thing) => '@type' in thing);
  const referenced = collectIds(things, (thing) => !('@type' in thing));
  if (new Set(defined).size !== defined.length) throw new Error(`Duplicate @id in ${defined}`);
  const dangling = referenced.filter((id) => !defined.includes(id));
  if (dangling.length > 0) throw new Error(`Undefined @id: ${dangling}`);
  return things;
}

/** The only thing of that type. */
export function findThing<const T extends Thing['@type']>(
  things: readonly Thing[],
  type: T,
): Extract<Thing, { '@type': T }> {
  const found = things.filter(
    (thing): thing is Extract<Thing, { '@type': T }> => thing['@type'] === type,
  );
  const [thing] = found;
  if (!thing || found.length > 1) throw new Error(`${found.length} things of type ${type}`);
  return thing;
}

function hasConsecutivePositions(items: readonly { position: number }[]): boolean {
  return items.every(({ position }, index) => position === index + 1);
}

/** The `@id` of every matching object, at any depth. */
function collectIds(value: unknown, matches: (thing: object) => boolean): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const nested = Object.values(value).flatMap((child) => collectIds(child, matches));
  return '@id' in value && matches(value) ? [String(value['@id']), ...nested] : nested;
}
