import { type Instant, MINUTE_MS } from './time.ts';

export interface StudioAddress {
  readonly name: string;
  readonly address_one: string;
  readonly address_two: string | null;
  readonly city: string;
  readonly state: string;
  readonly zip_code: string;
}

/** An appointment as an event in a client's own calendar. */
export interface CalendarEvent {
  readonly title: string;
  readonly description: string;
  readonly location: string;
  readonly start: Instant;
  /** Excluded. */
  readonly end: Instant;
}

/** `start` and `end` are RFC 3339; `end` is the last minute, included (specification, section 9). */
export function toCalendarEvent(start: string, end: string, studio: StudioAddress): CalendarEvent {
  return {
    title: 'Tattoo Appointment',
    description: `Tattoo appointment at ${studio.name}.`,
    location: [studio.name, ...formatAddressLines(studio)].join(', '),
    start: Date.parse(start),
    end: Date.parse(end) + MINUTE_MS,
  };
}

/** The lines of a postal address, without the studio's name. */
export function formatAddressLines(studio: StudioAddress): string[] {
  return [
    studio.address_one,
    studio.address_two ?? '',
    `${studio.city}, ${studio.state} ${studio.zip_code}`,
  ].filter((line) => line !== '');
}

/**
 * The UID of an appointment in calendar files. It never changes, so a newer file replaces the event.
 * It is a hash because anyone who knows the appointment's id can confirm the appointment.
 */
export async function calendarUid(appointmentId: string): Promise<string> {
  const bytes = new TextEncoder().encode(`calendar entry of ${appointmentId.toLowerCase()}`);
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  return `${hex.join('')}@linework`;
}
