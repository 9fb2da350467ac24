import { useStore } from '@nanostores/react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { serverNow } from '#client/server_clock.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { describeTimeZone } from '#domain/time/describe_time_zone.ts';
import { isSameWallTime } from '#domain/time/format_time.ts';
import { deviceTimeZone } from '#domain/time/time_zone.ts';
import { zoneOf } from '#domain/time/zone_offsets.ts';
import { errorText } from '#stores/error_text.ts';
import {
  $calendarAppointments,
  $calendarEntries,
  $calendarPage,
  openCalendar,
} from '#stores/studio/calendar.ts';
import { Spinner } from '../../Spinner.tsx';
import { STATUSES } from '../appointments/StatusBadge.tsx';
import { BufferQuestion, TimeDialog } from '../appointments/TimeDialog.tsx';
import { Button } from '../buttons.tsx';
import { createStudioPage } from '../create_studio_page.tsx';
import { AppointmentDialog } from './AppointmentDialog.tsx';
import { CalendarGrid } from './CalendarGrid.tsx';
import { CalendarToolbar } from './CalendarToolbar.tsx';
import { DaysDialog, type SelectedDays } from './DaysDialog.tsx';
import { formatDayHours } from './labels.ts';

type CalendarDialog =
  | { readonly kind: 'appointment' | 'move'; readonly id: string }
  | { readonly kind: 'days'; readonly days: SelectedDays };

const WIDE_SCREEN = '(width >= 48rem)';

const { confirmed, held, offered, completed, no_show } = STATUSES;
const BACKGROUNDS = {
  closed: { label: 'Closed' },
  buffer: { label: 'Kept free after an appointment' },
};
/** What each color means, by the end of its CSS class: `entry-confirmed` and so on. */
const LEGEND = { confirmed, held, offered, completed, no_show, ...BACKGROUNDS };

/** The artist's days: the appointments, the opening hours, and the days off. */
export default createStudioPage('calendar', Calendar);

function Calendar({ me }: { me: CurrentArtist }) {
  const zone = me.studio;
  const deviceZone = deviceTimeZone();
  const page = useStore($calendarPage);
  const entries = useStore($calendarEntries);
  const appointments = useStore($calendarAppointments);
  const [dialog, setDialog] = useState<CalendarDialog | null>(null);
  const closeDialog = () => setDialog(null);
  const openDaysDialog = (days: SelectedDays) => setDialog({ kind: 'days', days });

  useEffect(() => {
    openCalendar(me, location.search, matchMedia(WIDE_SCREEN).matches ? 'week' : 'day');
  }, [me]);

  const hasAnswer = appointments.data !== undefined || appointments.error !== undefined;
  const gridKey = page === null ? null : `${page.view} ${page.date}`;
  const grid = useRef<HTMLDivElement>(null);
  const drawn = useDrawnGrid(grid, gridKey, hasAnswer);

  if (page === null) return null;
  const { view, date } = page;
  const isDrawn = drawn?.key === gridKey;
  const entry = dialog?.kind === 'days' ? undefined : entries.find(({ id }) => id === dialog?.id);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <CalendarToolbar
        me={me}
        page={page}
        onAdd={() => openDaysDialog({ first: date, last: date, start: null })}
      />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1 text-sm text-muted">
        <p>
          <span>Times in </span>
          <strong className="font-semibold text-ink">{describeTimeZone(zone.time_zone)}</strong>
          {deviceZone !== null && !isSameWallTime(zone, deviceZone, serverNow()) && (
            <span>{`, your studio’s. This device is in ${describeTimeZone(deviceZone)}.`}</span>
          )}
        </p>
        {view === 'day' && <p>{formatDayHours(me.schedule, date)}</p>}
        {/* No visible words: on a phone they would add a line for a moment, and move the calendar. */}
        <p role="status" className="flex min-h-5 items-center">
          {appointments.loading && appointments.data === undefined && (
            <>
              <Spinner />
              <span className="sr-only">Loading appointments…</span>
            </>
          )}
        </p>
      </div>
      {appointments.error !== undefined && !appointments.loading && (
        <div role="alert" className="card flex flex-wrap items-center justify-between gap-3 p-4">
          <p className="text-danger">
            {`The appointments could not be loaded. ${errorText(appointments.error)}`}
          </p>
          <Button label="Try again" onClick={() => $calendarAppointments.revalidate()} />
        </div>
      )}
      <div className={`grid grid-cols-[minmax(0,1fr)] gap-4 ${drawn ? '' : 'invisible'}`}>
        {/* Until another page of the calendar is drawn, its place keeps the height of the last one. */}
        <div
          ref={grid}
          className={isDrawn ? '' : 'invisible'}
          style={{ minHeight: isDrawn ? 0 : drawn?.height }}
        >
          <CalendarGrid
            // FullCalendar reads the view and the date only when it is mounted, so a new key mounts it again.
            key={gridKey}
            me={me}
            page={page}
            entries={entries}
            onEntryClick={(id) => setDialog({ kind: 'appointment', id })}
            onSelectDays={openDaysDialog}
          />
        </div>
        <ul
          className="flex flex-wrap gap-x-5 gap-y-2 text-sm text-muted"
          aria-label="What it means"
        >
          {Object.entries(LEGEND).map(([name, { label }]) => (
            <li key={name} className="flex items-center gap-2">
              <span className={`entry-swatch entry-${name}`} aria-hidden="true" />
              <span>{label}</span>
            </li>
          ))}
        </ul>
      </div>
      {entry && dialog?.kind === 'appointment' && (
        <AppointmentDialog
          entry={entry}
          zone={zoneOf(zone, entry.appointment)}
          onMove={() => setDialog({ kind: 'move', id: entry.id })}
          onClose={closeDialog}
        />
      )}
      {entry && dialog?.kind === 'move' && (
        <TimeDialog key={entry.id} me={me} appointment={entry.appointment} onClose={closeDialog} />
      )}
      {dialog?.kind === 'days' && (
        <DaysDialog me={me} selectedDays={dialog.days} onClose={closeDialog} />
      )}
      <BufferQuestion />
    </div>
  );
}

/**
 * The key and the height in pixels of the grid that FullCalendar drew last; undefined before the first. A grid counts
 * as drawn two frames after it is mounted: FullCalendar measures its first drawing and draws again with other sizes.
 * @param hasAnswer whether the appointments have loaded or failed to load, for which the first grid waits
 */
function useDrawnGrid(grid: RefObject<HTMLElement | null>, key: string | null, hasAnswer: boolean) {
  const [drawn, setDrawn] = useState<{ readonly key: string; readonly height: number }>();
  const canDraw = hasAnswer || drawn !== undefined;
  useEffect(() => {
    if (!canDraw || key === null) return;
    const draw = () => setDrawn({ key, height: grid.current?.offsetHeight ?? 0 });
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, [canDraw, key, grid]);
  return drawn;
}
