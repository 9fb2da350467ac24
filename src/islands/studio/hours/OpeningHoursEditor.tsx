import { useId, useRef } from 'react';
import { endsNextDay, suggestNextWindow } from '#domain/booking/opening_hours.ts';
import type { OpeningWindow } from '#domain/booking/schedule.ts';
import { formatClockTime } from '#domain/time/format_time.ts';
import type { FieldErrors } from '#stores/studio/hours_draft.ts';
import type { Elements } from '../../elements.ts';
import { Button } from '../buttons.tsx';

interface OpeningHoursEditorProps {
  /** The name of the day or dates, such as 'Tuesday'. */
  day: string;
  windows: readonly OpeningWindow[];
  errors: FieldErrors;
  /** `errors` has the error of the first window under `<prefix>.0`, and so on. */
  prefix: string;
  onChange: (windows: readonly OpeningWindow[]) => void;
  /** Beside the button that adds hours. */
  children?: Elements;
}

/**
 * Edits the opening hours of one day, or of days that get the same ones: any number of windows. A window whose
 * end is before its start ends on the next day.
 */
export function OpeningHoursEditor(props: OpeningHoursEditorProps) {
  const { day, windows, errors, prefix, onChange, children } = props;
  const nextWindow = suggestNextWindow(windows);
  const addButton = useRef<HTMLButtonElement>(null);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {windows.map((hours, index) => (
        <OpeningHoursRow
          key={index}
          label={windows.length === 1 ? day : `${day}, hours ${index + 1}`}
          hours={hours}
          error={errors[`${prefix}.${index}`]}
          onChange={(changed) => onChange(windows.with(index, changed))}
          onRemove={() => {
            // The focused remove button disappears with its row.
            addButton.current?.focus();
            onChange(windows.toSpliced(index, 1));
          }}
        />
      ))}
      <div className="-ml-2 flex flex-wrap items-center gap-x-2">
        {nextWindow && (
          <Button
            ref={addButton}
            look="text"
            icon="plus"
            label={windows.length === 0 ? 'Open' : 'Add hours'}
            labelEnd={` on ${day}`}
            onClick={() => onChange([...windows, nextWindow])}
          />
        )}
        {children}
      </div>
    </div>
  );
}

// The smallest phones have no room for the picker's icon; a tap on the input opens it all the same.
const TIME_INPUT_CLASS =
  'input max-w-36 min-w-0 flex-1 px-1.5 sm:px-2 max-[24rem]:[&::-webkit-calendar-picker-indicator]:hidden';

const STEP_SECONDS = 5 * 60;

interface OpeningHoursRowProps {
  label: string;
  hours: OpeningWindow;
  error: string | undefined;
  onChange: (hours: OpeningWindow) => void;
  onRemove: () => void;
}

function OpeningHoursRow({ label, hours, error, onChange, onRemove }: OpeningHoursRowProps) {
  const { start, end } = hours;
  const noteId = useId();
  const note = error ?? (endsNextDay(hours) && `Until ${formatClockTime(end)} the next day`);
  const inputProps = {
    type: 'time',
    step: STEP_SECONDS,
    required: true,
    className: TIME_INPUT_CLASS,
    'aria-invalid': error !== undefined,
    'aria-describedby': note ? noteId : undefined,
  };
  return (
    <div>
      <div className="flex items-center gap-1 sm:gap-1.5">
        <input
          {...inputProps}
          aria-label={`${label}, from`}
          value={start}
          onChange={({ target }) => onChange({ start: target.value, end })}
        />
        <span aria-hidden="true" className="text-muted">
          –
        </span>
        <input
          {...inputProps}
          aria-label={`${label}, until`}
          // Time inputs have no 24:00. As an end, 00:00 can only mean the midnight after the day.
          value={end === '24:00' ? '00:00' : end}
          onChange={({ target: { value } }) =>
            onChange({ start, end: value === '00:00' ? '24:00' : value })
          }
        />
        <button
          type="button"
          aria-label={`Remove ${label}`}
          className="grid size-11 shrink-0 cursor-pointer place-items-center rounded-md text-2xl leading-none text-muted hover:text-danger"
          onClick={onRemove}
        >
          <span aria-hidden="true">×</span>
        </button>
      </div>
      {note && (
        <p id={noteId} className={error ? 'field-error mt-1' : 'mt-1 text-sm text-muted'}>
          {note}
        </p>
      )}
    </div>
  );
}
