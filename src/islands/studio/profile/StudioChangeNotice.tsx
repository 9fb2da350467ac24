import { useStore } from '@nanostores/react';
import { useWatch } from 'react-hook-form';
import type { Appointment } from '#contract/appointment.ts';
import type { Studio } from '#contract/artist.ts';
import { formatShortDay, formatTime } from '#domain/format_time.ts';
import { isTimeZone } from '#domain/time_zone.ts';
import { $upcomingAppointments, reloadUpcoming } from '#stores/studio/profile.ts';
import { clientName } from '../appointments/labels.ts';
import { LoadableView } from '../LoadableView.tsx';

const ADDRESS_FIELDS = ['address_one', 'address_two', 'city', 'state', 'zip_code'] as const;
/** Enough to see what happens. */
const MAX_SHOWN = 3;

/** What a new address or zone does to the appointments that lie ahead. */
export function StudioChangeNotice({ studio }: { studio: Studio }) {
  const typed: Partial<Studio> = useWatch({ name: 'studio' }) ?? {};
  const upcoming = useStore($upcomingAppointments);
  const isMoved = ADDRESS_FIELDS.some(
    (field) => (typed[field] ?? '').trim() !== (studio[field] ?? ''),
  );
  const zone = typed.time_zone ?? '';
  const isOtherZone = zone !== studio.time_zone && isTimeZone(zone);
  return (
    <div role="status">
      {(isMoved || isOtherZone) && (
        <LoadableView
          value={upcoming}
          label="appointments that this affects"
          onRetry={reloadUpcoming}
        >
          {(ahead) => (
            <div className="mb-4 grid gap-3 border-l-4 border-main pl-4">
              {isMoved && <AddressChange count={ahead.length} />}
              {isOtherZone && <TimeZoneChange from={studio.time_zone} to={zone} upcoming={ahead} />}
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
      </strong>{' '}
      Past ones keep the old. The {count === 1 ? 'client is' : 'clients are'} told, where you have
      their email address.
    </p>
  );
}

interface TimeZoneChangeProps {
  from: string;
  to: string;
  upcoming: readonly Appointment[];
}

function TimeZoneChange({ from, to, upcoming }: TimeZoneChangeProps) {
  const shown = upcoming.slice(0, MAX_SHOWN);
  const more = upcoming.length - shown.length;
  return (
    <>
      <p>
        <strong>Your opening hours will be read in the new time zone.</strong>{' '}
        {upcoming.length === 0
          ? 'You have no upcoming appointments that would show another time.'
          : `${upcoming.length === 1 ? 'Your upcoming appointment keeps its' : `Your ${upcoming.length} upcoming appointments keep their`} moment, which clocks there show differently:`}
      </p>
      {shown.length > 0 && (
        <ul aria-label="Appointments in the new time zone" className="grid gap-2">
          {shown.map(({ id, client, start }) => (
            <li key={id} className="grid">
              <span className="font-semibold wrap-anywhere">{clientName(client)}</span>
              {start !== null && (
                <span>
                  <span className="text-muted">{formatDateTime(start, from)} becomes</span>{' '}
                  {formatDateTime(start, to)}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className="text-muted">and {more} more.</p>}
    </>
  );
}

/** 'Tue, Dec 1, 2026, 10:00 AM (New York)'. */
function formatDateTime(when: string, zone: string): string {
  return `${formatShortDay(when, zone)}, ${formatTime(when, zone)} (${formatCity(zone)})`;
}

function formatCity(zone: string): string {
  return zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone;
}
