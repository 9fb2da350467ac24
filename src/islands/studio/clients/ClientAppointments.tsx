import { useStore } from '@nanostores/react';
import type { Appointment } from '#contract/appointment.ts';
import { formatShortDay } from '#domain/show_time.ts';
import {
  $appointmentsOfClient,
  $appointmentsSkip,
  APPOINTMENTS_LIMIT,
} from '#stores/studio/clients.ts';
import { StatusMark } from '../appointments/StatusMark.tsx';
import { subject, timeWords } from '../appointments/words.ts';
import { Pager } from '../Pager.tsx';
import { Reading } from '../Reading.tsx';
import { Section } from '../Section.tsx';

/** All that a client asked for or booked, newest first. */
export function ClientAppointments({ zone }: { zone: string }) {
  const appointments = useStore($appointmentsOfClient);
  const skip = useStore($appointmentsSkip);
  return (
    <Section id="appointments" title="Appointments">
      <Reading value={appointments} what="appointments" onRetry={$appointmentsOfClient.revalidate}>
        {({ data, count }) => (
          <>
            {count === 0 && <p className="text-muted">None so far.</p>}
            <ul aria-label="Appointments" className="divide-y divide-line">
              {data.map((appointment) => (
                <Row key={appointment.id} appointment={appointment} zone={zone} />
              ))}
            </ul>
            <Pager
              skip={skip}
              limit={APPOINTMENTS_LIMIT}
              count={count}
              what="appointments"
              onSkip={(to) => $appointmentsSkip.set(to)}
            />
          </>
        )}
      </Reading>
    </Section>
  );
}

function Row({ appointment, zone }: { appointment: Appointment; zone: string }) {
  const time = timeWords(appointment, zone);
  return (
    <li className="relative grid gap-1 py-3 first:pt-0 last:pb-0">
      <a
        href={`/studio/appointments?id=${appointment.id}`}
        className="link min-h-6 w-fit wrap-anywhere after:absolute after:inset-0"
      >
        {subject(appointment)}
      </a>
      <p className="text-muted">
        {time ?? `Asked for ${formatShortDay(appointment.created_at, zone)}`}
      </p>
      <p>
        <StatusMark status={appointment.status} />
      </p>
    </li>
  );
}
