import type { Expression, InsertObject, Updateable } from 'kysely';
import type { Database } from './connect.ts';
import { loadPage, type Pagination } from './pagination.ts';
import type { DB, Services } from './tables.ts';

const COLUMNS = ['id', 'name', 'description', 'duration_minutes', 'is_available', 'price'] as const;

/** @param onlyAvailable leaves out services that clients may not book */
function selectServices(
  database: Database,
  artistId: string | Expression<string>,
  onlyAvailable: boolean,
) {
  return database
    .selectFrom('services')
    .select(COLUMNS)
    .where('artist_id', '=', artistId)
    .where('deleted_at', 'is', null)
    .$if(onlyAvailable, (query) => query.where('is_available', '=', true));
}

export type ServiceRow = NonNullable<Awaited<ReturnType<typeof findService>>>;

/** Selects an artist's services, in the order that the artist chose. */
export function selectOrderedServices(
  database: Database,
  artistId: string | Expression<string>,
  { onlyAvailable }: { onlyAvailable: boolean },
) {
  return selectServices(database, artistId, onlyAvailable)
    .orderBy('position')
    .orderBy('created_at')
    .orderBy('id');
}

export function listServices(
  database: Database,
  artistId: string,
  filter: { onlyAvailable: boolean },
  page: Pagination,
) {
  return loadPage(selectOrderedServices(database, artistId, filter), page);
}

/** Finds a service of this artist only. */
export function findService(
  database: Database,
  artistId: string,
  id: string,
  { onlyAvailable }: { onlyAvailable: boolean },
) {
  return selectServices(database, artistId, onlyAvailable).where('id', '=', id).executeTakeFirst();
}

export function insertService(database: Database, service: InsertObject<DB, 'services'>) {
  return database
    .insertInto('services')
    .values(service)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Returns the updated service; undefined when this artist has no such service. */
export function updateService(
  database: Database,
  artistId: string,
  id: string,
  changes: Updateable<Services>,
): Promise<ServiceRow | undefined> {
  return (
    database
      .updateTable('services')
      // An UPDATE must set a column, even when `changes` is empty: `artist_id` keeps its value.
      .set({ ...changes, artist_id: artistId })
      .where('id', '=', id)
      .where('artist_id', '=', artistId)
      .where('deleted_at', 'is', null)
      .returning(COLUMNS)
      .executeTakeFirst()
  );
}

/**
 * Marks a service as deleted; the row stays for the appointments that refer to it. For designs that were
 * booked with it, clients choose a service again.
 * @returns false when this artist has no such service
 */
export async function deleteService(database: Database, artistId: string, id: string) {
  const { numUpdatedRows } = await database
    .updateTable('services')
    .set({ deleted_at: new Date() })
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await database
    .updateTable('designs')
    .set({ service_id: null })
    .where('service_id', '=', id)
    .where('artist_id', '=', artistId)
    .execute();
  return true;
}
