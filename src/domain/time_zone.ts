/** Whether the platform knows the name as an IANA time zone; offsets such as `+02:00` are not zones. */
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
 * The zone's name in the capitals of the IANA database, where the platform goes by that name; what
 * is no zone stays as it is.
 */
export function normalizeTimeZone(zone: string): string {
  if (!isTimeZone(zone)) return zone;
  const known = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  return known.toLowerCase() === zone.toLowerCase() ? known : zone;
}
