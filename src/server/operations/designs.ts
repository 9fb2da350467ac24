import { type Cacheable, tag } from '#cache/policy.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import type { Design, DesignChanges, NewDesign } from '#contract/design.ts';
import type { DesignStatus } from '#domain/artwork.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import * as designs from '#server/database/designs.ts';
import { insertImage } from '#server/database/images.ts';
import { moveToPosition } from '#server/database/ordered_lists.ts';
import { requireRoom } from './account_limits.ts';
import { loadPublicArtist } from './concerned_artist.ts';
import type { Context } from './context.ts';
import { invalidating } from './invalidating.ts';
import { deleteImageFiles, storeImage, type UploadedFile } from './store_images.ts';
import { toDesign } from './to_image.ts';

/** Clients see designs with these statuses. */
const VISIBLE_STATUSES: readonly DesignStatus[] = ['available', 'claimed'];

/** The designs that clients can book. */
export async function listAvailableDesigns(
  context: Context,
  username: string,
  page: PageQuery,
): Promise<Cacheable<ListPage<Design>>> {
  const artist = await loadPublicArtist(context, username);
  const list = await listDesigns(context, artist.id, page, { onlyAvailable: true });
  return toCacheable(artist.id, list);
}

/** @param filter `onlyAvailable` leaves out designs that are claimed or hidden */
export async function listDesigns(
  { database, images }: Context,
  artistId: string,
  page: PageQuery,
  filter: { onlyAvailable: boolean },
): Promise<ListPage<Design>> {
  const { rows, count } = await designs.listDesigns(database, artistId, filter, page);
  return { data: rows.map((row) => toDesign(images, row)), count };
}

/**
 * A design that is not hidden: clients can book it, or a client has taken it (`claimed`).
 * @param callerId the artist who is logged in, if any; they also see their own hidden designs.
 *   No cache stores the response to a request with a token, so others get no hidden design
 * @throws Refusal `not_found`
 */
export async function loadDesign(
  context: Context,
  id: string,
  callerId: string | undefined,
): Promise<Cacheable<Design>> {
  const row = await designs.findPublicDesign(context.database, id, VISIBLE_STATUSES);
  if (row) {
    context.noteArtist(row.artist_id);
    return toCacheable(row.artist_id, toDesign(context.images, row));
  }
  if (callerId === undefined) throw refuse('not_found');
  return toCacheable(callerId, await loadOwnDesign(context, callerId, id));
}

/** A design of this artist that clients can book; null for the id of any other. */
export async function findAvailableDesign(
  { database, images }: Context,
  artistId: string,
  id: string,
): Promise<Design | null> {
  const row = await designs.findArtistDesign(database, artistId, id);
  return row?.status === 'available' ? toDesign(images, row) : null;
}

/** A design of this artist that is available or claimed; null for the id of any other. */
export async function findVisibleDesign(
  { database, images }: Context,
  artistId: string,
  id: string,
): Promise<Design | null> {
  const row = await designs.findArtistDesign(database, artistId, id);
  return row && VISIBLE_STATUSES.includes(row.status) ? toDesign(images, row) : null;
}

/** The value may be cached until the artist or one of their designs changes. */
function toCacheable<T>(artistId: string, value: T): Cacheable<T> {
  return { value, tags: [tag.artist(artistId), tag.designs(artistId)], until: null };
}

async function loadOwnDesign(context: Context, artistId: string, id: string): Promise<Design> {
  const row = requireFound(await designs.findArtistDesign(context.database, artistId, id));
  return toDesign(context.images, row);
}

/**
 * Adds a design at the end of the artist's list.
 * @throws Refusal `too_many_designs`; `busy` when too many pictures are being encoded, `unavailable` when the image
 *   store is down, `not_signed_in` when the artist's account was just deleted
 * @throws InvalidInput when the picture is damaged
 */
export async function createDesign(
  context: Context,
  artistId: string,
  { name, description, file }: NewDesign & { file: UploadedFile },
): Promise<Design> {
  // Checked before the encoding, which takes seconds, and again in the transaction.
  await requireRoom(context.database, 'designs', artistId);
  const id = await invalidating(context, [tag.designs(artistId)], () =>
    storeImage(context, artistId, 'design', file, async (transaction, image) => {
      await requireRoom(transaction, 'designs', artistId);
      await insertImage(transaction, {
        ...image,
        title: designs.toImageTitle({ name, description }),
      });
      return designs.insertDesign(transaction, {
        artist_id: artistId,
        image_id: image.id,
        name,
        description,
        status: 'available',
      });
    }),
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

/** Deletes a design, and its image unless an appointment shows it. */
export async function deleteDesign(context: Context, artistId: string, id: string): Promise<void> {
  const imageIds = await invalidating(context, [tag.designs(artistId)], () =>
    designs.deleteDesign(context.database, artistId, id),
  );
  if (imageIds === undefined) throw refuse('not_found');
  await deleteImageFiles(context, imageIds);
}
