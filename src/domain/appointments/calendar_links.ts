/**
 * Links that open a web calendar with an event filled in. They leave out the URL of the appointment's
 * page: anyone who reads that calendar could confirm or cancel there.
 */

import { toRfc3339 } from '../time/time.ts';
import type { CalendarEvent } from './calendar_event.ts';

/** Opens Google Calendar with the event filled in. */
export function googleCalendarUrl(event: CalendarEvent): string {
  // Google takes times in ISO 8601's basic format: 20261124T150000Z.
  const dates = `${toRfc3339(event.start)}/${toRfc3339(event.end)}`.replace(/[-:]/g, '');
  return buildUrl('https://calendar.google.com/calendar/render', {
    action: 'TEMPLATE',
    text: event.title,
    dates,
    details: event.description,
    location: event.location,
  });
}

/** Opens Outlook's calendar with the event filled in. */
export function outlookCalendarUrl(event: CalendarEvent): string {
  return buildUrl('https://outlook.live.com/calendar/0/deeplink/compose', {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: event.title,
    startdt: toRfc3339(event.start),
    enddt: toRfc3339(event.end),
    body: event.description,
    location: event.location,
  });
}

// `URLSearchParams` writes spaces as '+', and Outlook shows the '+' to people.
function buildUrl(base: string, parameters: Record<string, string>): string {
  return `${base}?${new URLSearchParams(parameters)}`.replaceAll('+', '%20');
}
