import { useStore } from '@nanostores/react';
import { useRef, useState } from 'react';
import { formatDayWithYear } from '#domain/format_time.ts';
import { type ExceptionRun, joinConsecutiveDaysOff } from '#domain/opening_hours.ts';
import type { HoursEditor } from '#stores/studio/hours.ts';
import { AddDatesDialog } from './AddDatesDialog.tsx';
import { OpeningHoursEditor } from './OpeningHoursEditor.tsx';

/** Days off and days with hours of their own, those to come. */
export function ExceptionsCard({ hours }: { hours: HoursEditor }) {
  const { exceptions } = useStore(hours.$draft);
  const [adding, setAdding] = useState(false);
  const addDays = useRef<HTMLButtonElement>(null);
  const runs = joinConsecutiveDaysOff(exceptions);
  return (
    <section className="card p-4 sm:p-6" aria-labelledby="dates-heading">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="dates-heading" className="text-2xl">
          Days off and other hours
        </h2>
        <button ref={addDays} type="button" className="button" onClick={() => setAdding(true)}>
          Add days
        </button>
      </div>
      {runs.length === 0 ? (
        <p className="mt-3 text-muted">
          Holidays, conventions, a late evening: add the dates on which the week does not hold.
        </p>
      ) : (
        <ul className="mt-3 divide-y divide-line">
          {runs.map((run) => (
            <DateRangeRow
              key={run.first}
              hours={hours}
              dateRange={run}
              // What was pressed goes with its row.
              onRemove={() => addDays.current?.focus()}
            />
          ))}
        </ul>
      )}
      {adding && <AddDatesDialog hours={hours} onClose={() => setAdding(false)} />}
    </section>
  );
}

interface DateRangeRowProps {
  hours: HoursEditor;
  dateRange: ExceptionRun;
  onRemove: () => void;
}

function DateRangeRow({
  hours,
  dateRange: { first, last, windows },
  onRemove: onGone,
}: DateRangeRowProps) {
  const name = first === last ? formatDate(first) : `${formatDate(first)} – ${formatDate(last)}`;
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p>
          <span className="font-semibold">{name}</span>
          {windows.length === 0 && <span className="ml-2 text-muted">Day off</span>}
        </p>
        <button
          type="button"
          className="link inline-flex min-h-11 cursor-pointer items-center"
          onClick={() => {
            onGone();
            hours.clearDates(first, last);
          }}
        >
          As in the week<span className="sr-only">: {name}</span>
        </button>
      </div>
      {windows.length > 0 && (
        <OpeningHoursEditor
          day={name}
          windows={windows}
          onChange={(changed) => {
            if (changed.length === 0) onGone();
            hours.setDates(first, last, changed);
          }}
        />
      )}
    </li>
  );
}

function formatDate(date: string): string {
  return formatDayWithYear(`${date}T00:00:00Z`, 'UTC');
}
