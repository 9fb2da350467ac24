import type { Cacheable } from '#cache/policy.ts';
import { tag } from '#cache/policy.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import type { NewService, Service, ServiceChanges } from '#contract/service.ts';
import { refuse } from '#domain/refusal.ts';
import { findActiveArtist } from '#server/database/artists.ts';
import { endOf, moveTo } from '#server/database/order.ts';
import * as services from '#server/database/services.ts';
import type { Context } from './context.ts';
import { invalidating } from './invalidating.ts';

/** All of the artist's own services. */
export async function listOwnServices(
  context: Context,
  artistId: string,
  page: PageQuery,
): Promise<ListPage<Service>> {
  return showList(
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
  return { value: showList(listed), tags: tagsOf(artist.id), until: null };
}

/** What tells of an artist's services; the artist too, as their username leads there. */
function tagsOf(artistId: string): readonly string[] {
  return [tag.artist(artistId), tag.services(artistId)];
}

export async function readAvailableService(
  context: Context,
  username: string,
  id: string,
): Promise<Cacheable<Service>> {
  const artist = await findActiveArtist(context.database, username);
  if (!artist) throw refuse('not_found');
  const row = await services.findService(context.database, artist.id, id, { onlyAvailable: true });
  return { value: found(row), tags: tagsOf(artist.id), until: null };
}

export async function readOwnService(
  context: Context,
  artistId: string,
  id: string,
): Promise<Service> {
  return found(
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
      position: endOf('services', artistId),
    }),
  );
  return showService(row);
}

export async function changeService(
  context: Context,
  artistId: string,
  id: string,
  { duration, position, ...changes }: ServiceChanges,
): Promise<Service> {
  return invalidating(context, [tag.services(artistId)], () =>
    context.database.transaction().execute(async (transaction) => {
      if (position !== undefined) await moveTo(transaction, 'services', artistId, id, position);
      return found(
        await services.updateService(transaction, artistId, id, {
          ...changes,
          duration_minutes: duration,
        }),
      );
    }),
  );
}

export async function removeService(context: Context, artistId: string, id: string): Promise<void> {
  const isDeleted = await invalidating(context, [tag.services(artistId)], () =>
    services.deleteService(context.database, artistId, id),
  );
  if (!isDeleted) throw refuse('not_found');
}

function found(row: services.ServiceRow | undefined): Service {
  if (!row) throw refuse('not_found');
  return showService(row);
}

function showList({ rows, count }: { rows: services.ServiceRow[]; count: number }) {
  return { data: rows.map(showService), count };
}

export function showService(row: services.ServiceRow): Service {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    duration: row.duration_minutes,
    is_available: row.is_available,
  };
}
