/** In browsers, in place of `zone_data.ts`: only the server knows time zones (docs/decisions, 0065). */

/** @throws RangeError for all zones but `UTC` */
export function zoneOffsetAt(zone: string): number {
  if (zone === 'UTC') return 0;
  throw new RangeError(`Only the server knows the offsets of ${zone}`);
}

/** The name itself: only the server knows today's name of a zone. */
export function canonicalZone(name: string): string | null {
  return name;
}

/** Whether the names are the same: only the server knows that two names are of one zone. */
export function isSameZone(one: string, other: string): boolean {
  return one === other;
}
