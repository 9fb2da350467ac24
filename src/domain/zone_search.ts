/** The zone as people read it: `America/New York`. */
export function zoneName(zone: string): string {
  return zone.replaceAll('_', ' ');
}

/**
 * The zones that a person may mean, those whose city begins with what was typed first. Capitals,
 * spaces and underscores do not matter; nothing typed means every zone.
 */
export function zonesLike(typed: string, zones: readonly string[]): readonly string[] {
  const wanted = squeeze(typed);
  const found = zones.filter((zone) => squeeze(zone).includes(wanted));
  const first = found.filter((zone) => squeeze(cityOf(zone)).startsWith(wanted));
  return [...first, ...found.filter((zone) => !first.includes(zone))];
}

/** The zone that goes by exactly this name, as freely typed; undefined when there is none. */
export function zoneCalled(typed: string, zones: readonly string[]): string | undefined {
  return zones.find((zone) => squeeze(zone) === squeeze(typed));
}

function cityOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1);
}

function squeeze(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_]/g, '');
}
