import { type Cacheable, tag } from '#cache/policy.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import type { NewService, Service, ServiceChanges } from '#contract/service.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { moveToPosition, nextPosition } from '#server/database/ordered_lists.ts';
import * as services from '#server/database/services.ts';
import { requireRoom } from './account_limits.ts';
import { loadPublicArtist } from './concerned_artist.ts';
import type { Context } from './context.ts';
import { toChangedPrice } from './currency.ts';
import { invalidating } from './invalidating.ts';

/** Lists the services that clients can book. `until` is null: only a write changes them. */
export async function listAvailableServices(
  context: Context,
  username: string,
  page: PageQuery,
): Promise<Cacheable<ListPage<Service>>> {
  const artist = await loadPublicArtist(context, username);
  const value = await listServices(context, artist.id, page, { onlyAvailable: true });
  return { value, tags: [tag.artist(artist.id), tag.services(artist.id)], until: null };
}

export async function loadAvailableService(
  context: Context,
  username: string,
  id: string,
): Promise<Cacheable<Service>> {
  const artist = await loadPublicArtist(context, username);
  const value = await loadService(context, artist.id, id, { onlyAvailable: true });
  return { value, tags: [tag.artist(artist.id), tag.services(artist.id)], until: null };
}

/** @param filter `onlyAvailable` leaves out services that clients cannot book */
export async function listServices(
  { database }: Context,
  artistId: string,
  page: PageQuery,
  filter: { onlyAvailable: boolean },
): Promise<ListPage<Service>> {
  const { rows, count } = await services.listServices(database, artistId, filter, page);
  return { data: rows.map(toService), count };
}

/** @throws Refusal `not_found` */
export async function loadService(
  { database }: Context,
  artistId: string,
  id: string,
  filter: { onlyAvailable: boolean },
): Promise<Service> {
  const row = requireFound(await services.findService(database, artistId, id, filter));
  return toService(row);
}

/**
 * Adds a service at the end of the artist's list. `nextPosition` returns an SQL expression.
 * @throws Refusal `too_many_services`
 */
export async function createService(
  context: Context,
  artistId: string,
  { name, description, duration, is_available, price }: NewService,
): Promise<Service> {
  const row = await invalidating(context, [tag.services(artistId)], () =>
    context.database.transaction().execute(async (transaction) => {
      await requireRoom(transaction, 'services', artistId);
      return services.insertService(transaction, {
        artist_id: artistId,
        name,
        description,
        duration_minutes: duration,
        is_available,
        price: (await toChangedPrice(transaction, artistId, price)) ?? null,
        position: nextPosition('services', artistId),
      });
    }),
  );
  return toService(row);
}

/** Undefined fields stay unchanged; `position` counts from 0. */
export async function updateService(
  context: Context,
  artistId: string,
  id: string,
  { duration, position, price, ...changes }: ServiceChanges,
): Promise<Service> {
  return invalidating(context, [tag.services(artistId)], () =>
    context.database.transaction().execute(async (transaction) => {
      if (position !== undefined)
        await moveToPosition(transaction, 'services', artistId, id, position);
      const columns = {
        ...changes,
        duration_minutes: duration,
        price: await toChangedPrice(transaction, artistId, price),
      };
      return toService(
        requireFound(await services.updateService(transaction, artistId, id, columns)),
      );
    }),
  );
}

/** Removes a service from the artist's list; existing appointments still show it. */
export async function deleteService(context: Context, artistId: string, id: string): Promise<void> {
  const isDeleted = await invalidating(
    context,
    [tag.services(artistId), tag.designs(artistId)],
    () =>
      context.database
        .transaction()
        .execute((transaction) => services.deleteService(transaction, artistId, id)),
  );
  if (!isDeleted) throw refuse('not_found');
}

export function toService(row: services.ServiceRow): Service {
  const { id, name, description, duration_minutes: duration, is_available, price } = row;
  return { id, name, description, duration, is_available, price };
}
