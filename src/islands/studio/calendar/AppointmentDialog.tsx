import { Fragment } from 'react';
import { mailtoHref } from '#domain/mail/email.ts';
import { formatDayWithYear, formatTimeRange } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import type { CalendarEntry } from '#stores/studio/calendar.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { appointmentClientName, formatSubject } from '../appointments/labels.ts';
import { StatusBadge } from '../appointments/StatusBadge.tsx';
import { Button, ButtonLink } from '../buttons.tsx';

interface AppointmentDialogProps {
  entry: CalendarEntry;
  zone: StudioZone;
  onMove: () => void;
  onClose: () => void;
}

/** An appointment in short, with a link to all of it and a way to move it without dragging. */
export function AppointmentDialog({ entry, zone, onMove, onClose }: AppointmentDialogProps) {
  const { id, start, end, client, status } = entry.appointment;
  const { email, phone_number } = client;
  const details = {
    When: start && end && (
      <>
        <span className="block">{formatDayWithYear(start, zone)}</span>
        <span className="block">{formatTimeRange(start, end, zone)}</span>
      </>
    ),
    State: <StatusBadge status={status} />,
    What: formatSubject(entry.appointment),
    Email: email && link(mailtoHref(email), email),
    Phone: phone_number && link(`tel:${phone_number}`, phone_number),
  };
  return (
    <Dialog title={appointmentClientName(client)} onClose={onClose}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        {Object.entries(details).map(
          ([name, detail]) =>
            detail && (
              <Fragment key={name}>
                <dt className="text-muted">{name}</dt>
                <dd className="min-w-0 wrap-anywhere">{detail}</dd>
              </Fragment>
            ),
        )}
      </dl>
      <div className="mt-6 flex flex-wrap gap-3">
        {entry.canMove && <Button label="Move to another time" onClick={onMove} />}
        <ButtonLink label="Open appointment" look="main" href={`/studio/appointments?id=${id}`} />
      </div>
    </Dialog>
  );
}

function link(href: string, text: string) {
  return (
    <a href={href} className="link">
      {text}
    </a>
  );
}
