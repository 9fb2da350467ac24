import type { Listed, PageQuery } from '#contract/common.ts';
import type { Design, DesignChanges, NewDesign } from '#contract/design.ts';
import { tag } from '#domain/keeping.ts';
import { refuse } from '#domain/refusal.ts';
import { findActiveArtist } from '#server/database/artists.ts';
import * as designs from '#server/database/designs.ts';
import { insertImage } from '#server/database/images.ts';
import { moveTo } from '#server/database/order.ts';
import { clearing } from './clearing.ts';
import type { Keepable } from './keepable.ts';
import type { Parts } from './parts.ts';
import { removePictures, showDesign } from './pictures.ts';
import { type ReceivedFile, takePicture } from './take_pictures.ts';

/** The designs that clients can book of an artist. */
export async function listAvailableDesigns(
  parts: Parts,
  username: string,
  page: PageQuery,
): Promise<Keepable<Listed<Design>>> {
  const artist = await findActiveArtist(parts.database, username);
  if (!artist) throw refuse('not_found');
  const answer = await listDesigns(parts, artist.id, { onlyAvailable: true }, page);
  return { answer, tags: tagsOf(artist.id), until: null };
}

/** What tells of an artist's designs; the artist too, as their username leads there. */
function tagsOf(artistId: string): readonly string[] {
  return [tag.artist(artistId), tag.designs(artistId)];
}

/** All of the artist's own designs, whatever their status. */
export function listOwnDesigns(
  parts: Parts,
  artistId: string,
  page: PageQuery,
): Promise<Listed<Design>> {
  return listDesigns(parts, artistId, { onlyAvailable: false }, page);
}

async function listDesigns(
  parts: Parts,
  artistId: string,
  which: { onlyAvailable: boolean },
  page: PageQuery,
): Promise<Listed<Design>> {
  const { rows, count } = await designs.listDesigns(parts.database, artistId, which, page);
  return { data: rows.map((row) => showDesign(parts.images, row)), count };
}

/**
 * A design that clients may see: available, or already claimed.
 * @param artistId who asks, when it is an artist: they also see what they hid
 */
export async function readDesign(
  parts: Parts,
  id: string,
  artistId: string | undefined,
): Promise<Keepable<Design>> {
  const row = await designs.findDesign(parts.database, id, ['available', 'claimed']);
  if (row) {
    const answer = showDesign(parts.images, row);
    return { answer, tags: tagsOf(row.artist_id), until: null };
  }
  if (artistId === undefined) throw refuse('not_found');
  const answer = await readOwnDesign(parts, artistId, id);
  return { answer, tags: tagsOf(artistId), until: null };
}

async function readOwnDesign(parts: Parts, artistId: string, id: string): Promise<Design> {
  const row = await designs.findOwnDesign(parts.database, artistId, id);
  if (!row) throw refuse('not_found');
  return showDesign(parts.images, row);
}

/** Adds a design at the end of the artist's list (refusals: `takePictures`). */
export async function createDesign(
  parts: Parts,
  artistId: string,
  { name, description, file }: NewDesign & { file: ReceivedFile },
): Promise<Design> {
  const id = await clearing(parts, [tag.designs(artistId)], () =>
    takePicture(parts, artistId, 'design', file, (picture) =>
      parts.database.transaction().execute(async (transaction) => {
        const title = designs.titleOf({ name, description });
        await insertImage(transaction, { ...picture, title });
        return designs.insertDesign(transaction, {
          artist_id: artistId,
          image_id: picture.id,
          name,
          description,
          status: 'available',
        });
      }),
    ),
  );
  return readOwnDesign(parts, artistId, id);
}

export async function changeDesign(
  parts: Parts,
  artistId: string,
  id: string,
  { position, ...changes }: DesignChanges,
): Promise<Design> {
  await clearing(parts, [tag.designs(artistId)], () =>
    parts.database.transaction().execute(async (transaction) => {
      if (position !== undefined) await moveTo(transaction, 'designs', artistId, id, position);
      if (!(await designs.updateDesign(transaction, artistId, id, changes)))
        throw refuse('not_found');
    }),
  );
  return readOwnDesign(parts, artistId, id);
}

/** Appointments that name the design live on without it. */
export async function removeDesign(parts: Parts, artistId: string, id: string): Promise<void> {
  const imageId = await clearing(parts, [tag.designs(artistId)], () =>
    designs.deleteDesign(parts.database, artistId, id),
  );
  if (imageId === undefined) throw refuse('not_found');
  await removePictures(parts, [imageId]);
}
