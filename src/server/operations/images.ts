import { type Cacheable, tag } from '#cache/policy.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import type { ImageChanges, UploadedImage } from '#contract/image.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import {
  findPortfolioImage,
  type ImageRow,
  insertPortfolioImage,
  listPortfolioImages,
  replaceAvatar,
  updatePortfolioImageTitle,
} from '#server/database/images.ts';
import { moveToPosition } from '#server/database/ordered_lists.ts';
import { deleteImage } from '#server/database/removed_images.ts';
import { requireRoom } from './account_limits.ts';
import { loadCurrentArtist } from './artists.ts';
import { loadPublicArtist } from './concerned_artist.ts';
import type { Context } from './context.ts';
import { invalidating } from './invalidating.ts';
import { deleteImageFiles, storeImage, storeImages, type UploadedFile } from './store_images.ts';
import { toImage } from './to_image.ts';

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
  context: Context,
  artistId: string,
  page: PageQuery,
): Promise<ListPage<UploadedImage>> {
  const { rows, count } = await listPortfolioImages(context.database, artistId, page);
  return { data: rows.map((row) => toImage(context.images, row)), count };
}

/**
 * Adds images at the end of the portfolio, in upload order.
 * @throws Refusal `too_many_portfolio_pictures`; the errors of `storeImages`
 */
export async function addPortfolioImages(
  context: Context,
  artistId: string,
  files: readonly UploadedFile[],
): Promise<ListPage<UploadedImage>> {
  // Checked before the encoding, which takes seconds, and again in the transaction.
  await requireRoom(context.database, 'portfolio', artistId, files.length);
  const rows = await invalidating(context, [tag.portfolio(artistId)], () =>
    storeImages(context, artistId, 'portfolio', files, async (transaction, stored) => {
      await requireRoom(transaction, 'portfolio', artistId, stored.length);
      const inserted: ImageRow[] = [];
      for (const image of stored)
        inserted.push(await insertPortfolioImage(transaction, { ...image, title: '' }));
      return inserted;
    }),
  );
  return { data: rows.map((row) => toImage(context.images, row)), count: rows.length };
}

/** @throws Refusal `not_found` */
export async function loadPortfolioImage(
  context: Context,
  artistId: string,
  id: string,
): Promise<UploadedImage> {
  const row = requireFound(await findPortfolioImage(context.database, artistId, id));
  return toImage(context.images, row);
}

/** `position` counts from 0. */
export async function updatePortfolioImage(
  context: Context,
  artistId: string,
  id: string,
  { title, position }: ImageChanges,
): Promise<UploadedImage> {
  await invalidating(context, [tag.portfolio(artistId)], () =>
    context.database.transaction().execute(async (transaction) => {
      if (position !== undefined)
        await moveToPosition(transaction, 'portfolio', artistId, id, position);
      if (title !== undefined) await updatePortfolioImageTitle(transaction, artistId, id, title);
    }),
  );
  // Both updates ignore an unknown image; loading it throws.
  return loadPortfolioImage(context, artistId, id);
}

export async function deletePortfolioImage(
  context: Context,
  artistId: string,
  id: string,
): Promise<void> {
  const isDeleted = await invalidating(context, [tag.portfolio(artistId)], () =>
    deleteImage(context.database, artistId, 'portfolio', id),
  );
  if (!isDeleted) throw refuse('not_found');
  await deleteImageFiles(context, [id]);
}

/** Replaces the artist's profile picture. Throws the errors of `storeImages`. */
export async function updateAvatar(
  context: Context,
  artistId: string,
  file: UploadedFile,
): Promise<CurrentArtist> {
  const oldAvatarId = await invalidating(context, [tag.artist(artistId)], () =>
    storeImage(context, artistId, 'avatar', file, (transaction, image) =>
      replaceAvatar(transaction, { ...image, title: '' }),
    ),
  );
  if (oldAvatarId !== null) await deleteImageFiles(context, [oldAvatarId]);
  return loadCurrentArtist(context, artistId);
}
