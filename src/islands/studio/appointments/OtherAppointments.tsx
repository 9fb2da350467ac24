import type { Appointment } from '#contract/appointment.ts';
import { formatDayWithYear, formatShortDay } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import {
  $openProject,
  $openRivals,
  appointmentUrl,
  openAppointment,
} from '#stores/studio/appointments.ts';
import { formatAppointmentTime } from '#stores/studio/booked_appointments.ts';
import { onPlainClick } from '../../browser.ts';
import { TextLink } from '../buttons.tsx';
import { QueryView } from '../LoadableView.tsx';
import { appointmentClientName } from './labels.ts';
import { StatusBadge } from './StatusBadge.tsx';

/** Others who want the same design or time, while the appointment is undecided; nothing without any. */
export function Rivals({ appointment, zone }: { appointment: Appointment; zone: StudioZone }) {
  return (
    <QueryView query={$openRivals} label="other requests" room="line">
      {({ data: rivals }) =>
        rivals.length > 0 && (
          <section aria-labelledby="rivals" className="grid gap-2 border-l-4 border-main pl-3">
            <h3 id="rivals" className="font-sans font-semibold">
              {`Others want the same ${formatWanted(appointment, rivals)}`}
            </h3>
            <ul aria-labelledby="rivals" className="grid gap-2">
              {rivals.map(({ id, client, status, created_at }) => (
                <li key={id} className="grid justify-items-start">
                  <OpenLink id={id} label={appointmentClientName(client)} />
                  <StatusBadge status={status} />
                  <span className="text-sm text-muted">
                    {`Asked on ${formatDayWithYear(created_at, zone)}`}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </QueryView>
  );
}

function OpenLink({ id, label }: { id: string; label: string }) {
  return (
    <TextLink
      label={label}
      className="wrap-anywhere"
      href={appointmentUrl(id)}
      onClick={onPlainClick(() => openAppointment(id))}
    />
  );
}

/** What they all want: a rival who does not want the limited design wants the time. */
function formatWanted({ design }: Appointment, rivals: readonly Appointment[]): string {
  const isLimited = design !== null && design.editions !== null;
  const wantsDesign = (rival: Appointment) => isLimited && rival.design?.id === design.id;
  if (rivals.every(wantsDesign)) return 'design';
  return rivals.some(wantsDesign) ? 'design or time' : 'time';
}

/** All sessions of the open appointment's tattoo; nothing for a single session. */
export function ProjectSessions({ openId, zone }: { openId: string; zone: StudioZone }) {
  const formatWhen = (session: Appointment) =>
    formatAppointmentTime(session, zone) ?? `Asked for ${formatShortDay(session.created_at, zone)}`;
  return (
    <QueryView query={$openProject} label="sessions" room="line">
      {(sessions) =>
        sessions.length > 1 && (
          <section aria-labelledby="sessions" className="grid gap-2 border-t border-line pt-5">
            <h3 id="sessions" className="text-lg">
              {`Sessions of this tattoo (${sessions.length})`}
            </h3>
            <ol aria-labelledby="sessions" className="grid gap-2">
              {sessions.map((session) => (
                <li key={session.id} className="grid justify-items-start">
                  {session.id === openId ? (
                    <span className="flex min-h-11 items-center font-semibold">
                      {`${formatWhen(session)} (this one)`}
                    </span>
                  ) : (
                    <OpenLink id={session.id} label={formatWhen(session)} />
                  )}
                  <StatusBadge status={session.status} />
                </li>
              ))}
            </ol>
          </section>
        )
      }
    </QueryView>
  );
}
