import type { Listed, PageQuery } from '#contract/common.ts';
import type { Design } from '#contract/design.ts';
import type { Image } from '#contract/image.ts';
import { refuse } from '#domain/refusal.ts';
import { findActiveArtist } from '#server/database/artists.ts';
import * as designs from '#server/database/designs.ts';
import * as images from '#server/database/images.ts';
import type { Parts } from './parts.ts';
import { showDesign, showImage } from './pictures.ts';

/** The designs that clients can book of an artist. */
export async function listAvailableDesigns(
  parts: Parts,
  username: string,
  page: PageQuery,
): Promise<Listed<Design>> {
  const artist = await findActiveArtist(parts.database, username);
  if (!artist) throw refuse('not_found');
  const { rows, count } = await designs.listAvailableDesigns(parts.database, artist.id, page);
  return { data: rows.map((row) => showDesign(parts.images, row)), count };
}

/** A design that clients may see: available, or already claimed. */
export async function readDesign(parts: Parts, id: string): Promise<Design> {
  const row = await designs.findDesign(parts.database, id, ['available', 'claimed']);
  if (!row) throw refuse('not_found');
  return showDesign(parts.images, row);
}

/** An artist's finished work. */
export async function listPortfolio(
  parts: Parts,
  username: string,
  page: PageQuery,
): Promise<Listed<Image>> {
  const artist = await findActiveArtist(parts.database, username);
  if (!artist) throw refuse('not_found');
  const { rows, count } = await images.listPortfolio(parts.database, artist.id, page);
  return { data: rows.map((row) => showImage(parts.images, row)), count };
}
