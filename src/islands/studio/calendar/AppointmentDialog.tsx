import { mailtoHref } from '#domain/email.ts';
import { formatDayWithYear, formatTimeRange } from '#domain/format_time.ts';
import type { StudioZone } from '#domain/zone_offsets.ts';
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
  return (
    <Dialog title={appointmentClientName(client)} onClose={onClose}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <dt className="text-muted">When</dt>
        <dd>
          {start && end && (
            <>
              <span className="block">{formatDayWithYear(start, zone)}</span>
              <span className="block">{formatTimeRange(start, end, zone)}</span>
            </>
          )}
        </dd>
        <dt className="text-muted">State</dt>
        <dd>
          <StatusBadge status={status} />
        </dd>
        <dt className="text-muted">What</dt>
        <dd>{formatSubject(entry.appointment)}</dd>
        {client.email && (
          <>
            <dt className="text-muted">Email</dt>
            <dd className="min-w-0 wrap-anywhere">
              <a href={mailtoHref(client.email)} className="link">
                {client.email}
              </a>
            </dd>
          </>
        )}
        {client.phone_number && (
          <>
            <dt className="text-muted">Phone</dt>
            <dd>
              <a href={`tel:${client.phone_number}`} className="link">
                {client.phone_number}
              </a>
            </dd>
          </>
        )}
      </dl>
      <div className="mt-6 flex flex-wrap gap-3">
        {entry.canMove && <Button label="Move to another time" onClick={onMove} />}
        <ButtonLink label="Open appointment" look="main" href={`/studio/appointments?id=${id}`} />
      </div>
    </Dialog>
  );
}
