import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { isSameWallTime } from '#domain/format_time.ts';
import { errorText } from '#stores/error_text.ts';
import {
  $calendarAppointments,
  $calendarItems,
  $page,
  openCalendar,
} from '#stores/studio/calendar.ts';
import { browserTimeZone } from '../../browser.ts';
import { Spinner } from '../../Spinner.tsx';
import { TimeDialog } from '../appointments/TimeDialog.tsx';
import { AppointmentDialog } from './AppointmentDialog.tsx';
import { CalendarGrid } from './CalendarGrid.tsx';
import { CalendarLegend } from './CalendarLegend.tsx';
import { CalendarToolbar } from './CalendarToolbar.tsx';
import { DaysDialog } from './DaysDialog.tsx';
import { formatDayHours } from './labels.ts';
import type { SelectedDays } from './selected_days.ts';

/** What a dialog is open about: an appointment, or an empty place on the calendar. */
type CalendarDialog =
  | { readonly kind: 'appointment' | 'move'; readonly id: string }
  | { readonly kind: 'days'; readonly place: SelectedDays };

const WIDE_SCREEN = '(width >= 48rem)';

export function Calendar({ me }: { me: CurrentArtist }) {
  const zone = me.studio.time_zone;
  const page = useStore($page);
  const entries = useStore($calendarItems);
  const reading = useStore($calendarAppointments);
  const [asked, setAsked] = useState<CalendarDialog | null>(null);
  const close = () => setAsked(null);

  useEffect(() => {
    const usual = matchMedia(WIDE_SCREEN).matches ? 'week' : 'day';
    openCalendar(zone, location.search, usual);
  }, [zone]);

  if (page === null) return null;
  const entry = asked?.kind === 'days' ? undefined : entries.find(({ id }) => id === asked?.id);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <CalendarToolbar
        zone={zone}
        page={page}
        onAdd={() =>
          setAsked({ kind: 'days', place: { first: page.date, last: page.date, start: null } })
        }
      />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1 text-sm text-muted">
        <TimeZoneNote zone={zone} />
        {page.view === 'day' && <p>{formatDayHours(me.schedule, page.date, zone)}</p>}
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
            The appointments could not be loaded. {errorText(reading.error)}
          </p>
          <button
            type="button"
            className="button"
            onClick={() => $calendarAppointments.revalidate()}
          >
            Try again
          </button>
        </div>
      )}
      <CalendarGrid
        key={`${page.view} ${page.date}`}
        me={me}
        page={page}
        entries={entries}
        onEntryClick={(id) => setAsked({ kind: 'appointment', id })}
        onSelectDates={(place) => setAsked({ kind: 'days', place })}
      />
      <CalendarLegend />
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
      {asked?.kind === 'days' && <DaysDialog me={me} selectedDates={asked.place} onClose={close} />}
    </div>
  );
}

function TimeZoneNote({ zone }: { zone: string }) {
  const own = browserTimeZone();
  return (
    <p>
      Times in <strong className="font-semibold text-ink">{zone}</strong>
      {!isSameWallTime(zone, own, Date.now()) && <>, your studio’s. This device is in {own}.</>}
    </p>
  );
}
