/** The zone as people read it: `America/New York`. */
export function formatTimeZone(zone: string): string {
  return zone.replaceAll('_', ' ');
}

/**
 * The zones that a person may mean, those whose city begins with what was typed first. Capitals,
 * spaces and underscores do not matter; nothing typed means every zone.
 */
export function searchTimeZones(typed: string, zones: readonly string[]): readonly string[] {
  const wanted = normalizeForSearch(typed);
  const found = zones.filter((zone) => normalizeForSearch(zone).includes(wanted));
  const first = found.filter((zone) => normalizeForSearch(cityOfZone(zone)).startsWith(wanted));
  return [...first, ...found.filter((zone) => !first.includes(zone))];
}

/** The zone that goes by exactly this name, as freely typed; undefined when there is none. */
export function matchTimeZone(typed: string, zones: readonly string[]): string | undefined {
  return zones.find((zone) => normalizeForSearch(zone) === normalizeForSearch(typed));
}

function cityOfZone(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1);
}

function normalizeForSearch(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_]/g, '');
}
