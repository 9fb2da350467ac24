import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { isSameWallTime } from '#domain/show_time.ts';
import { reasonOf } from '#stores/reason.ts';
import { $appointments, $entries, $page, openCalendar } from '#stores/studio/calendar.ts';
import { browserZone } from '../../hydrated.ts';
import { Spinner } from '../../Spinner.tsx';
import { TimeDialog } from '../appointments/TimeDialog.tsx';
import { AppointmentDialog } from './AppointmentDialog.tsx';
import { CalendarGrid } from './CalendarGrid.tsx';
import { DaysDialog } from './DaysDialog.tsx';
import { dayWords } from './day_words.ts';
import { Legend } from './Legend.tsx';
import type { SelectedDays } from './selected_days.ts';
import { Toolbar } from './Toolbar.tsx';

/** What a dialog is open about: an appointment, or an empty place on the calendar. */
type Asked =
  | { readonly kind: 'appointment' | 'move'; readonly id: string }
  | { readonly kind: 'days'; readonly place: SelectedDays };

const WIDE = '(width >= 48rem)';

export function Calendar({ me }: { me: CurrentArtist }) {
  const zone = me.studio.time_zone;
  const page = useStore($page);
  const entries = useStore($entries);
  const reading = useStore($appointments);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);

  useEffect(() => {
    const usual = matchMedia(WIDE).matches ? 'week' : 'day';
    openCalendar(zone, location.search, usual);
  }, [zone]);

  if (page === null) return null;
  const entry = asked?.kind === 'days' ? undefined : entries.find(({ id }) => id === asked?.id);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Toolbar
        zone={zone}
        page={page}
        onAdd={() =>
          setAsked({ kind: 'days', place: { first: page.date, last: page.date, start: null } })
        }
      />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1 text-sm text-muted">
        <ZoneNote zone={zone} />
        {page.view === 'day' && <p>{dayWords(me.schedule, page.date, zone)}</p>}
        <p role="status" className="flex items-center gap-2">
          {reading.loading && reading.data === undefined && (
            <>
              <Spinner />
              Loading appointments…
            </>
          )}
        </p>
      </div>
      {reading.error !== undefined && !reading.loading && (
        <div role="alert" className="card flex flex-wrap items-center justify-between gap-3 p-4">
          <p className="text-danger">
            The appointments could not be loaded. {reasonOf(reading.error)}
          </p>
          <button type="button" className="button" onClick={() => $appointments.revalidate()}>
            Try again
          </button>
        </div>
      )}
      <CalendarGrid
        key={`${page.view} ${page.date}`}
        me={me}
        page={page}
        entries={entries}
        onEntry={(id) => setAsked({ kind: 'appointment', id })}
        onPlace={(place) => setAsked({ kind: 'days', place })}
      />
      <Legend />
      {entry && asked?.kind === 'appointment' && (
        <AppointmentDialog
          entry={entry}
          zone={zone}
          onMove={() => setAsked({ kind: 'move', id: entry.id })}
          onClose={close}
        />
      )}
      {entry && asked?.kind === 'move' && (
        <TimeDialog key={entry.id} me={me} appointment={entry.appointment} onClose={close} />
      )}
      {asked?.kind === 'days' && <DaysDialog me={me} place={asked.place} onClose={close} />}
    </div>
  );
}

function ZoneNote({ zone }: { zone: string }) {
  const own = browserZone();
  return (
    <p>
      Times in <strong className="font-semibold text-ink">{zone}</strong>
      {!isSameWallTime(zone, own, Date.now()) && <>, your studio’s. This device is in {own}.</>}
    </p>
  );
}
