import { useStore } from '@nanostores/react';
import { useRef, useState } from 'react';
import { formatClockTime, formatDayWithYear } from '#domain/format_time.ts';
import { type ExceptionRun, joinConsecutiveDaysOff } from '#domain/opening_hours.ts';
import type { HoursEditor } from '#stores/studio/hours.ts';
import { Button, LinkButton } from '../buttons.tsx';
import { AddDatesDialog } from './AddDatesDialog.tsx';
import { OpeningHoursEditor } from './OpeningHoursEditor.tsx';

/** Upcoming days off, and dates whose hours differ from their weekday. */
export function ExceptionsCard({ hours }: { hours: HoursEditor }) {
  const { exceptions } = useStore(hours.$draft);
  const [isAdding, setIsAdding] = useState(false);
  const addButton = useRef<HTMLButtonElement>(null);
  // The draft also has yesterday, whose night may last until today.
  const today = hours.today();
  const dateRanges = joinConsecutiveDaysOff(exceptions.filter(({ date }) => date >= today));
  return (
    <section className="card p-4 sm:p-6" aria-labelledby="dates-heading">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="dates-heading" className="text-2xl">
          Days off and other hours
        </h2>
        <Button label="Add days" ref={addButton} onClick={() => setIsAdding(true)} />
      </div>
      {dateRanges.length === 0 ? (
        <p className="mt-3 text-muted">
          Holidays, conventions, a late evening: add the dates on which the week does not hold.
        </p>
      ) : (
        <ul className="mt-3 divide-y divide-line">
          {dateRanges.map((dateRange) => (
            <DateRangeRow
              key={dateRange.first}
              hours={hours}
              dateRange={dateRange}
              // The focused button disappears with its row.
              onRemove={() => addButton.current?.focus()}
            />
          ))}
        </ul>
      )}
      {isAdding && <AddDatesDialog hours={hours} onClose={() => setIsAdding(false)} />}
    </section>
  );
}

interface DateRangeRowProps {
  hours: HoursEditor;
  dateRange: ExceptionRun;
  onRemove: () => void;
}

function DateRangeRow({ hours, dateRange, onRemove }: DateRangeRowProps) {
  const { first, last, windows } = dateRange;
  const { errors } = useStore(hours.$validation);
  const nightEnd = hours.nightBeforeEnd(first);
  const name = first === last ? formatDate(first) : `${formatDate(first)} – ${formatDate(last)}`;
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p>
          <span className="font-semibold">{name}</span>
          {windows.length === 0 && (
            <span className="ml-2 text-muted">
              {nightEnd === null ? 'Day off' : `Day off from ${formatClockTime(nightEnd)}`}
            </span>
          )}
        </p>
        <LinkButton
          label="As in the week"
          labelEnd={`: ${name}`}
          onClick={() => {
            onRemove();
            hours.removeDates(first, last);
          }}
        />
      </div>
      {windows.length > 0 && (
        <OpeningHoursEditor
          day={name}
          windows={windows}
          errors={errors}
          prefix={`exceptions.${first}`}
          onChange={(changed) => {
            if (changed.length === 0) onRemove();
            hours.setDates(first, last, changed);
          }}
        />
      )}
    </li>
  );
}

/** Midnight UTC, shown in UTC, is the date itself: no time zone can shift it. */
function formatDate(date: string): string {
  return formatDayWithYear(`${date}T00:00:00Z`, 'UTC');
}
