/** The pictures of an artist: the portfolio and the profile picture. */
import type { Expression } from 'kysely';
import { type Cacheable, tag } from '#cache/policy.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import type { ImageChanges, UploadedImage } from '#contract/image.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import type { Instant } from '#domain/time/time.ts';
import type { Database } from '#server/database/connect.ts';
import { deleteImage } from '#server/database/images.ts';
import { moveToPosition } from '#server/database/ordered_lists.ts';
import { loadPage } from '#server/database/pagination.ts';
import { deleteImageFiles, storeImages, type UploadedFile } from '../catalogue/store_images.ts';
import { IMAGE_COLUMNS, toImage } from '../catalogue/to_image.ts';
import { change } from '../change.ts';
import type { Context } from '../context.ts';
import { loadPublicArtist } from '../public_artist.ts';
import { loadCurrentArtist } from './artist_views.ts';

/** Selects an artist's portfolio, in the order that the artist chose. */
export function selectPortfolio(database: Database, artistId: string | Expression<string>) {
  return database
    .selectFrom('images')
    .select(IMAGE_COLUMNS)
    .where('artist_id', '=', artistId)
    .where('kind', '=', 'portfolio')
    .orderBy('position')
    .orderBy('created_at')
    .orderBy('id');
}

/** Lists the photos of an artist's finished tattoos, for visitors. */
export async function listPortfolio(
  context: Context,
  username: string,
  page: PageQuery,
): Promise<Cacheable<ListPage<UploadedImage>>> {
  const artist = await loadPublicArtist(context, username);
  const value = await listOwnPortfolio(context, artist.id, page);
  return { value, tags: [tag.artist(artist.id), tag.portfolio(artist.id)], until: null };
}

export async function listOwnPortfolio(
  { database, images }: Context,
  artistId: string,
  page: PageQuery,
): Promise<ListPage<UploadedImage>> {
  const { rows, count } = await loadPage(selectPortfolio(database, artistId), page);
  return { data: rows.map((row) => toImage(images, row)), count };
}

/**
 * Adds images to the portfolio. `storeImages` gives each the next position, in upload order.
 * @throws Refusal `too_many_portfolio_pictures`; the errors of `storeImages`
 */
export async function addPortfolioImages(
  context: Context,
  artistId: string,
  files: readonly UploadedFile[],
): Promise<ListPage<UploadedImage>> {
  const invalidates = [tag.portfolio(artistId)];
  const upload = { artistId, kind: 'portfolio', title: '', invalidates } as const;
  const data = await storeImages(context, upload, files, async (_transaction, image) =>
    toImage(context.images, image),
  );
  return { data, count: data.length };
}

export async function loadPortfolioImage(
  { database, images }: Context,
  artistId: string,
  id: string,
): Promise<UploadedImage> {
  const row = await selectPortfolio(database, artistId).where('id', '=', id).executeTakeFirst();
  return toImage(images, requireFound(row));
}

/** `position` counts from 0. */
export function updatePortfolioImage(
  context: Context,
  artistId: string,
  id: string,
  { title, position }: ImageChanges,
): Promise<UploadedImage> {
  const invalidates = [tag.portfolio(artistId)];
  return change(context, { lock: 'artist', artistId, invalidates }, async (context) => {
    if (position !== undefined)
      await moveToPosition(context.database, 'portfolio', { id, artistId }, position);
    const row = await context.database
      .updateTable('images')
      // An UPDATE must set a column, even without a title: `artist_id` keeps its value.
      .set({ title, artist_id: artistId })
      .where('id', '=', id)
      .where('artist_id', '=', artistId)
      .where('kind', '=', 'portfolio')
      .returning(IMAGE_COLUMNS)
      .executeTakeFirst();
    return toImage(context.images, requireFound(row));
  });
}

export async function deletePortfolioImage(
  context: Context,
  artistId: string,
  id: string,
): Promise<void> {
  const invalidates = [tag.portfolio(artistId)];
  await change(context, { invalidates }, async ({ database }) => {
    if (!(await deleteImage(database, artistId, 'portfolio', id))) throw refuse('not_found');
  });
  await deleteImageFiles(context, [id]);
}

/** Replaces the artist's profile picture. @throws the errors of `storeImages` */
export async function updateAvatar(
  context: Context,
  artistId: string,
  file: UploadedFile,
  now: Instant,
): Promise<CurrentArtist> {
  const invalidates = [tag.artist(artistId)];
  const upload = { artistId, kind: 'avatar', title: '', invalidates } as const;
  // The artist is locked meanwhile: of concurrent calls, each later one removes the picture of the earlier.
  const [oldAvatarId] = await storeImages(context, upload, [file], async (transaction, image) => {
    const { avatar_id } = await transaction
      .selectFrom('artists')
      .select('avatar_id')
      .where('id', '=', artistId)
      .executeTakeFirstOrThrow();
    await transaction
      .updateTable('artists')
      .set({ avatar_id: image.id })
      .where('id', '=', artistId)
      .execute();
    if (avatar_id !== null) await deleteImage(transaction, artistId, 'avatar', avatar_id);
    return avatar_id;
  });
  if (oldAvatarId) await deleteImageFiles(context, [oldAvatarId]);
  return loadCurrentArtist(context, artistId, now);
}
