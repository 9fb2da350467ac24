/** Finds IANA time zones by the text that a person types. */

/** Further names of each zone, such as cities and countries. A name that other zones have too ends in `?`. */
type OtherNames = ReadonlyMap<string, readonly string[]>;

const NO_NAMES: OtherNames = new Map();

/**
 * The zones with a name that begins with the text, or whose IANA name contains it; the best match first.
 * Ignores case, accents, spaces and underscores; an empty text finds every zone.
 */
export function searchTimeZones(
  typed: string,
  zones: readonly string[],
  otherNames: OtherNames = NO_NAMES,
): readonly string[] {
  const wanted = normalizeForSearch(typed);
  if (wanted === '') return zones;
  const matches = new Map(zones.map((zone) => [zone, matchOf(zone, wanted, otherNames)]));
  return MATCHES.flatMap((match) => zones.filter((zone) => matches.get(zone) === match));
}

/** How a zone matches, the best first: a whole name, the start of its city, of another name, or a part. */
const MATCHES = ['name', 'city', 'other', 'part'] as const;
type Match = (typeof MATCHES)[number];

function matchOf(zone: string, wanted: string, otherNames: OtherNames): Match | 'none' {
  const [city = '', ...others] = shortNames(zone, otherNames);
  if (city === wanted || others.includes(wanted)) return 'name';
  if (city.startsWith(wanted)) return 'city';
  if (others.some((name) => name.startsWith(wanted))) return 'other';
  return normalizeForSearch(zone).includes(wanted) ? 'part' : 'none';
}

/** The city in the zone's name, then its other names, without the `?` at their ends. */
function shortNames(zone: string, otherNames: OtherNames): string[] {
  const city = zone.slice(zone.lastIndexOf('/') + 1);
  return [city, ...(otherNames.get(zone) ?? [])].map(normalizeForSearch);
}

/** The zone with exactly this IANA name. Ignores case, accents, spaces and underscores. */
export function matchTimeZone(typed: string, zones: readonly string[]): string | undefined {
  return zones.find((zone) => normalizeForSearch(zone) === normalizeForSearch(typed));
}

/**
 * The zone with exactly this IANA name, else the only zone with exactly this city or other name; undefined
 * if there are several, or none, and for a name that others share, such as `CST` or `Georgia`.
 */
export function onlyTimeZoneNamed(
  typed: string,
  zones: readonly string[],
  otherNames: OtherNames = NO_NAMES,
): string | undefined {
  const exact = matchTimeZone(typed, zones);
  if (exact !== undefined) return exact;
  const wanted = normalizeForSearch(typed);
  const unsharedNames = new Map(
    [...otherNames].map(([zone, names]) => [zone, names.filter((name) => !name.endsWith('?'))]),
  );
  const named = zones.filter((zone) => shortNames(zone, unsharedNames).includes(wanted));
  return named.length === 1 ? named[0] : undefined;
}

/** Also without the `?` of a name that zones share. */
function normalizeForSearch(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[\s_.'’?\p{M}]/gu, '');
}
