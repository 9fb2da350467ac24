import { tag } from '#cache/policy.ts';
import { canonicalZone } from '#domain/zone_data.ts';
import { listZones, renameZone } from '#server/database/studios.ts';
import { change } from './change.ts';
import type { Context } from './context.ts';

/**
 * Gives the studios' zones today's names in their usual spelling, as new ones get at the door. At each
 * start, because the names change with Node's zone data, and SQL does not know them.
 */
export async function renameZones(
  context: Pick<Context, 'database' | 'invalidate'>,
): Promise<void> {
  for (const zone of await listZones(context.database)) {
    const name = canonicalZone(zone);
    if (name === null || name === zone) continue;
    const invalidates = (artistIds: string[]) => [...artistIds.map(tag.artist), tag.explore()];
    await change(context, { lock: 'none', invalidates }, (transaction) =>
      renameZone(transaction, zone, name),
    );
  }
}
