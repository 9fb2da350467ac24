import type { Confirmation } from '#contract/appointment.ts';
import { formatAddressLines } from '#domain/calendar_event.ts';
import { formatDayWithYear, formatTimeRange } from '#domain/format_time.ts';
import { DescriptionItem } from '../DescriptionItem.tsx';
import { OwnClockTime } from '../OwnClockTime.tsx';

/** The appointment's time, service, design and studio. */
export function AppointmentSummary({ confirmation }: { confirmation: Confirmation }) {
  const { start, end, service, design, user } = confirmation;
  const { studio } = user;
  return (
    <dl className="grid gap-5">
      {start !== null && end !== null && (
        <DescriptionItem name="When">
          <AppointmentTime start={start} end={end} zone={studio.time_zone} />
        </DescriptionItem>
      )}
      {service && (
        <DescriptionItem name="Appointment">
          <p>{service.name}</p>
          <p className="text-muted">{`${service.duration} minute appt.`}</p>
        </DescriptionItem>
      )}
      <DescriptionItem name="Design">{design?.name}</DescriptionItem>
      <DescriptionItem name="Where">
        <p>{studio.name}</p>
        {formatAddressLines(studio).map((line) => (
          <p key={line}>{line}</p>
        ))}
      </DescriptionItem>
    </dl>
  );
}

function AppointmentTime({ start, end, zone }: { start: string; end: string; zone: string }) {
  return (
    <>
      <p>
        <time dateTime={start}>{formatDayWithYear(start, zone)}</time>
      </p>
      <p>{formatTimeRange(start, end, zone)}</p>
      <p className="text-muted">{`Time zone: ${zone}`}</p>
      <OwnClockTime start={start} end={end} zone={zone} />
    </>
  );
}
