import { type Cacheable, tag } from '#cache/policy.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import type { Design, DesignChanges, NewDesign } from '#contract/design.ts';
import type { DesignStatus } from '#domain/artwork.ts';
import { InvalidInput, refuse, requireFound } from '#domain/refusal.ts';
import type { Database } from '#server/database/connect.ts';
import * as designs from '#server/database/designs.ts';
import { listEditionUses } from '#server/database/editions.ts';
import { insertImage } from '#server/database/images.ts';
import { moveToPosition } from '#server/database/ordered_lists.ts';
import { findService } from '#server/database/services.ts';
import { requireRoom } from './account_limits.ts';
import { loadPublicArtist } from './concerned_artist.ts';
import type { Context } from './context.ts';
import { toChangedPrice } from './currency.ts';
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
  const { rows, count } = await designs.listDesigns(context.database, artist.id, 'bookable', page);
  const data = rows.map((row) => toDesign(context.images, row));
  const limited = await listEditionUses(context.database, artist.id);
  return toCacheableDesigns(artist.id, { data, count }, limited);
}

/** All designs of the artist who is logged in. */
export async function listOwnDesigns(
  { database, images }: Context,
  artistId: string,
  page: PageQuery,
): Promise<ListPage<Design>> {
  const { rows, count } = await designs.listDesigns(database, artistId, 'all', page);
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
    return toCacheableDesigns(row.artist_id, toDesign(context.images, row), [row]);
  }
  if (callerId === undefined) throw refuse('not_found');
  return toCacheableDesigns(callerId, await loadOwnDesign(context, callerId, id), []);
}

/** A design of this artist that is available or claimed; undefined for the id of any other. */
export async function findVisibleDesign(
  { database }: Context,
  artistId: string,
  id: string,
): Promise<designs.DesignRow | undefined> {
  const row = await designs.findArtistDesign(database, artistId, id);
  return row && VISIBLE_STATUSES.includes(row.status) ? row : undefined;
}

/**
 * The value may be cached until the artist or one of their designs changes. If appointments use up
 * editions of a design, it changes with the artist's calendar too, and when a deadline passes.
 */
function toCacheableDesigns<T>(
  artistId: string,
  value: T,
  rows: readonly LimitedDesign[],
): Cacheable<T> {
  const { tags, until } = editionLimits(artistId, rows);
  return { value, tags: [tag.artist(artistId), tag.designs(artistId), ...tags], until };
}

/** What says how many editions of a design are left. */
type LimitedDesign = Pick<designs.DesignRow, 'edition_use'>;

/** The further tags of a value that shows these designs, and when it changes without a write. */
export function editionLimits(
  artistId: string,
  rows: readonly LimitedDesign[],
): Pick<Cacheable<unknown>, 'tags' | 'until'> {
  const uses = rows.flatMap(({ edition_use }) => edition_use ?? []);
  const deadlines = uses.flatMap(({ frees_at }) => frees_at ?? []);
  return {
    tags: uses.length === 0 ? [] : [tag.availability(artistId)],
    until: deadlines.length === 0 ? null : Math.min(...deadlines),
  };
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
  { name, description, status, file }: NewDesign & { file: UploadedFile },
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
        status,
      });
    }),
  );
  return loadOwnDesign(context, artistId, id);
}

export async function updateDesign(
  context: Context,
  artistId: string,
  id: string,
  { position, duration, price, ...changes }: DesignChanges,
): Promise<Design> {
  // A design has a length of its own or a service: the one that is set removes the other.
  const lengthColumns = {
    ...(duration !== undefined && { duration_minutes: duration }),
    ...(duration && { service_id: null }),
    ...(changes.service_id && { duration_minutes: null }),
  };
  await invalidating(context, [tag.designs(artistId)], () =>
    context.database.transaction().execute(async (transaction) => {
      if (position !== undefined)
        await moveToPosition(transaction, 'designs', artistId, id, position);
      if (changes.service_id) await requireOwnService(transaction, artistId, changes.service_id);
      const columns = {
        ...changes,
        ...lengthColumns,
        price: await toChangedPrice(transaction, artistId, price),
      };
      if (!(await designs.updateDesign(transaction, artistId, id, columns)))
        throw refuse('not_found');
    }),
  );
  return loadOwnDesign(context, artistId, id);
}

/** @throws InvalidInput for a service that the artist does not have */
async function requireOwnService(
  database: Database,
  artistId: string,
  serviceId: string,
): Promise<void> {
  if (!(await findService(database, artistId, serviceId, { onlyAvailable: false })))
    throw new InvalidInput(['body', 'service_id'], 'You have no such service');
}

/** Deletes a design, and its image unless an appointment shows it. */
export async function deleteDesign(context: Context, artistId: string, id: string): Promise<void> {
  const imageIds = await invalidating(context, [tag.designs(artistId)], () =>
    designs.deleteDesign(context.database, artistId, id),
  );
  if (imageIds === undefined) throw refuse('not_found');
  await deleteImageFiles(context, imageIds);
}
