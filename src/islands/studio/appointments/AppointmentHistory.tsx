import type { Appointment, AppointmentEvent } from '#contract/appointment.ts';
import { formatHistoryEvent } from '#domain/appointments/appointment_history.ts';
import { formatShortDateAndTime } from '#domain/time/format_time.ts';
import { offsetMinutesAt, type StudioZone, zoneOf } from '#domain/time/zone_offsets.ts';
import { $openHistory } from '#stores/studio/appointments.ts';
import { QueryView } from '../LoadableView.tsx';

interface AppointmentHistoryProps {
  appointment: Appointment;
  zone: StudioZone;
}

export function AppointmentHistory({ appointment, zone }: AppointmentHistoryProps) {
  const names = { artist: 'You', client: appointment.client.first_name };
  return (
    <section aria-labelledby="history" className="grid gap-3 border-t border-line pt-5">
      <h3 id="history" className="text-lg">
        History
      </h3>
      <QueryView query={$openHistory} label="history">
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-muted">Nothing has changed yet.</p>
          ) : (
            <ol aria-labelledby="history" className="grid gap-3">
              {data.map((event) => (
                <li
                  key={`${event.at} ${event.what} ${event.to_start}`}
                  className="grid gap-0.5 wrap-anywhere"
                >
                  <span>
                    {formatHistoryEvent(event, names, zoneOfEvent(zone, appointment, event))}
                  </span>
                  {event.note && <Note text={event.note} />}
                  <time dateTime={event.at} className="text-sm text-muted">
                    {formatShortDateAndTime(event.at, zone)}
                  </time>
                </li>
              ))}
            </ol>
          )
        }
      </QueryView>
    </section>
  );
}

/** The appointment's own zone, or the studio's if its own offsets do not cover a time of the event. */
function zoneOfEvent(
  studio: StudioZone,
  appointment: Appointment,
  { from_start, to_start }: AppointmentEvent,
): StudioZone {
  const own = zoneOf(studio, appointment);
  const starts = [from_start, to_start].filter((start) => start !== null);
  return starts.every((start) => offsetMinutesAt(own, Date.parse(start)) !== null) ? own : studio;
}

/** Says how the last offer for an open request ended; nothing without one. */
export function EndedOffer({ appointment, zone }: AppointmentHistoryProps) {
  const { ended_offer, client } = appointment;
  if (ended_offer === null) return null;
  const { what, start, note } = ended_offer;
  const by = what === 'offer_declined' ? 'client' : 'system';
  const event = { by, what, from_start: start, to_start: null, note } as const;
  return (
    <>
      <span>{formatHistoryEvent(event, { artist: 'You', client: client.first_name }, zone)}</span>
      {note && <Note text={note} />}
    </>
  );
}

function Note({ text }: { text: string }) {
  return <span className="whitespace-pre-line text-muted">{`“${text}”`}</span>;
}
