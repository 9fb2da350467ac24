import type { Confirmation } from '#contract/appointment.ts';
import { toCalendarEvent } from '#domain/calendar_event.ts';
import { googleCalendarUrl, outlookCalendarUrl } from '#domain/calendar_links.ts';

/** Puts the booked time into the client's own calendar. */
export function CalendarLinks({ confirmation }: { confirmation: Confirmation }) {
  const { id, start, end, user } = confirmation;
  if (start === null || end === null) return null;
  const entry = toCalendarEvent(start, end, user.studio);
  return (
    <section aria-labelledby="calendar-links">
      <h3 id="calendar-links" className="text-xl">
        Add to calendar
      </h3>
      <ul className="mt-3 flex flex-wrap gap-3">
        <li>
          <a
            className="button"
            href={googleCalendarUrl(entry)}
            target="_blank"
            rel="noopener noreferrer"
          >
            Google
          </a>
        </li>
        <li>
          <a
            className="button"
            href={`/${user.username}/confirmation/${id}/appointment.ics`}
            download
          >
            Apple
          </a>
        </li>
        <li>
          <a
            className="button"
            href={outlookCalendarUrl(entry)}
            target="_blank"
            rel="noopener noreferrer"
          >
            Outlook
          </a>
        </li>
      </ul>
    </section>
  );
}
