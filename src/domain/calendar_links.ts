import type { CalendarEvent } from './calendar_event.ts';

/** Opens Google Calendar with the entry filled in. */
export function googleCalendarUrl(entry: CalendarEvent): string {
  return buildUrl('https://calendar.google.com/calendar/render', {
    action: 'TEMPLATE',
    text: entry.title,
    dates: `${toBasicUtc(entry.start)}/${toBasicUtc(entry.end)}`,
    details: entry.description,
    location: entry.location,
  });
}

/** Opens Outlook on the web with the entry filled in. */
export function outlookCalendarUrl(entry: CalendarEvent): string {
  return buildUrl('https://outlook.live.com/calendar/0/deeplink/compose', {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: entry.title,
    startdt: toUtcSeconds(entry.start),
    enddt: toUtcSeconds(entry.end),
    body: entry.description,
    location: entry.location,
  });
}

// Outlook shows the '+' of URLSearchParams to people, so spaces are %20.
function buildUrl(base: string, parameters: Record<string, string>): string {
  const query = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return `${base}?${query}`;
}

/** RFC 3339 in UTC, whole seconds. */
function toUtcSeconds(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

/** ISO 8601 basic format in UTC: 20261124T150000Z. */
function toBasicUtc(instant: number): string {
  return toUtcSeconds(instant).replace(/[-:]/g, '');
}
