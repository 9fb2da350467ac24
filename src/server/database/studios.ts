import type { Database } from './connect.ts';

/** The address of a studio, without `name`, which most queries rename. */
export const ADDRESS_COLUMNS = [
  'studios.address_one',
  'studios.address_two',
  'studios.city',
  'studios.state',
  'studios.zip_code',
  'studios.time_zone',
] as const;

/** The zones of all studios, each once. */
export async function listZones(database: Database): Promise<string[]> {
  const rows = await database.selectFrom('studios').select('time_zone').distinct().execute();
  return rows.map(({ time_zone }) => time_zone);
}

/**
 * Gives a zone another name; the clocks of the studios, and what was agreed by them, stay.
 * @returns the ids of the artists whose studios are there
 */
export async function renameZone(
  transaction: Database,
  zone: string,
  name: string,
): Promise<string[]> {
  // First, because agreed times in another zone than the studio's are forgotten.
  await transaction
    .updateTable('appointment_times')
    .set({ agreed_zone: name })
    .where('agreed_zone', '=', zone)
    .execute();
  const artists = await transaction
    .with('renamed', (query) =>
      query
        .updateTable('studios')
        .set({ time_zone: name })
        .where('time_zone', '=', zone)
        .returning('id'),
    )
    .selectFrom('artists')
    .innerJoin('renamed', 'renamed.id', 'artists.studio_id')
    .select('artists.id')
    .execute();
  return artists.map(({ id }) => id);
}
