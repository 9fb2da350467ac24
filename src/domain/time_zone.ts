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
