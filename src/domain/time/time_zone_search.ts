/** Finds IANA time zones by the text that a person types. */

/** Further names of a zone, such as cities and countries; one that ends in `?` is that of others too. */
type OtherNames = ReadonlyMap<string, readonly string[]>;

const NO_NAMES: OtherNames = new Map();

/**
 * The zones with a name that begins with the text, or whose IANA name contains it; the best match first.
 * Ignores case, accents, spaces and underscores; an empty text finds every zone.
 */
export function searchTimeZones(
  typed: string,
  zones: readonly string[],
  others: OtherNames = NO_NAMES,
): readonly string[] {
  const wanted = normalizeForSearch(typed);
  if (wanted === '') return zones;
  const ranks = new Map(zones.map((zone) => [zone, rankOf(zone, wanted, others)]));
  return RANKS.flatMap((rank) => zones.filter((zone) => ranks.get(zone) === rank));
}

/** From the best on. */
const RANKS = ['name', 'city', 'other', 'part'] as const;

function rankOf(zone: string, wanted: string, others: OtherNames): (typeof RANKS)[number] | 'none' {
  const [city = '', ...names] = shortNames(zone, others);
  if (city === wanted || names.includes(wanted)) return 'name';
  if (city.startsWith(wanted)) return 'city';
  if (names.some((name) => name.startsWith(wanted))) return 'other';
  return normalizeForSearch(zone).includes(wanted) ? 'part' : 'none';
}

/** The city in the zone's name, then its other names. */
function shortNames(zone: string, others: OtherNames): string[] {
  const city = zone.slice(zone.lastIndexOf('/') + 1);
  return [city, ...(others.get(zone) ?? [])].map(normalizeForSearch);
}

/** The zone with exactly this IANA name. Ignores case, accents, spaces and underscores. */
export function matchTimeZone(typed: string, zones: readonly string[]): string | undefined {
  return zones.find((zone) => normalizeForSearch(zone) === normalizeForSearch(typed));
}

/**
 * The only zone that has exactly this name, of any kind; undefined if there are several, or none, and for a
 * name that others share, such as `CST` or `Georgia`.
 */
export function onlyTimeZoneNamed(
  typed: string,
  zones: readonly string[],
  others: OtherNames = NO_NAMES,
): string | undefined {
  const wanted = normalizeForSearch(typed);
  const sure = new Map(
    [...others].map(([zone, names]) => [zone, names.filter((name) => !name.endsWith('?'))]),
  );
  const named = zones.filter((zone) => shortNames(zone, sure).includes(wanted));
  return matchTimeZone(typed, zones) ?? (named.length === 1 ? named[0] : undefined);
}

function normalizeForSearch(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[\s_.'’?\p{M}]/gu, '');
}
