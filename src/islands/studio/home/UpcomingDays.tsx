import { useStore } from '@nanostores/react';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { describeTimeZone } from '#domain/time/describe_time_zone.ts';
import { formatDay, formatTimeRange, localDateAt } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { $today, $weekAppointments } from '#stores/studio/home.ts';
import { appointmentClientName, formatSubject } from '../appointments/labels.ts';
import { StatusBadge } from '../appointments/StatusBadge.tsx';
import { TextLink } from '../buttons.tsx';
import { QueryView } from '../LoadableView.tsx';

/** The appointments of today and of the next days that have any. */
export function UpcomingDays({ me }: { me: CurrentArtist }) {
  // Undefined for a moment after another tab has logged in again.
  const today = useStore($today);
  const zone = me.studio;
  return (
    <section aria-labelledby="coming-days" className="grid gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="coming-days" className="text-2xl">
          Today and the week ahead
        </h2>
        <p className="text-sm text-muted">{`Times in ${describeTimeZone(zone.time_zone)}`}</p>
      </div>
      <QueryView query={$weekAppointments} label="calendar">
        {(appointments) =>
          today !== undefined && <DayList appointments={appointments} today={today} zone={zone} />
        }
      </QueryView>
    </section>
  );
}

interface DayListProps {
  appointments: readonly Appointment[];
  today: string;
  zone: StudioZone;
}

function DayList({ appointments, today, zone }: DayListProps) {
  const byDate = Map.groupBy(appointments, ({ start }) => displayDate(start, today, zone));
  const laterDates = [...byDate.keys()].filter((date) => date > today).sort();
  return (
    <div className="grid gap-6">
      {[today, ...laterDates].map((date) => (
        <div key={date}>
          <h3 className="border-b border-line pb-2 font-sans font-semibold">
            {date === today ? `Today, ${formatDay(date)}` : formatDay(date)}
          </h3>
          {byDate.has(date) ? (
            <ul className="grid">
              {byDate.get(date)?.map((appointment) => (
                <AppointmentRow key={appointment.id} appointment={appointment} zone={zone} />
              ))}
            </ul>
          ) : (
            <p className="py-3 text-muted">Nothing on the calendar.</p>
          )}
        </div>
      ))}
      {laterDates.length === 0 && (
        <p className="text-muted">Nothing in the seven days after that.</p>
      )}
      <p>
        <TextLink label="Open the calendar" href="/studio/calendar" />
      </p>
    </div>
  );
}

function AppointmentRow({ appointment, zone }: { appointment: Appointment; zone: StudioZone }) {
  const { id, start, end, status, client } = appointment;
  if (start === null || end === null) return null;
  return (
    <li className="border-b border-line">
      <a
        href={`/studio/appointments?show=all&id=${id}`}
        className="-mx-2 grid gap-x-4 gap-y-1 rounded-md px-2 py-3 hover:bg-card sm:grid-cols-[11rem_minmax(0,1fr)_auto]"
      >
        <span className="font-semibold">{formatTimeRange(start, end, zone)}</span>
        <span className="min-w-0 wrap-anywhere">
          <span>{appointmentClientName(client)}</span>
          <span className="block text-muted">{formatSubject(appointment)}</span>
        </span>
        <span>
          <StatusBadge status={status} />
        </span>
      </a>
    </li>
  );
}

/** The date under which an appointment is listed: today if it began earlier and still goes on. */
function displayDate(start: string | null, today: string, zone: StudioZone): string {
  const date = start === null ? today : localDateAt(zone, start);
  return date < today ? today : date;
}
