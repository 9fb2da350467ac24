import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { LocalDate } from '#domain/calendar_date.ts';
import { pluralize } from '#domain/duration.ts';
import { formatShortDayAndTime } from '#domain/format_time.ts';
import { type StudioZone, zoneOf } from '#domain/zone_offsets.ts';
import { $bookedOnDates, selectDates, touchesDates } from '#stores/studio/booked_on_dates.ts';
import { appointmentClientName } from '../appointments/labels.ts';

interface BookedOnDatesProps {
  studio: StudioZone;
  first: LocalDate;
  last: LocalDate;
}

/** Who is booked on dates, both included, that the artist may take off; nothing while nobody is. */
export function BookedOnDates({ studio, first, last }: BookedOnDatesProps) {
  useEffect(() => selectDates({ first, last }), [first, last]);
  useEffect(() => () => selectDates(null), []);
  const { data = [] } = useStore($bookedOnDates);
  const booked = data.filter((one) => touchesDates(one, { first, last }, studio));
  return (
    <div role="status" className="empty:hidden">
      {booked.length > 0 && (
        <>
          <p className="font-semibold">
            {`${pluralize(booked.length, 'appointment')} ${booked.length === 1 ? 'stays' : 'stay'} on ${first === last ? 'this day' : 'these days'}:`}
          </p>
          <ul className="max-h-56 overflow-y-auto">
            {booked.map(({ appointment, start }) => (
              <li key={appointment.id}>
                <a
                  href={`/studio/appointments?id=${appointment.id}`}
                  className="link inline-flex min-h-11 items-center wrap-anywhere"
                >
                  {`${formatShortDayAndTime(start, zoneOf(studio, appointment))}: ${appointmentClientName(appointment.client)}`}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
