import type { ArtistSelf } from '#contract/artist.ts';
import type { Listed, PageQuery } from '#contract/common.ts';
import type { Image, ImageChanges } from '#contract/image.ts';
import { tag } from '#domain/keeping.ts';
import { refuse } from '#domain/refusal.ts';
import { findActiveArtist } from '#server/database/artists.ts';
import * as images from '#server/database/images.ts';
import { moveTo } from '#server/database/order.ts';
import { deleteImage } from '#server/database/removed_images.ts';
import { readSelf } from './artists.ts';
import { clearing } from './clearing.ts';
import type { Keepable } from './keepable.ts';
import type { Parts } from './parts.ts';
import { removePictures, showImage } from './pictures.ts';
import { type ReceivedFile, takePicture, takePictures } from './take_pictures.ts';

/** An artist's finished work. */
export async function listPortfolio(
  parts: Parts,
  username: string,
  page: PageQuery,
): Promise<Keepable<Listed<Image>>> {
  const artist = await findActiveArtist(parts.database, username);
  if (!artist) throw refuse('not_found');
  const answer = await listOwnPortfolio(parts, artist.id, page);
  return { answer, tags: [tag.artist(artist.id), tag.portfolio(artist.id)], until: null };
}

export async function listOwnPortfolio(
  parts: Parts,
  artistId: string,
  page: PageQuery,
): Promise<Listed<Image>> {
  const { rows, count } = await images.listPortfolio(parts.database, artistId, page);
  return { data: rows.map((row) => showImage(parts.images, row)), count };
}

/** Adds pictures at the end of the portfolio, in the order they were sent (refusals: `takePictures`). */
export async function addToPortfolio(
  parts: Parts,
  artistId: string,
  files: readonly ReceivedFile[],
): Promise<Listed<Image>> {
  const sent = files.map((file, index) => ({ file, place: ['body', 'file', index] }));
  const rows = await clearing(parts, [tag.portfolio(artistId)], () =>
    takePictures(parts, artistId, 'portfolio', sent, (pictures) =>
      parts.database.transaction().execute(async (transaction) => {
        const added: images.ImageRow[] = [];
        for (const picture of pictures)
          added.push(await images.insertPortfolioImage(transaction, { ...picture, title: '' }));
        return added;
      }),
    ),
  );
  return { data: rows.map((row) => showImage(parts.images, row)), count: rows.length };
}

/** A picture of the artist's own portfolio. */
export async function readImage(parts: Parts, artistId: string, id: string): Promise<Image> {
  const row = await images.findPortfolioImage(parts.database, artistId, id);
  if (!row) throw refuse('not_found');
  return showImage(parts.images, row);
}

export async function changeImage(
  parts: Parts,
  artistId: string,
  id: string,
  { title, position }: ImageChanges,
): Promise<Image> {
  await clearing(parts, [tag.portfolio(artistId)], () =>
    parts.database.transaction().execute(async (transaction) => {
      if (position !== undefined) await moveTo(transaction, 'portfolio', artistId, id, position);
      if (title !== undefined) await images.renamePortfolioImage(transaction, artistId, id, title);
    }),
  );
  return readImage(parts, artistId, id);
}

export async function removeImage(parts: Parts, artistId: string, id: string): Promise<void> {
  const isDeleted = await clearing(parts, [tag.portfolio(artistId)], () =>
    deleteImage(parts.database, artistId, 'portfolio', id),
  );
  if (!isDeleted) throw refuse('not_found');
  await removePictures(parts, [id]);
}

/** The picture of the artist themselves; the one before goes (refusals: `takePictures`). */
export async function changeAvatar(
  parts: Parts,
  artistId: string,
  file: ReceivedFile,
): Promise<ArtistSelf> {
  const before = await clearing(parts, [tag.artist(artistId)], () =>
    takePicture(parts, artistId, 'avatar', file, (picture) =>
      images.replaceAvatar(parts.database, { ...picture, title: '' }),
    ),
  );
  if (before !== null) await removePictures(parts, [before]);
  return readSelf(parts, artistId);
}
