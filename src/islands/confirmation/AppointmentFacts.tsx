import type { ReactNode } from 'react';
import type { Confirmation } from '#contract/appointment.ts';
import { formatAddressLines } from '#domain/calendar_entry.ts';
import { formatDayWithYear, formatTimeRange, isSameWallTime } from '#domain/show_time.ts';
import { browserZone, useHydrated } from '../hydrated.ts';

/** When, what and where. */
export function AppointmentFacts({ confirmation }: { confirmation: Confirmation }) {
  const { start, end, service, design, user } = confirmation;
  const { studio } = user;
  return (
    <dl className="grid gap-5">
      {start !== null && end !== null && (
        <Fact name="When">
          <Time start={start} end={end} zone={studio.time_zone} />
        </Fact>
      )}
      {service && (
        <Fact name="Appointment">
          <p>{service.name}</p>
          <p className="text-muted">{`${service.duration} minute appt.`}</p>
        </Fact>
      )}
      {design && (
        <Fact name="Design">
          <p>{design.name}</p>
        </Fact>
      )}
      <Fact name="Where">
        <p>{studio.name}</p>
        {formatAddressLines(studio).map((line) => (
          <p key={line}>{line}</p>
        ))}
      </Fact>
    </dl>
  );
}

function Time({ start, end, zone }: { start: string; end: string; zone: string }) {
  const hydrated = useHydrated();
  const own = hydrated ? browserZone() : zone;
  return (
    <>
      <p>
        <time dateTime={start}>{formatDayWithYear(start, zone)}</time>
      </p>
      <p>{formatTimeRange(start, end, zone)}</p>
      <p className="text-muted">{`Time zone: ${zone}`}</p>
      {!isSameWallTime(zone, own, start) && (
        <p className="mt-1 text-muted">
          On your clock: {formatDayWithYear(start, own)}, {formatTimeRange(start, end, own)} ({own})
        </p>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm font-semibold text-muted">{name}</dt>
      <dd className="mt-0.5 wrap-anywhere">{children}</dd>
    </div>
  );
}
