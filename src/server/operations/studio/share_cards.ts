/** Share cards, the images that social networks show for a link to an artist or a design, and the pictures in mails. */
import { type Cacheable, tag } from '#cache/policy.ts';
import { refuse } from '#domain/refusal.ts';
import { MAIL_PICTURE_SIZE, MAX_SHARE_CARD_PICTURES } from '#domain/studio/artwork.ts';
import * as artists from '#server/database/artists.ts';
import { listPublicImages } from '#server/database/images.ts';
import type {
  ArtistCardContent,
  ReadPicture,
  ShareCard,
} from '#server/images/share_card_renderer.ts';
import { findPublicDesign } from '../catalogue/designs.ts';
import type { Context } from '../context.ts';
import { loadPublicArtist } from '../public_artist.ts';

/** In pixels: about the width of one picture on a card that shows several. */
const TILE_WIDTH = 560;

/**
 * Renders the card of an artist with a public page. Its pictures: available designs first, then the
 * portfolio. Only a write changes the card, so `until` is null.
 * @throws Refusal `not_found`, `busy` when too many renderings wait
 */
export async function renderArtistCard(
  context: Context,
  username: string,
): Promise<Cacheable<Uint8Array>> {
  const row = await loadPublicArtist(context, username);
  // At most so many images of each kind: designs, portfolio and avatar.
  const images = await listPublicImages(context.database, [row.id], MAX_SHARE_CARD_PICTURES);
  const pictures = [
    ...images.filter(({ kind }) => kind === 'design'),
    ...images.filter(({ kind }) => kind === 'portfolio'),
  ].slice(0, MAX_SHARE_CARD_PICTURES);
  // A single picture is shown large: an infinite `minWidth` selects its largest file.
  const minWidth = pictures.length > 1 ? TILE_WIDTH : Number.POSITIVE_INFINITY;
  const { avatar_id, avatar_widths } = row;
  const pictureIds = pictures.map((picture) => picture.id);
  const value = await renderCard(context, [row.id, avatar_id, pictureIds], {
    kind: 'artist',
    content: toCardContent(context, row),
    avatar:
      avatar_id && avatar_widths
        ? createPictureReader(context, { id: avatar_id, widths: avatar_widths })
        : null,
    pictures: pictures.map((picture) => createPictureReader(context, picture, minWidth)),
  });
  const tags = [tag.artist(row.id), tag.designs(row.id), tag.portfolio(row.id)];
  return { value, tags, until: null };
}

/** Renders the card of a design that is not hidden; `claimed` means taken by a client. */
export async function renderDesignCard(
  context: Context,
  designId: string,
): Promise<Cacheable<Uint8Array>> {
  const design = await findPublicDesign(context.database, designId);
  const artist = design && (await artists.findPublicArtistById(context.database, design.artist_id));
  if (!design || !artist) throw refuse('not_found');
  context.noteArtist(artist.id);
  const image = { id: design.image_id, widths: design.widths };
  const value = await renderCard(context, [design.id, image.id], {
    kind: 'design',
    content: { ...toCardContent(context, artist), designName: design.name },
    picture: createPictureReader(context, image),
  });
  return { value, tags: [tag.artist(artist.id), tag.designs(artist.id)], until: null };
}

/**
 * The artist's profile picture for mails.
 * @throws Refusal `not_found`, also for an artist without one
 */
export async function encodeMailPicture(
  context: Context,
  username: string,
): Promise<Cacheable<Uint8Array>> {
  const { id, avatar_id, avatar_widths } = await loadPublicArtist(context, username);
  if (!avatar_id || !avatar_widths) throw refuse('not_found');
  const image = { id: avatar_id, widths: avatar_widths };
  const webp = await createPictureReader(context, image, MAIL_PICTURE_SIZE)();
  const value = await context.encoder.encodeSquareJpeg(webp, MAIL_PICTURE_SIZE);
  return { value, tags: [tag.artist(id)], until: null };
}

/** Concurrent calls share a rendering if all ids (artist or design, pictures) and texts match. */
function renderCard(
  { shareCards }: Context,
  ids: readonly unknown[],
  card: ShareCard,
): Promise<Uint8Array> {
  return shareCards.render(JSON.stringify([ids, card.content]), card);
}

function toCardContent({ site }: Context, artist: artists.PublicArtistRow): ArtistCardContent {
  return {
    productName: site.productName,
    fullName: artist.full_name,
    username: artist.username,
    studioName: artist.studio_name,
    city: artist.city,
    state: artist.state,
  };
}

/** The result reads the smallest file of at least `minWidth` pixels; if none, the largest file. */
function createPictureReader(
  context: Context,
  { id, widths }: { readonly id: string; readonly widths: readonly number[] },
  minWidth = Number.POSITIVE_INFINITY,
): ReadPicture {
  const wideEnough = widths.filter((width) => width >= minWidth);
  const width = wideEnough.length > 0 ? Math.min(...wideEnough) : Math.max(...widths);
  return () => context.images.read({ imageId: id, width, format: 'webp' });
}
