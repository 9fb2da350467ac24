/** Whether the platform knows the IANA time zone; offsets such as `+02:00` are not zones. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * Gives the zone the letter case of the IANA database. Unknown zones stay unchanged, and so do names
 * that the platform would replace by another name for the same zone.
 */
export function normalizeTimeZone(zone: string): string {
  if (!isTimeZone(zone)) return zone;
  const resolved = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  return resolved.toLowerCase() === zone.toLowerCase() ? resolved : zone;
}

/**
 * The city in a zone's name, such as `Los Angeles`, to tell two times in one line apart. Everywhere
 * else people read the IANA name, such as `America/Los_Angeles`.
 */
export function timeZoneCity(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}
