/** Finds IANA time zones by the text that a person types. */

/**
 * The zones that contain the text, first those whose city begins with it. Ignores case, spaces and
 * underscores; an empty text finds every zone.
 */
export function searchTimeZones(typed: string, zones: readonly string[]): readonly string[] {
  const wanted = normalizeForSearch(typed);
  const found = zones.filter((zone) => normalizeForSearch(zone).includes(wanted));
  const isCityMatch = (zone: string) =>
    normalizeForSearch(zone.slice(zone.lastIndexOf('/') + 1)).startsWith(wanted);
  return [...found.filter(isCityMatch), ...found.filter((zone) => !isCityMatch(zone))];
}

/** The zone with exactly this name. Ignores case, spaces and underscores. */
export function matchTimeZone(typed: string, zones: readonly string[]): string | undefined {
  return zones.find((zone) => normalizeForSearch(zone) === normalizeForSearch(typed));
}

function normalizeForSearch(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_]/g, '');
}
