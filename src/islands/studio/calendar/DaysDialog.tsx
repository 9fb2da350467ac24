import { useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { dayKindOn } from '#domain/availability_preview.ts';
import { laterDate } from '#domain/booking_range.ts';
import { formatDayWithYear, formatTime } from '#domain/format_time.ts';
import { openingWindowsOn } from '#domain/schedule.ts';
import {
  addDays,
  type LocalDate,
  parseWallTime,
  resolveWallTime,
  toRfc3339,
} from '#domain/time.ts';
import { closeDates, reopenDates, showCalendar } from '#stores/studio/calendar.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { DateField } from '../../forms/DateField.tsx';
import { formatDayHours } from './labels.ts';
import type { SelectedDays } from './selected_days.ts';

const MAX_DAYS = 366;
const DEFAULT_START = '10:00';

interface DaysDialogProps {
  me: CurrentArtist;
  selectedDates: SelectedDays;
  onClose: () => void;
}

/** What can be done with an empty place on the calendar: book it, or take the days off. */
export function DaysDialog({ me, selectedDates: place, onClose }: DaysDialogProps) {
  const { schedule, studio } = me;
  const zone = studio.time_zone;
  const [first, setFirst] = useState(place.first);
  const [last, setLast] = useState(place.last);
  const [running, setRunning] = useState<typeof closeDates | null>(null);
  const until = laterDate(first, last);
  const isFine = first !== '' && until <= addDays(first || place.first, MAX_DAYS);
  const kinds = isFine ? datesBetween(first, until).map((date) => dayKindOn(schedule, date)) : [];
  const hasOwn = kinds.some((kind) => kind === 'off' || kind === 'own');
  const canClose = kinds.some((kind) => kind === 'open' || kind === 'own');
  const start = place.start !== null && first === place.first ? place.start : null;
  const isOne = first === until;

  async function run(act: typeof closeDates): Promise<void> {
    setRunning(() => act);
    const done = await act(first, until);
    setRunning(null);
    if (done) onClose();
  }

  return (
    <Dialog
      title={first === '' ? 'Days' : formatDayWithYear(`${first}T00:00:00Z`, 'UTC')}
      onClose={onClose}
    >
      <p className="text-muted">{first !== '' && formatDayHours(schedule, first, zone)}</p>
      <div className="mt-4 grid gap-x-4 sm:grid-cols-2">
        <DateField
          label="Day"
          value={first}
          error={first === '' ? 'Enter a day' : null}
          onChange={(date) => {
            // One day stays one day.
            if (last === first) setLast(date);
            setFirst(date);
          }}
        />
        <DateField
          label="Until, for several days off"
          value={until}
          min={first}
          error={first !== '' && !isFine ? 'At most a year at once' : null}
          onChange={setLast}
        />
      </div>
      {isFine && (
        <div className="grid gap-3">
          <a
            href={`/studio/appointments?enter=${toRfc3339(start ?? defaultStart(schedule, zone, first))}`}
            className="button button-main"
          >
            {start === null
              ? 'Enter an appointment'
              : `Enter an appointment at ${formatTime(start, zone)}`}
          </a>
          {canClose && (
            <BusyButton
              busy={running === closeDates}
              disabled={running !== null}
              onClick={() => void run(closeDates)}
            >
              {isOne ? 'Take this day off' : `Take these ${kinds.length} days off`}
            </BusyButton>
          )}
          {hasOwn && (
            <BusyButton
              busy={running === reopenDates}
              disabled={running !== null}
              onClick={() => void run(reopenDates)}
            >
              {isOne ? 'Open this day again' : 'Open these days again'}
            </BusyButton>
          )}
          <button
            type="button"
            className="button"
            onClick={() => {
              showCalendar({ view: 'day', date: first });
              onClose();
            }}
          >
            Show this day
          </button>
          <p className="text-sm text-muted">
            For other hours on a day, or every week, go to{' '}
            <a href="/studio/hours" className="link">
              Hours
            </a>
            .
          </p>
        </div>
      )}
    </Dialog>
  );
}

function defaultStart(schedule: CurrentArtist['schedule'], zone: string, date: LocalDate): number {
  const time = openingWindowsOn(schedule, date)[0]?.start ?? DEFAULT_START;
  return resolveWallTime(zone, date, parseWallTime(time)).instant;
}

function datesBetween(first: LocalDate, last: LocalDate): LocalDate[] {
  const dates: LocalDate[] = [];
  for (let date = first; date <= last; date = addDays(date, 1)) dates.push(date);
  return dates;
}
