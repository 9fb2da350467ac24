import { tag } from '#cache/policy.ts';
import { canonicalZone } from '#domain/time/zone_data.ts';
import type { Transaction } from '#server/database/connect.ts';
import { change } from '../change.ts';
import type { Context } from '../context.ts';

/**
 * Gives the zones of stored studios today's names in their usual spelling, which new ones get when they are
 * parsed. Runs at each start, because the names change with Node's zone data, and SQL does not know them.
 */
export async function renameZones(
  context: Pick<Context, 'database' | 'invalidate'>,
): Promise<void> {
  const zones = await context.database
    .selectFrom('studios')
    .select('time_zone')
    .distinct()
    .execute();
  for (const { time_zone: zone } of zones) {
    const name = canonicalZone(zone);
    if (name === null || name === zone) continue;
    const invalidates = (artistIds: string[]) => [...artistIds.map(tag.artist), tag.explore()];
    await change(context, { invalidates }, ({ database }) => renameZone(database, zone, name));
  }
}

/**
 * Gives a zone another name. Agreed clock times stay.
 * @returns the ids of the artists with a studio in this zone
 */
async function renameZone(transaction: Transaction, zone: string, name: string): Promise<string[]> {
  // Before the studios: a trigger deletes agreed times in another zone than the studio's new one.
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
