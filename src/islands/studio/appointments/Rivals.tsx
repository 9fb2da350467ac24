import type { Appointment } from '#contract/appointment.ts';
import { formatDayWithYear } from '#domain/format_time.ts';
import type { StudioZone } from '#domain/zone_offsets.ts';
import { $openRivals, appointmentUrl, openAppointment } from '#stores/studio/appointments.ts';
import { interceptPlainClick } from '../../browser.ts';
import { TextLink } from '../buttons.tsx';
import { QueryView } from '../LoadableView.tsx';
import { appointmentClientName } from './labels.ts';
import { StatusBadge } from './StatusBadge.tsx';

/** Others who want the same design or time, while the appointment is undecided; nothing without any. */
export function Rivals({ appointment, zone }: { appointment: Appointment; zone: StudioZone }) {
  return (
    <QueryView query={$openRivals} label="other requests" room="line">
      {({ data }) =>
        data.length > 0 && <RivalList appointment={appointment} rivals={data} zone={zone} />
      }
    </QueryView>
  );
}

interface RivalListProps {
  appointment: Appointment;
  rivals: readonly Appointment[];
  zone: StudioZone;
}

function RivalList({ appointment, rivals, zone }: RivalListProps) {
  return (
    <section aria-labelledby="rivals" className="grid gap-2 border-l-4 border-main pl-3">
      <h3 id="rivals" className="font-sans font-semibold">
        {`Others want the same ${formatWanted(appointment, rivals)}`}
      </h3>
      <ul aria-labelledby="rivals" className="grid gap-2">
        {rivals.map(({ id, client, status, created_at }) => (
          <li key={id} className="grid justify-items-start">
            <TextLink
              label={appointmentClientName(client)}
              className="wrap-anywhere"
              href={appointmentUrl(id)}
              onClick={(event) => interceptPlainClick(event) && openAppointment(id)}
            />
            <StatusBadge status={status} />
            <span className="text-sm text-muted">
              {`Asked on ${formatDayWithYear(created_at, zone)}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A rival who does not want the edition wants the time. */
function formatWanted({ design }: Appointment, rivals: readonly Appointment[]): string {
  const isLimited = design !== null && design.editions !== null;
  const wantsDesign = (rival: Appointment) => isLimited && rival.design?.id === design.id;
  if (rivals.every(wantsDesign)) return 'design';
  return rivals.some(wantsDesign) ? 'design or time' : 'time';
}
