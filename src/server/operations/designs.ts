import type { Cacheable } from '#cache/policy.ts';
import { tag } from '#cache/policy.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import type { Design, DesignChanges, NewDesign } from '#contract/design.ts';
import { refuse } from '#domain/refusal.ts';
import { findActiveArtist } from '#server/database/artists.ts';
import * as designs from '#server/database/designs.ts';
import { insertImage } from '#server/database/images.ts';
import { moveToPosition } from '#server/database/ordered_lists.ts';
import type { Context } from './context.ts';
import { invalidating } from './invalidating.ts';
import { storeImage, type UploadedFile } from './store_images.ts';
import { deleteImageFiles, toDesign } from './to_image.ts';

/** The designs that clients can book of an artist. */
export async function listAvailableDesigns(
  context: Context,
  username: string,
  page: PageQuery,
): Promise<Cacheable<ListPage<Design>>> {
  const artist = await findActiveArtist(context.database, username);
  if (!artist) throw refuse('not_found');
  const answer = await listDesigns(context, artist.id, { onlyAvailable: true }, page);
  return { value: answer, tags: cacheTagsOf(artist.id), until: null };
}

/** What tells of an artist's designs; the artist too, as their username leads there. */
function cacheTagsOf(artistId: string): readonly string[] {
  return [tag.artist(artistId), tag.designs(artistId)];
}

/** All of the artist's own designs, whatever their status. */
export function listOwnDesigns(
  context: Context,
  artistId: string,
  page: PageQuery,
): Promise<ListPage<Design>> {
  return listDesigns(context, artistId, { onlyAvailable: false }, page);
}

async function listDesigns(
  context: Context,
  artistId: string,
  which: { onlyAvailable: boolean },
  page: PageQuery,
): Promise<ListPage<Design>> {
  const { rows, count } = await designs.listDesigns(context.database, artistId, which, page);
  return { data: rows.map((row) => toDesign(context.images, row)), count };
}

/**
 * A design that clients may see: available, or already claimed.
 * @param artistId who asks, when it is an artist: they also see what they hid
 */
export async function loadDesign(
  context: Context,
  id: string,
  artistId: string | undefined,
): Promise<Cacheable<Design>> {
  const row = await designs.findPublicDesign(context.database, id, ['available', 'claimed']);
  if (row) {
    const answer = toDesign(context.images, row);
    return { value: answer, tags: cacheTagsOf(row.artist_id), until: null };
  }
  if (artistId === undefined) throw refuse('not_found');
  const answer = await loadOwnDesign(context, artistId, id);
  return { value: answer, tags: cacheTagsOf(artistId), until: null };
}

async function loadOwnDesign(context: Context, artistId: string, id: string): Promise<Design> {
  const row = await designs.findArtistDesign(context.database, artistId, id);
  if (!row) throw refuse('not_found');
  return toDesign(context.images, row);
}

/** Adds a design at the end of the artist's list (refusals: `storeImages`). */
export async function createDesign(
  context: Context,
  artistId: string,
  { name, description, file }: NewDesign & { file: UploadedFile },
): Promise<Design> {
  const id = await invalidating(context, [tag.designs(artistId)], () =>
    storeImage(context, artistId, 'design', file, (picture) =>
      context.database.transaction().execute(async (transaction) => {
        const title = designs.toImageTitle({ name, description });
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
  return loadOwnDesign(context, artistId, id);
}

export async function updateDesign(
  context: Context,
  artistId: string,
  id: string,
  { position, ...changes }: DesignChanges,
): Promise<Design> {
  await invalidating(context, [tag.designs(artistId)], () =>
    context.database.transaction().execute(async (transaction) => {
      if (position !== undefined)
        await moveToPosition(transaction, 'designs', artistId, id, position);
      if (!(await designs.updateDesign(transaction, artistId, id, changes)))
        throw refuse('not_found');
    }),
  );
  return loadOwnDesign(context, artistId, id);
}

/** Appointments that name the design live on without it. */
export async function deleteDesign(context: Context, artistId: string, id: string): Promise<void> {
  const imageId = await invalidating(context, [tag.designs(artistId)], () =>
    designs.deleteDesign(context.database, artistId, id),
  );
  if (imageId === undefined) throw refuse('not_found');
  await deleteImageFiles(context, [imageId]);
}
