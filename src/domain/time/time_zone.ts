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

/** The zone of this machine; null if the platform names none (`Etc/Unknown`), or one whose times it cannot format. */
export function deviceTimeZone(): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    return timeZone !== 'Etc/Unknown' && isTimeZone(timeZone) ? timeZone : null;
  } catch {
    return null;
  }
}

/** The city in a zone's name, such as `Los Angeles`: a short name, for pages that do not load `describeTimeZone`. */
export function timeZoneCity(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}
