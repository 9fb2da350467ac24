import type { Cacheable } from '#cache/policy.ts';
import { tag } from '#cache/policy.ts';
import type { ImageKind } from '#domain/artwork.ts';
import { refuse } from '#domain/refusal.ts';
import { type ArtistCardContent, MAX_CARD_PICTURES } from '#domain/share_card.ts';
import { type ArtistRow, findArtist, findPublicArtistById } from '#server/database/artists.ts';
import { findDesign } from '#server/database/designs.ts';
import { listShownPictures } from '#server/database/images.ts';
import type { Card, ReadPicture } from '#server/images/card_drawer.ts';
import type { Context } from './context.ts';

/** About as wide as one of several pictures is shown; one that is shown alone comes as it is. */
const ENOUGH_FOR_A_TILE = 560;

/**
 * The card of an artist with a public page: their designs, or else their portfolio.
 * @throws Refusal `not_found`, `busy`
 */
export async function drawArtistCard(
  context: Context,
  username: string,
): Promise<Cacheable<Uint8Array>> {
  const row = await findArtist(context.database, username);
  if (!row) throw refuse('not_found');
  const shown = await listShownPictures(context.database, [row.id], MAX_CARD_PICTURES);
  const of = (wanted: ImageKind) => shown.filter(({ kind }) => kind === wanted);
  const pictures = [...of('design'), ...of('portfolio')].slice(0, MAX_CARD_PICTURES);
  const least = pictures.length > 1 ? ENOUGH_FOR_A_TILE : Number.POSITIVE_INFINITY;
  const says = whoSays(context, row);
  const { avatar_id, avatar_widths } = row;
  const answer = await draw(context, [row.id, avatar_id, pictures.map(({ id }) => id)], {
    kind: 'artist',
    says,
    avatar:
      avatar_id && avatar_widths
        ? reader(context, { id: avatar_id, widths: avatar_widths }, Number.POSITIVE_INFINITY)
        : null,
    pictures: pictures.map((picture) => reader(context, picture, least)),
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
  const design = await findDesign(context.database, designId, ['available', 'claimed']);
  const artist = design && (await findPublicArtistById(context.database, design.artist_id));
  if (!design || !artist) throw refuse('not_found');
  const says = { ...whoSays(context, artist), designName: design.name };
  const image = { id: design.image_id, widths: design.widths };
  const answer = await draw(context, [design.id, image.id], {
    kind: 'design',
    says,
    picture: reader(context, image, Number.POSITIVE_INFINITY),
  });
  return { value: answer, tags: [tag.artist(artist.id), tag.designs(artist.id)], until: null };
}

/** Whoever asks for the same card of the same things at once gets the same drawing. */
function draw({ cards }: Context, shows: readonly unknown[], card: Card): Promise<Uint8Array> {
  return cards.draw(JSON.stringify([shows, card.says]), card);
}

function whoSays({ site }: Context, artist: ArtistRow): ArtistCardContent {
  return {
    productName: site.productName,
    fullName: artist.full_name,
    username: artist.username,
    studioName: artist.studio_name,
    city: artist.city,
    state: artist.state,
  };
}

interface StoredPicture {
  readonly id: string;
  readonly widths: readonly number[];
}

/** Reads the smallest file of a picture that is wide enough, or else the largest. */
function reader({ images }: Context, { id, widths }: StoredPicture, least: number): ReadPicture {
  const enough = widths.filter((wide) => wide >= least);
  const width = enough.length > 0 ? Math.min(...enough) : Math.max(...widths);
  return () => images.read({ imageId: id, width, format: 'webp' });
}
