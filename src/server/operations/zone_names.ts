import { tag } from '#cache/policy.ts';
import { canonicalZone } from '#domain/zone_data.ts';
import { listZones, renameZone } from '#server/database/studios.ts';
import type { Context } from './context.ts';

/**
 * Gives the studios' zones today's names in their usual spelling, as new ones get at the door. At each
 * start, because the names change with Node's zone data, and SQL does not know them.
 */
export async function renameZones({
  database,
  invalidate,
}: Pick<Context, 'database' | 'invalidate'>): Promise<void> {
  for (const zone of await listZones(database)) {
    const name = canonicalZone(zone);
    if (name === null || name === zone) continue;
    const artistIds = await renameZone(database, zone, name);
    await invalidate([...artistIds.map(tag.artist), tag.explore()]);
  }
}
