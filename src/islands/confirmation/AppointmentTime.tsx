import { useEffect, useState } from 'react';
import { serverNow } from '#client/server_clock.ts';
import type { Confirmation } from '#contract/appointment.ts';
import { formatTimeLeft } from '#domain/time/duration.ts';
import { formatDayWithYear, formatTimeRange, localDateAt } from '#domain/time/format_time.ts';
import { type Instant, SECOND_MS } from '#domain/time/time.ts';
import { OwnClockTime } from '../OwnClockTime.tsx';
import { formatDeadline, type StudioClock } from './studio_clock.ts';

interface AppointmentTimeProps {
  confirmation: Confirmation;
  /** The studio's zone as people say it. */
  zoneName: string;
  clock: StudioClock;
  now: Instant;
  /** False after a refused Confirm: the time may be gone before its deadline. */
  isKept: boolean;
}

/** The time of the appointment, and how long it is reserved for the client. */
export function AppointmentTime(props: AppointmentTimeProps) {
  const { confirmation, zoneName, clock, now, isKept } = props;
  const { status, start, end, lapses_at } = confirmation;
  const { zone, conventions } = clock;
  if (start === null || end === null) return null;
  return (
    <div className="mb-5">
      <div
        className={`text-xl font-semibold wrap-normal ${status === 'cancelled' ? 'line-through' : ''}`}
      >
        <p>
          <time dateTime={start}>{formatDayWithYear(start, zone, conventions)}</time>
        </p>
        <p>{formatTimeRange(start, end, zone, conventions)}</p>
      </div>
      <p className="mt-1 text-sm text-muted">
        <span>{`Time zone: ${zone.time_zone}`}</span>
        <span className="block">{zoneName}</span>
      </p>
      <OwnClockTime start={start} end={end} zone={zone} conventions={conventions} />
      {lapses_at && isKept && <ReservedUntil until={lapses_at} clock={clock} now={now} />}
    </div>
  );
}

interface ReservedUntilProps {
  /** RFC 3339. */
  until: string;
  clock: StudioClock;
  now: Instant;
}

function ReservedUntil({ until, clock, now }: ReservedUntilProps) {
  const left = Date.parse(until) - useNow(now, SECOND_MS);
  const time = formatDeadline(until, clock, localDateAt(clock.ownZone, now));
  return (
    <p className="clear-left mt-3 w-fit rounded-lg bg-main px-2 py-1.5 text-sm font-semibold text-on-main">
      <span>{`Kept for you until ${time}`}</span>
      <span role="timer" className="tabular-nums">
        {` (${formatTimeLeft(left)} left)`}
      </span>
    </p>
  );
}

/** The time on the server's clock, updated each `tickMs`; until hydration `initial`, when the page was rendered. */
export function useNow(initial: Instant, tickMs: number): Instant {
  const [now, setNow] = useState(initial);
  useEffect(() => {
    const tick = () => setNow(serverNow());
    tick();
    const timer = setInterval(tick, tickMs);
    return () => clearInterval(timer);
  }, [tickMs]);
  return now;
}
