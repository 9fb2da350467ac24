import { useStore } from '@nanostores/react';
import { formatMoney } from '#domain/money/money.ts';
import { formatShortDay } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { formatAppointmentTime } from '#stores/studio/booked_appointments.ts';
import {
  $appointmentsSkip,
  $clientAppointments,
  $clientReceived,
  CLIENT_APPOINTMENTS_PER_PAGE,
} from '#stores/studio/clients.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { formatSubject } from '../appointments/labels.ts';
import { StatusBadge } from '../appointments/StatusBadge.tsx';
import { QueryView } from '../LoadableView.tsx';
import { Pagination } from '../Pagination.tsx';
import { Section } from '../Section.tsx';

export function ClientAppointments({ zone }: { zone: StudioZone }) {
  const skip = useStore($appointmentsSkip);
  return (
    <Section id="appointments" title="Appointments">
      <QueryView query={$clientAppointments} label="appointments">
        {({ data, count }) => (
          <>
            <ReceivedSum />
            {count === 0 && <p className="text-muted">None so far.</p>}
            <ul aria-label="Appointments" className="divide-y divide-line">
              {data.map((appointment) => (
                <li key={appointment.id} className="relative grid gap-1 py-3 first:pt-0 last:pb-0">
                  <a
                    href={`/studio/appointments?id=${appointment.id}`}
                    className="link min-h-6 w-fit wrap-anywhere after:absolute after:inset-0"
                  >
                    {formatSubject(appointment)}
                  </a>
                  <p className="text-muted">
                    {formatAppointmentTime(appointment, zone) ??
                      `Asked for ${formatShortDay(appointment.created_at, zone)}`}
                  </p>
                  <p>
                    <StatusBadge status={appointment.status} />
                  </p>
                </li>
              ))}
            </ul>
            <Pagination
              skip={skip}
              limit={CLIENT_APPOINTMENTS_PER_PAGE}
              count={count}
              label="appointments"
              onSkipChange={(newSkip) => $appointmentsSkip.set(newSkip)}
            />
          </>
        )}
      </QueryView>
    </Section>
  );
}

/** The payments received from the client; renders nothing without any. */
function ReceivedSum() {
  return (
    <QueryView query={$clientReceived} label="payments" room="line">
      {(sums) =>
        sums.length > 0 && (
          <p className="flex min-h-11 items-center font-semibold">
            {`Received: ${sums.map((sum) => formatMoney(sum, visitorLocale())).join(', ')}`}
          </p>
        )
      }
    </QueryView>
  );
}
