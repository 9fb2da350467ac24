import type { Cacheable } from '#cache/policy.ts';
import { tag } from '#cache/policy.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import type { ImageChanges, UploadedImage } from '#contract/image.ts';
import { refuse } from '#domain/refusal.ts';
import { findActiveArtist } from '#server/database/artists.ts';
import * as images from '#server/database/images.ts';
import { moveToPosition } from '#server/database/ordered_lists.ts';
import { deleteImage } from '#server/database/removed_images.ts';
import { loadArtistSelf } from './artists.ts';
import type { Context } from './context.ts';
import { invalidating } from './invalidating.ts';
import { storeImage, storeImages, type UploadedFile } from './store_images.ts';
import { deleteImageFiles, toImage } from './to_image.ts';

/** An artist's finished work. */
export async function listPortfolio(
  context: Context,
  username: string,
  page: PageQuery,
): Promise<Cacheable<ListPage<UploadedImage>>> {
  const artist = await findActiveArtist(context.database, username);
  if (!artist) throw refuse('not_found');
  const answer = await listOwnPortfolio(context, artist.id, page);
  return { value: answer, tags: [tag.artist(artist.id), tag.portfolio(artist.id)], until: null };
}

export async function listOwnPortfolio(
  context: Context,
  artistId: string,
  page: PageQuery,
): Promise<ListPage<UploadedImage>> {
  const { rows, count } = await images.listPortfolioImages(context.database, artistId, page);
  return { data: rows.map((row) => toImage(context.images, row)), count };
}

/** Adds pictures at the end of the portfolio, in the order they were sent (refusals: `storeImages`). */
export async function addPortfolioImages(
  context: Context,
  artistId: string,
  files: readonly UploadedFile[],
): Promise<ListPage<UploadedImage>> {
  const sent = files.map((file, index) => ({ file, inputPath: ['body', 'file', index] }));
  const rows = await invalidating(context, [tag.portfolio(artistId)], () =>
    storeImages(context, artistId, 'portfolio', sent, (pictures) =>
      context.database.transaction().execute(async (transaction) => {
        const added: images.ImageRow[] = [];
        for (const picture of pictures)
          added.push(await images.insertPortfolioImage(transaction, { ...picture, title: '' }));
        return added;
      }),
    ),
  );
  return { data: rows.map((row) => toImage(context.images, row)), count: rows.length };
}

/** A picture of the artist's own portfolio. */
export async function loadPortfolioImage(
  context: Context,
  artistId: string,
  id: string,
): Promise<UploadedImage> {
  const row = await images.findPortfolioImage(context.database, artistId, id);
  if (!row) throw refuse('not_found');
  return toImage(context.images, row);
}

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
      if (title !== undefined)
        await images.updatePortfolioImageTitle(transaction, artistId, id, title);
    }),
  );
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

/** The picture of the artist themselves; the one before goes (refusals: `storeImages`). */
export async function updateAvatar(
  context: Context,
  artistId: string,
  file: UploadedFile,
): Promise<CurrentArtist> {
  const before = await invalidating(context, [tag.artist(artistId)], () =>
    storeImage(context, artistId, 'avatar', file, (picture) =>
      images.replaceAvatar(context.database, { ...picture, title: '' }),
    ),
  );
  if (before !== null) await deleteImageFiles(context, [before]);
  return loadArtistSelf(context, artistId);
}
