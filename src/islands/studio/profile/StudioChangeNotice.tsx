import { useStore } from '@nanostores/react';
import { useWatch } from 'react-hook-form';
import type { Appointment } from '#contract/appointment.ts';
import type { Studio } from '#contract/artist.ts';
import { formatShortDay, formatTime } from '#domain/format_time.ts';
import { isTimeZone } from '#domain/time_zone.ts';
import { $upcomingAppointments } from '#stores/studio/profile.ts';
import { clientName } from '../appointments/labels.ts';
import { LoadableView } from '../LoadableView.tsx';

const ADDRESS_FIELDS = ['address_one', 'address_two', 'city', 'state', 'zip_code'] as const;
const MAX_SHOWN_APPOINTMENTS = 3;

/** Says how a new address or time zone, not yet saved, affects the upcoming appointments. */
export function StudioChangeNotice({ studio }: { studio: Studio }) {
  const edited: Partial<Studio> = useWatch({ name: 'studio' }) ?? {};
  const upcoming = useStore($upcomingAppointments);
  const hasNewAddress = ADDRESS_FIELDS.some(
    (field) => (edited[field] ?? '').trim() !== (studio[field] ?? ''),
  );
  const newZone = edited.time_zone ?? '';
  const hasNewZone = newZone !== studio.time_zone && isTimeZone(newZone);
  return (
    <div role="status">
      {(hasNewAddress || hasNewZone) && (
        <LoadableView
          value={upcoming}
          label="appointments that this affects"
          onRetry={$upcomingAppointments.revalidate}
        >
          {(appointments) => (
            <div className="mb-4 grid gap-3 border-l-4 border-main pl-4">
              {hasNewAddress && <AddressChange count={appointments.length} />}
              {hasNewZone && (
                <TimeZoneChange from={studio.time_zone} to={newZone} upcoming={appointments} />
              )}
            </div>
          )}
        </LoadableView>
      )}
    </div>
  );
}

function AddressChange({ count }: { count: number }) {
  if (count === 0)
    return <p>You have no upcoming appointments. Past ones keep the studio as it was.</p>;
  return (
    <p>
      <strong>
        {count === 1
          ? 'Your upcoming appointment will show the new address.'
          : `${count} upcoming appointments will show the new address.`}
      </strong>
      <span>
        {` Past ones keep the old. The ${count === 1 ? 'client is' : 'clients are'} told, where you have their email address.`}
      </span>
    </p>
  );
}

interface TimeZoneChangeProps {
  from: string;
  to: string;
  upcoming: readonly Appointment[];
}

function TimeZoneChange({ from, to, upcoming }: TimeZoneChangeProps) {
  const shown = upcoming.slice(0, MAX_SHOWN_APPOINTMENTS);
  const hiddenCount = upcoming.length - shown.length;
  return (
    <>
      <p>
        <strong>Your opening hours will be read in the new time zone. </strong>
        <span>
          {upcoming.length === 0
            ? 'You have no upcoming appointments that would show another time.'
            : `${upcoming.length === 1 ? 'Your upcoming appointment keeps its' : `Your ${upcoming.length} upcoming appointments keep their`} moment, which clocks there show differently:`}
        </span>
      </p>
      {shown.length > 0 && (
        <ul aria-label="Appointments in the new time zone" className="grid gap-2">
          {shown.map(({ id, client, start }) => (
            <li key={id} className="grid">
              <span className="font-semibold wrap-anywhere">{clientName(client)}</span>
              {start !== null && (
                <span>
                  <span className="text-muted">{`${formatDateTime(start, from)} becomes `}</span>
                  <span>{formatDateTime(start, to)}</span>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {hiddenCount > 0 && <p className="text-muted">{`and ${hiddenCount} more.`}</p>}
    </>
  );
}

/** 'Tue, Dec 1, 2026, 10:00 AM (New York)'. */
function formatDateTime(instant: string, zone: string): string {
  const city = zone.split('/').at(-1)?.replaceAll('_', ' ');
  return `${formatShortDay(instant, zone)}, ${formatTime(instant, zone)} (${city})`;
}
