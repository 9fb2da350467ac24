import { useEffect } from 'react';
import type { LocalDate } from '#domain/calendar_date.ts';
import { pluralize } from '#domain/duration.ts';
import { formatShortDayAndTime } from '#domain/format_time.ts';
import { type StudioZone, zoneOf } from '#domain/zone_offsets.ts';
import type { BookedAppointment } from '#stores/studio/booked_appointments.ts';
import { $bookedOnDates, $shownDates, touchesDates } from '#stores/studio/booked_appointments.ts';
import { appointmentClientName } from '../appointments/labels.ts';
import { TextLink } from '../buttons.tsx';
import { QueryView } from '../LoadableView.tsx';

interface BookedOnDatesProps {
  studio: StudioZone;
  first: LocalDate;
  last: LocalDate;
}

/** Who is booked on dates, both included, that the artist may take off. */
export function BookedOnDates({ studio, first, last }: BookedOnDatesProps) {
  useEffect(() => $shownDates.set({ first, last }), [first, last]);
  useEffect(() => () => $shownDates.set(null), []);
  return (
    <QueryView query={$bookedOnDates} label="bookings" room="line">
      {(booked) => (
        <div role="status">
          <BookedList
            booked={booked.filter((one) => touchesDates(one, { first, last }, studio))}
            when={first === last ? 'this day' : 'these days'}
            studio={studio}
          />
        </div>
      )}
    </QueryView>
  );
}

interface BookedListProps {
  booked: readonly BookedAppointment[];
  when: string;
  studio: StudioZone;
}

function BookedList({ booked, when, studio }: BookedListProps) {
  // As high as the text while it loads: a dialog of another height moves what the artist is pressing.
  if (booked.length === 0)
    return (
      <p className="flex min-h-11 items-center text-muted">{`Nobody is booked on ${when}.`}</p>
    );
  return (
    <>
      <p className="font-semibold">
        {`${pluralize(booked.length, 'appointment')} ${booked.length === 1 ? 'stays' : 'stay'} on ${when}:`}
      </p>
      <ul className="max-h-56 overflow-y-auto">
        {booked.map(({ appointment, start }) => (
          <li key={appointment.id}>
            <TextLink
              label={`${formatShortDayAndTime(start, zoneOf(studio, appointment))}: ${appointmentClientName(appointment.client)}`}
              className="wrap-anywhere"
              href={`/studio/appointments?id=${appointment.id}`}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
