import type { Expression, Selectable } from 'kysely';
import { type Cacheable, tag } from '#cache/policy.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import type { NewService, Service, ServiceChanges } from '#contract/service.ts';
import { requireFound } from '#domain/refusal.ts';
import type { Database } from '#server/database/connect.ts';
import { moveToPosition, nextPosition } from '#server/database/ordered_lists.ts';
import { loadPage } from '#server/database/pagination.ts';
import type { Services } from '#server/database/tables.ts';
import { requireRoom } from '../account_limits.ts';
import { change } from '../change.ts';
import type { Context } from '../context.ts';
import { toChangedPrice } from '../currency.ts';
import { loadPublicArtist } from '../public_artist.ts';

const COLUMNS = ['id', 'name', 'description', 'duration_minutes', 'is_available', 'price'] as const;

export type ServiceRow = Pick<Selectable<Services>, (typeof COLUMNS)[number]>;

/** Selects an artist's services, in the order that the artist chose. */
export function selectServices(database: Database, artistId: string | Expression<string>) {
  return database
    .selectFrom('services')
    .select(COLUMNS)
    .where('artist_id', '=', artistId)
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('created_at')
    .orderBy('id');
}

/** Selects the services that clients can book. */
export function selectAvailableServices(database: Database, artistId: string | Expression<string>) {
  return selectServices(database, artistId).where('is_available', '=', true);
}

/** Finds a service of this artist only. */
export function findService(database: Database, artistId: string, id: string) {
  return selectServices(database, artistId).where('id', '=', id).executeTakeFirst();
}

/** Lists the services that clients can book. `until` is null: only a write changes them. */
export async function listAvailableServices(
  context: Context,
  username: string,
  page: PageQuery,
): Promise<Cacheable<ListPage<Service>>> {
  const { id } = await loadPublicArtist(context, username);
  const { rows, count } = await loadPage(selectAvailableServices(context.database, id), page);
  const value = { data: rows.map(toService), count };
  return { value, tags: [tag.artist(id), tag.services(id)], until: null };
}

/** Loads a service that clients can book. */
export async function loadAvailableService(
  context: Context,
  username: string,
  id: string,
): Promise<Cacheable<Service>> {
  const artist = await loadPublicArtist(context, username);
  const available = selectAvailableServices(context.database, artist.id);
  const value = toService(requireFound(await available.where('id', '=', id).executeTakeFirst()));
  return { value, tags: [tag.artist(artist.id), tag.services(artist.id)], until: null };
}

/** Lists all services of the artist, also those that clients cannot book. */
export async function listServices(
  { database }: Context,
  artistId: string,
  page: PageQuery,
): Promise<ListPage<Service>> {
  const { rows, count } = await loadPage(selectServices(database, artistId), page);
  return { data: rows.map(toService), count };
}

/** Loads a service of the artist, also one that clients cannot book. */
export async function loadService(
  { database }: Context,
  artistId: string,
  id: string,
): Promise<Service> {
  return toService(requireFound(await findService(database, artistId, id)));
}

/** Adds a service at the end of the artist's list. */
export function createService(
  context: Context,
  artistId: string,
  { duration, price, ...service }: NewService,
): Promise<Service> {
  const invalidates = [tag.services(artistId)];
  return change(context, { lock: 'artist', artistId, invalidates }, async ({ database }) => {
    await requireRoom(database, 'services', artistId);
    const row = await database
      .insertInto('services')
      .values({
        ...service,
        artist_id: artistId,
        duration_minutes: duration,
        price: (await toChangedPrice(database, artistId, price)) ?? null,
        position: nextPosition('services', artistId),
      })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    return toService(row);
  });
}

/** Undefined fields stay unchanged; `position` counts from 0. */
export function updateService(
  context: Context,
  artistId: string,
  id: string,
  { duration, position, price, ...changes }: ServiceChanges,
): Promise<Service> {
  const invalidates = [tag.services(artistId)];
  return change(context, { lock: 'artist', artistId, invalidates }, async ({ database }) => {
    if (position !== undefined)
      await moveToPosition(database, 'services', { id, artistId }, position);
    const row = await database
      .updateTable('services')
      .set({
        ...changes,
        duration_minutes: duration,
        price: await toChangedPrice(database, artistId, price),
        // An UPDATE must set a column, even without changes: `artist_id` keeps its value.
        artist_id: artistId,
      })
      .where('id', '=', id)
      .where('artist_id', '=', artistId)
      .where('deleted_at', 'is', null)
      .returning(COLUMNS)
      .executeTakeFirst();
    return toService(requireFound(row));
  });
}

/**
 * Removes a service from the artist's list; the row stays for the appointments that show it. For designs
 * that were booked with it, clients choose a service again.
 */
export function deleteService(context: Context, artistId: string, id: string): Promise<void> {
  const invalidates = [tag.services(artistId), tag.designs(artistId)];
  return change(context, { invalidates }, async ({ database }, now) => {
    const deleted = await database
      .updateTable('services')
      .set({ deleted_at: new Date(now) })
      .where('id', '=', id)
      .where('artist_id', '=', artistId)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    requireFound(deleted);
    await database
      .updateTable('designs')
      .set({ service_id: null })
      .where('service_id', '=', id)
      .where('artist_id', '=', artistId)
      .execute();
  });
}

export function toService(row: ServiceRow): Service {
  const { id, name, description, duration_minutes: duration, is_available, price } = row;
  return { id, name, description, duration, is_available, price };
}
