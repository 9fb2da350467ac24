import type { Appointment } from '#contract/appointment.ts';
import { formatShortDay } from '#domain/format_time.ts';
import type { StudioZone } from '#domain/zone_offsets.ts';
import { $openProject, appointmentUrl, openAppointment } from '#stores/studio/appointments.ts';
import { formatAppointmentTime } from '#stores/studio/booked_appointments.ts';
import { interceptPlainClick } from '../../browser.ts';
import { TextLink } from '../buttons.tsx';
import { QueryView } from '../LoadableView.tsx';
import { StatusBadge } from './StatusBadge.tsx';

interface ProjectSessionsProps {
  openId: string;
  zone: StudioZone;
}

/** All sessions of the open appointment's tattoo; nothing for a single session. */
export function ProjectSessions({ openId, zone }: ProjectSessionsProps) {
  return (
    <QueryView query={$openProject} label="sessions" room="line">
      {(sessions) =>
        sessions.length > 1 && <SessionList sessions={sessions} openId={openId} zone={zone} />
      }
    </QueryView>
  );
}

interface SessionListProps extends ProjectSessionsProps {
  sessions: readonly Appointment[];
}

function SessionList({ sessions, openId, zone }: SessionListProps) {
  return (
    <section aria-labelledby="sessions" className="grid gap-2 border-t border-line pt-5">
      <h3 id="sessions" className="text-lg">
        {`Sessions of this tattoo (${sessions.length})`}
      </h3>
      <ol aria-labelledby="sessions" className="grid gap-2">
        {sessions.map((session) => {
          const when =
            formatAppointmentTime(session, zone) ??
            `Asked for ${formatShortDay(session.created_at, zone)}`;
          return (
            <li key={session.id} className="grid justify-items-start">
              {session.id === openId ? (
                <span className="flex min-h-11 items-center font-semibold">{`${when} (this one)`}</span>
              ) : (
                <TextLink
                  label={when}
                  className="wrap-anywhere"
                  href={appointmentUrl(session.id)}
                  onClick={(event) => interceptPlainClick(event) && openAppointment(session.id)}
                />
              )}
              <StatusBadge status={session.status} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}
