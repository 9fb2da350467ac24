import type { Cacheable } from '#cache/policy.ts';
import { tag } from '#cache/policy.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import type { NewService, Service, ServiceChanges } from '#contract/service.ts';
import { refuse } from '#domain/refusal.ts';
import { findActiveArtist } from '#server/database/artists.ts';
import { moveToPosition, nextPosition } from '#server/database/ordered_lists.ts';
import * as services from '#server/database/services.ts';
import type { Context } from './context.ts';
import { invalidating } from './invalidating.ts';

/** All of the artist's own services. */
export async function listOwnServices(
  context: Context,
  artistId: string,
  page: PageQuery,
): Promise<ListPage<Service>> {
  return toServiceList(
    await services.listServices(context.database, artistId, { onlyAvailable: false }, page),
  );
}

/** What clients can book of an artist. */
export async function listAvailableServices(
  context: Context,
  username: string,
  page: PageQuery,
): Promise<Cacheable<ListPage<Service>>> {
  const artist = await findActiveArtist(context.database, username);
  if (!artist) throw refuse('not_found');
  const listed = await services.listServices(
    context.database,
    artist.id,
    { onlyAvailable: true },
    page,
  );
  return { value: toServiceList(listed), tags: cacheTagsOf(artist.id), until: null };
}

/** What tells of an artist's services; the artist too, as their username leads there. */
function cacheTagsOf(artistId: string): readonly string[] {
  return [tag.artist(artistId), tag.services(artistId)];
}

export async function loadAvailableService(
  context: Context,
  username: string,
  id: string,
): Promise<Cacheable<Service>> {
  const artist = await findActiveArtist(context.database, username);
  if (!artist) throw refuse('not_found');
  const row = await services.findService(context.database, artist.id, id, { onlyAvailable: true });
  return { value: toServiceOrRefuse(row), tags: cacheTagsOf(artist.id), until: null };
}

export async function loadOwnService(
  context: Context,
  artistId: string,
  id: string,
): Promise<Service> {
  return toServiceOrRefuse(
    await services.findService(context.database, artistId, id, { onlyAvailable: false }),
  );
}

/** Adds a service at the end of the artist's list. */
export async function createService(
  context: Context,
  artistId: string,
  { name, description, duration, is_available }: NewService,
): Promise<Service> {
  const row = await invalidating(context, [tag.services(artistId)], () =>
    services.insertService(context.database, {
      artist_id: artistId,
      name,
      description,
      duration_minutes: duration,
      is_available,
      position: nextPosition('services', artistId),
    }),
  );
  return toService(row);
}

export async function updateService(
  context: Context,
  artistId: string,
  id: string,
  { duration, position, ...changes }: ServiceChanges,
): Promise<Service> {
  return invalidating(context, [tag.services(artistId)], () =>
    context.database.transaction().execute(async (transaction) => {
      if (position !== undefined)
        await moveToPosition(transaction, 'services', artistId, id, position);
      return toServiceOrRefuse(
        await services.updateService(transaction, artistId, id, {
          ...changes,
          duration_minutes: duration,
        }),
      );
    }),
  );
}

export async function deleteService(context: Context, artistId: string, id: string): Promise<void> {
  const isDeleted = await invalidating(context, [tag.services(artistId)], () =>
    services.deleteService(context.database, artistId, id),
  );
  if (!isDeleted) throw refuse('not_found');
}

function toServiceOrRefuse(row: services.ServiceRow | undefined): Service {
  if (!row) throw refuse('not_found');
  return toService(row);
}

function toServiceList({ rows, count }: { rows: services.ServiceRow[]; count: number }) {
  return { data: rows.map(toService), count };
}

export function toService(row: services.ServiceRow): Service {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    duration: row.duration_minutes,
    is_available: row.is_available,
  };
}
