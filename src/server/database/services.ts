import type { InsertObject, Updateable } from 'kysely';
import type { Database } from './connect.ts';
import { loadPage, type Pagination, TOTAL_COUNT } from './pagination.ts';
import type { DB, Services } from './tables.ts';

const COLUMNS = ['id', 'name', 'description', 'duration_minutes', 'is_available'] as const;

function selectServices(database: Database, artistId: string, onlyAvailable: boolean) {
  return database
    .selectFrom('services')
    .where('artist_id', '=', artistId)
    .where('deleted_at', 'is', null)
    .$if(onlyAvailable, (query) => query.where('is_available', '=', true));
}

export type ServiceRow = NonNullable<Awaited<ReturnType<typeof findService>>>;

/** An artist's services, in the artist's order. */
export function listServices(
  database: Database,
  artistId: string,
  { onlyAvailable }: { onlyAvailable: boolean },
  page: Pagination,
) {
  const all = selectServices(database, artistId, onlyAvailable);
  return loadPage(
    all.select(COLUMNS).orderBy('position').orderBy('created_at').orderBy('id'),
    all.select(TOTAL_COUNT),
    page,
  );
}

/** A service of this artist. */
export function findService(
  database: Database,
  artistId: string,
  id: string,
  { onlyAvailable }: { onlyAvailable: boolean },
) {
  return selectServices(database, artistId, onlyAvailable)
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function insertService(
  database: Database,
  service: InsertObject<DB, 'services'>,
): Promise<ServiceRow> {
  return database
    .insertInto('services')
    .values(service)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** The service afterwards; undefined when this artist has none such. */
export function updateService(
  database: Database,
  artistId: string,
  id: string,
  changes: Updateable<Services>,
): Promise<ServiceRow | undefined> {
  return (
    database
      .updateTable('services')
      // With the owner set too, no change at all is still a sentence.
      .set({ ...changes, artist_id: artistId })
      .where('id', '=', id)
      .where('artist_id', '=', artistId)
      .where('deleted_at', 'is', null)
      .returning(COLUMNS)
      .executeTakeFirst()
  );
}

/** Takes the service away; appointments that name it go on naming it. */
export async function deleteService(
  database: Database,
  artistId: string,
  id: string,
): Promise<boolean> {
  const deleted = await database
    .updateTable('services')
    .set({ deleted_at: new Date() })
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}
