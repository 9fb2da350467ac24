import type { Cacheable } from '#cache/policy.ts';
import { tag } from '#cache/policy.ts';
import type { ImageKind } from '#domain/artwork.ts';
import { refuse } from '#domain/refusal.ts';
import { type ArtistCardContent, MAX_CARD_PICTURES } from '#domain/share_card.ts';
import {
  findPublicArtist,
  findPublicArtistById,
  type PublicArtistRow,
} from '#server/database/artists.ts';
import { findPublicDesign } from '#server/database/designs.ts';
import { listPublicImages } from '#server/database/images.ts';
import type { ReadPicture, ShareCard } from '#server/images/share_card_renderer.ts';
import type { Context } from './context.ts';

/** About as wide as one of several pictures is shown; one that is shown alone comes as it is. */
const MIN_TILE_WIDTH = 560;

/**
 * The card of an artist with a public page: their designs, or else their portfolio.
 * @throws Refusal `not_found`, `busy`
 */
export async function drawArtistCard(
  context: Context,
  username: string,
): Promise<Cacheable<Uint8Array>> {
  const row = await findPublicArtist(context.database, username);
  if (!row) throw refuse('not_found');
  const shown = await listPublicImages(context.database, [row.id], MAX_CARD_PICTURES);
  const of = (wanted: ImageKind) => shown.filter(({ kind }) => kind === wanted);
  const pictures = [...of('design'), ...of('portfolio')].slice(0, MAX_CARD_PICTURES);
  const least = pictures.length > 1 ? MIN_TILE_WIDTH : Number.POSITIVE_INFINITY;
  const says = toArtistCard(context, row);
  const { avatar_id, avatar_widths } = row;
  const answer = await drawCard(context, [row.id, avatar_id, pictures.map(({ id }) => id)], {
    kind: 'artist',
    content: says,
    avatar:
      avatar_id && avatar_widths
        ? createImageReader(
            context,
            { id: avatar_id, widths: avatar_widths },
            Number.POSITIVE_INFINITY,
          )
        : null,
    pictures: pictures.map((picture) => createImageReader(context, picture, least)),
  });
  const tags = [tag.artist(row.id), tag.designs(row.id), tag.portfolio(row.id)];
  return { value: answer, tags, until: null };
}

/**
 * The card of a design that clients may see.
 * @throws Refusal `not_found`, `busy`
 */
export async function drawDesignCard(
  context: Context,
  designId: string,
): Promise<Cacheable<Uint8Array>> {
  const design = await findPublicDesign(context.database, designId, ['available', 'claimed']);
  const artist = design && (await findPublicArtistById(context.database, design.artist_id));
  if (!design || !artist) throw refuse('not_found');
  const says = { ...toArtistCard(context, artist), designName: design.name };
  const image = { id: design.image_id, widths: design.widths };
  const answer = await drawCard(context, [design.id, image.id], {
    kind: 'design',
    content: says,
    picture: createImageReader(context, image, Number.POSITIVE_INFINITY),
  });
  return { value: answer, tags: [tag.artist(artist.id), tag.designs(artist.id)], until: null };
}

/** Whoever asks for the same card of the same things at once gets the same drawing. */
function drawCard(
  { shareCards: cards }: Context,
  shows: readonly unknown[],
  card: ShareCard,
): Promise<Uint8Array> {
  return cards.render(JSON.stringify([shows, card.content]), card);
}

function toArtistCard({ site }: Context, artist: PublicArtistRow): ArtistCardContent {
  return {
    productName: site.productName,
    fullName: artist.full_name,
    username: artist.username,
    studioName: artist.studio_name,
    city: artist.city,
    state: artist.state,
  };
}

interface ImageWidths {
  readonly id: string;
  readonly widths: readonly number[];
}

/** Reads the smallest file of a picture that is wide enough, or else the largest. */
function createImageReader(
  { images }: Context,
  { id, widths }: ImageWidths,
  least: number,
): ReadPicture {
  const enough = widths.filter((wide) => wide >= least);
  const width = enough.length > 0 ? Math.min(...enough) : Math.max(...widths);
  return () => images.read({ imageId: id, width, format: 'webp' });
}
