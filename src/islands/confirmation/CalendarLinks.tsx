import type { ComponentProps } from 'react';
import type { Confirmation } from '#contract/appointment.ts';
import { toCalendarEvent } from '#domain/appointments/calendar_event.ts';
import { googleCalendarUrl, outlookCalendarUrl } from '#domain/appointments/calendar_links.ts';

/** Links that add the appointment to a calendar; nothing while it has no time. */
export function CalendarLinks({ confirmation }: { confirmation: Confirmation }) {
  const { id, start, end, user } = confirmation;
  if (start === null || end === null) return null;
  const event = toCalendarEvent({ start, end, url: null }, user.studio);
  return (
    <section aria-labelledby="calendar-links" className="mb-3">
      <h3 id="calendar-links" className="text-xl">
        Add to calendar
      </h3>
      <ul className="mt-3 flex flex-wrap gap-3">
        <CalendarLink href={googleCalendarUrl(event)} target="_blank" rel="noopener noreferrer">
          Google
        </CalendarLink>
        <CalendarLink href={`/${user.username}/confirmation/${id}/appointment.ics`} download>
          Apple
        </CalendarLink>
        <CalendarLink href={outlookCalendarUrl(event)} target="_blank" rel="noopener noreferrer">
          Outlook
        </CalendarLink>
      </ul>
    </section>
  );
}

function CalendarLink({ children, ...attributes }: ComponentProps<'a'>) {
  return (
    <li className="flex-1">
      <a {...attributes} className="button w-full px-2">
        {children}
      </a>
    </li>
  );
}
