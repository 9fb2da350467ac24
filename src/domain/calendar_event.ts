/** As much of a studio as a calendar entry tells. */
export interface StudioAddress {
  readonly name: string;
  readonly address_one: string;
  readonly address_two: string | null;
  readonly city: string;
  readonly state: string;
  readonly zip_code: string;
}

/** An appointment as a personal calendar keeps it. */
export interface CalendarEvent {
  readonly title: string;
  readonly description: string;
  readonly location: string;
  /** Milliseconds since 1970-01-01T00:00Z, included. */
  readonly start: number;
  /** The same, excluded. */
  readonly end: number;
}

const MINUTE_MS = 60_000;

/**
 * What to write into a client's calendar (specification, section 9). `start` and `end` are RFC 3339
 * as the API tells them, `end` being the last minute inside; the entry's end is one minute later.
 */
export function toCalendarEvent(start: string, end: string, studio: StudioAddress): CalendarEvent {
  return {
    title: 'Tattoo Appointment',
    description: `Tattoo appointment at ${studio.name}.`,
    location: [studio.name, ...formatAddressLines(studio)].join(', '),
    start: Date.parse(start),
    end: Date.parse(end) + MINUTE_MS,
  };
}

/** A studio's address as it is written on an envelope, without its name. */
export function formatAddressLines(studio: StudioAddress): string[] {
  return [
    studio.address_one,
    studio.address_two ?? '',
    `${studio.city}, ${studio.state} ${studio.zip_code}`,
  ].filter((line) => line !== '');
}

/**
 * The UID of an appointment in calendar files: always the same, so that a file loaded again
 * replaces its entry. It does not tell the id, with which anyone could confirm (design, decision 10).
 */
export async function calendarUid(appointmentId: string): Promise<string> {
  const bytes = new TextEncoder().encode(`calendar entry of ${appointmentId.toLowerCase()}`);
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  return `${hex.join('')}@linework`;
}
