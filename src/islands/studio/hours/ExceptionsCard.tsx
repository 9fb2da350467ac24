import { useStore } from '@nanostores/react';
import { useRef, useState } from 'react';
import {
  type ExceptionRun,
  endNightBefore,
  joinConsecutiveDaysOff,
  nightBeforeEnd,
  suggestNextWindow,
} from '#domain/booking/opening_hours.ts';
import type { OpeningWindow } from '#domain/booking/schedule.ts';
import { formatClockTime, formatDayWithYear } from '#domain/time/format_time.ts';
import type { HoursEditor } from '#stores/studio/hours.ts';
import { validateDates } from '#stores/studio/hours_draft.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { DateField } from '../../forms/DateField.tsx';
import { RadioButton } from '../../forms/RadioButton.tsx';
import { Button, DialogButton, LinkButton } from '../buttons.tsx';
import { useNightBeforeQuestion } from './night_before.tsx';
import { OpeningHoursEditor } from './OpeningHoursEditor.tsx';

/** Upcoming days off, and dates whose hours differ from their weekday. */
export function ExceptionsCard({ editor }: { editor: HoursEditor }) {
  const { exceptions } = useStore(editor.$draft);
  const addButton = useRef<HTMLButtonElement>(null);
  // The draft also has an exception of yesterday, because its night may last into today.
  const today = editor.today();
  const dateRanges = joinConsecutiveDaysOff(exceptions.filter(({ date }) => date >= today));
  return (
    <section className="card p-4 sm:p-6" aria-labelledby="dates-heading">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="dates-heading" className="text-2xl">
          Days off and other hours
        </h2>
        <DialogButton
          label="Add days"
          ref={addButton}
          dialog={(onClose) => <AddDatesDialog editor={editor} onClose={onClose} />}
        />
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
              editor={editor}
              dateRange={dateRange}
              // The focused button disappears with its row.
              onRemove={() => addButton.current?.focus()}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface DateRangeRowProps {
  editor: HoursEditor;
  dateRange: ExceptionRun;
  onRemove: () => void;
}

function DateRangeRow({ editor, dateRange, onRemove }: DateRangeRowProps) {
  const { first, last, windows } = dateRange;
  const { errors } = useStore(editor.$validation);
  const nightEnd = nightBeforeEnd(useStore(editor.$draft), first);
  const firstDay = formatDayWithYear(first, 'UTC');
  const name = first === last ? firstDay : `${firstDay} – ${formatDayWithYear(last, 'UTC')}`;
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
            editor.removeDates(dateRange);
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
            // Without hours it is a day off, which joins those beside it: its row may go.
            if (changed.length === 0) onRemove();
            editor.setDates(dateRange, changed);
          }}
        />
      )}
    </li>
  );
}

/** Adds a range of dates that are closed or have other hours than their weekday. */
function AddDatesDialog({ editor, onClose }: { editor: HoursEditor; onClose: () => void }) {
  const today = editor.today();
  const [first, setFirst] = useState('');
  const [last, setLast] = useState('');
  const [windows, setWindows] = useState<readonly OpeningWindow[]>([]);
  const draft = useStore(editor.$draft);
  const firstDayOff = windows.length === 0 && first !== '' ? first : null;
  const nightBefore = useNightBeforeQuestion(draft, firstDayOff);
  // Errors appear after the first click on Add.
  const [hasTriedToAdd, setHasTriedToAdd] = useState(false);
  const dates = { first, last: last || first, windows };
  const errors = validateDates(draft, dates, today);

  function add(): void {
    setHasTriedToAdd(true);
    const hasWindowErrors = Object.keys(errors.windows).length > 0;
    if (errors.first !== null || errors.last !== null || hasWindowErrors) return;
    if (nightBefore.endsNight) editor.change({ exceptions: endNightBefore(draft, first) });
    editor.setDates(dates, windows);
    onClose();
  }

  return (
    <Dialog title="Add days" onClose={onClose}>
      <div className="grid grid-cols-1 gap-x-4 gap-y-1 sm:grid-cols-2">
        <DateField
          label="First day"
          value={first}
          min={today}
          error={hasTriedToAdd ? errors.first : null}
          onChange={setFirst}
        />
        <DateField
          label="Last day (optional)"
          value={last}
          min={first || today}
          error={hasTriedToAdd ? errors.last : null}
          onChange={setLast}
        />
      </div>
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-semibold">On these days you are</legend>
        <RadioButton checked={windows.length === 0} onSelect={() => setWindows([])}>
          closed
        </RadioButton>
        <RadioButton
          checked={windows.length > 0}
          onSelect={() => setWindows([suggestNextWindow([]) ?? { start: '', end: '' }])}
        >
          open at other hours
        </RadioButton>
      </fieldset>
      {windows.length > 0 && (
        <div className="mt-2">
          <OpeningHoursEditor
            day="these days"
            windows={windows}
            errors={errors.windows}
            prefix=""
            onChange={setWindows}
          />
        </div>
      )}
      {nightBefore.question && <div className="mt-2">{nightBefore.question}</div>}
      <div className="mt-5 flex flex-wrap gap-3">
        <Button label="Add" look="main" onClick={add} />
        <Button label="Cancel" look="quiet" onClick={onClose} />
      </div>
    </Dialog>
  );
}
