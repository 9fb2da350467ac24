import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import { formatDayWithYear } from '#domain/time/format_time.ts';
import { $markProgress, $unmarkedAppointments } from '#stores/studio/appointments.ts';
import { formatAppointmentTime } from '#stores/studio/booked_appointments.ts';
import { $dataRequests, DATA_REQUEST_LABELS } from '#stores/studio/data_rights.ts';
import { $newRequests } from '#stores/studio/home.ts';
import { EndedOffer } from '../appointments/AppointmentHistory.tsx';
import { appointmentClientName, clientName, formatSubject } from '../appointments/labels.ts';
import { AllCompletedButton, MarkButtons } from '../appointments/MarkButtons.tsx';
import { ButtonLink } from '../buttons.tsx';
import { Card } from '../Card.tsx';
import { useUnsavedChangesWarning } from '../form_hooks.ts';
import { QueryView } from '../LoadableView.tsx';
import { AppointmentLink } from './AppointmentLink.tsx';

/** The count of unanswered requests, and the newest of them. */
export function PendingRequests({ me }: { me: CurrentArtist }) {
  const count = useStore($newRequests).data?.count ?? 0;
  return (
    <Card id="requests-waiting" title={`Requests waiting${count > 0 ? ` (${count})` : ''}`}>
      <QueryView query={$newRequests} label="requests">
        {({ data }) =>
          count === 0 ? (
            <p className="text-muted">Nobody waits for an answer from you.</p>
          ) : (
            <>
              <ul className="grid">
                {data.map((request) => (
                  <AppointmentLink
                    key={request.id}
                    href={`/studio/appointments?show=requests&id=${request.id}`}
                    name={appointmentClientName(request.client)}
                    note={`Asked on ${formatDayWithYear(request.created_at, me.studio)}`}
                  >
                    <span className="block text-muted">{formatSubject(request)}</span>
                    <span className="grid text-sm">
                      <EndedOffer appointment={request} zone={me.studio} />
                    </span>
                  </AppointmentLink>
                ))}
              </ul>
              <ButtonLink
                label={count === 1 ? 'Open the inbox' : `Answer all ${count}`}
                look="main"
                href="/studio/appointments?show=requests"
              />
            </>
          )
        }
      </QueryView>
    </Card>
  );
}

/** Requests about data that are not done; renders nothing while there is none. */
export function DataRequests({ me }: { me: CurrentArtist }) {
  return (
    <QueryView query={$dataRequests} label="requests about data" room="line">
      {({ data, count }) =>
        count > 0 && (
          <Card id="data-requests" title={`Requests about data (${count})`}>
            <p className="text-muted">
              Open a client to see what to do. The oldest request is first.
            </p>
            <ul className="grid">
              {data.map(({ id, kind, asked_at, client }) => (
                <AppointmentLink
                  key={id}
                  href={`/studio/clients?id=${client.id}`}
                  name={clientName(client)}
                  text={DATA_REQUEST_LABELS[kind]}
                  note={`Asked on ${formatDayWithYear(asked_at, me.studio)}`}
                />
              ))}
            </ul>
          </Card>
        )
      }
    </QueryView>
  );
}

/** Past appointments without a mark of whether the client came; nothing while there are none. */
export function UnmarkedAppointments({ me }: { me: CurrentArtist }) {
  return (
    <QueryView query={$unmarkedAppointments} label="appointments to mark" room="line">
      {({ data, count }) => <UnmarkedList data={data} count={count} me={me} />}
    </QueryView>
  );
}

function UnmarkedList({ data, count, me }: ListPage<Appointment> & { me: CurrentArtist }) {
  const hasMarked = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useUnsavedChangesWarning(useStore($markProgress) !== null);
  useEffect(() => {
    // The browser focuses the body when the pressed button disappears with its appointment.
    if (hasMarked.current && document.activeElement === document.body) heading.current?.focus();
  }, [data]);
  // After the last mark the section stays, because its heading has the focus.
  if (count === 0 && !hasMarked.current) return null;
  return (
    <Card
      id="unmarked"
      title={`Past appointments to mark${count > 0 ? ` (${count})` : ''}`}
      heading={heading}
    >
      {count === 0 ? (
        <p className="text-muted">All are marked.</p>
      ) : (
        <>
          <p className="text-muted">
            Did the client come? Nobody is mailed; the page of their appointment shows it.
          </p>
          <AllCompletedButton appointments={data} count={count} hasMarked={hasMarked} />
          <ul className="grid">
            {data.map((appointment) => (
              <AppointmentLink
                key={appointment.id}
                href={`/studio/appointments?show=unmarked&id=${appointment.id}`}
                name={appointmentClientName(appointment.client)}
                text={formatAppointmentTime(appointment, me.studio)}
                actions={<MarkButtons appointment={appointment} hasMarked={hasMarked} />}
              />
            ))}
          </ul>
          {count > data.length && (
            <ButtonLink label={`Show all ${count}`} href="/studio/appointments?show=unmarked" />
          )}
        </>
      )}
    </Card>
  );
}
