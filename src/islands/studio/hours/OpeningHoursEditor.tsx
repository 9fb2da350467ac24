import { useId, useRef } from 'react';
import { suggestNextWindow } from '#domain/opening_hours.ts';
import type { OpeningWindow } from '#domain/schedule.ts';
import { windowErrors } from '#stores/studio/hours_draft.ts';
import { Icon } from '../Icon.tsx';

interface OpeningHoursEditorProps {
  /** Whose hours these are, as in 'Tuesday'. */
  day: string;
  windows: readonly OpeningWindow[];
  onChange: (windows: readonly OpeningWindow[]) => void;
  /** Other things that can be done with the day, beside adding hours. */
  children?: React.ReactNode;
}

/** The open hours of one day: any number of them, each from a time to a time. */
export function OpeningHoursEditor({ day, windows, onChange, children }: OpeningHoursEditorProps) {
  const faults = windowErrors('', windows);
  const next = suggestNextWindow(windows);
  const adding = useRef<HTMLButtonElement>(null);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {windows.map((window, index) => (
        <OpeningHoursRow
          key={index}
          label={windows.length === 1 ? day : `${day}, hours ${index + 1}`}
          openingHours={window}
          error={faults[`.${index}`]}
          onChange={(changed) => onChange(windows.with(index, changed))}
          onRemove={() => {
            // The button that was pressed goes with its hours.
            adding.current?.focus();
            onChange(windows.toSpliced(index, 1));
          }}
        />
      ))}
      <div className="-ml-2 flex flex-wrap items-center gap-x-2">
        {next && (
          <button
            ref={adding}
            type="button"
            className={TEXT_BUTTON_CLASS}
            onClick={() => onChange([...windows, next])}
          >
            <Icon name="plus" className="size-4" />
            {windows.length === 0 ? 'Open' : 'Add hours'}
            <span className="sr-only"> on {day}</span>
          </button>
        )}
        {children}
      </div>
    </div>
  );
}

/** A button that is no more than its words. */
export const TEXT_BUTTON_CLASS =
  'inline-flex min-h-11 cursor-pointer items-center gap-1.5 rounded-md px-2 font-semibold text-muted hover:text-ink';

// On the smallest phones the time has no room for the picker's mark; a touch opens it all the same.
const TIME_INPUT_CLASS =
  'input max-w-36 min-w-0 flex-1 px-1.5 sm:px-2 max-[24rem]:[&::-webkit-calendar-picker-indicator]:hidden';

interface OpeningHoursRowProps {
  label: string;
  openingHours: OpeningWindow;
  error: string | undefined;
  onChange: (window: OpeningWindow) => void;
  onRemove: () => void;
}

function OpeningHoursRow({
  label: name,
  openingHours: window,
  error: fault,
  onChange,
  onRemove,
}: OpeningHoursRowProps) {
  const id = useId();
  const marks = {
    'aria-invalid': fault !== undefined,
    'aria-describedby': fault === undefined ? undefined : id,
  };
  return (
    <div>
      <div className="flex items-center gap-1 sm:gap-1.5">
        <input
          {...marks}
          type="time"
          step={300}
          required
          className={TIME_INPUT_CLASS}
          aria-label={`${name}, from`}
          value={window.start}
          onChange={({ target }) => onChange({ ...window, start: target.value })}
        />
        <span aria-hidden="true" className="text-muted">
          –
        </span>
        <input
          {...marks}
          type="time"
          step={300}
          required
          className={TIME_INPUT_CLASS}
          aria-label={`${name}, until`}
          value={window.end === '24:00' ? '00:00' : window.end}
          // A day can only end at midnight: it never is its first minute.
          onChange={({ target }) =>
            onChange({ ...window, end: target.value === '00:00' ? '24:00' : target.value })
          }
        />
        <button
          type="button"
          aria-label={`Remove ${name}`}
          className="grid size-11 shrink-0 cursor-pointer place-items-center rounded-md text-2xl leading-none text-muted hover:text-danger"
          onClick={onRemove}
        >
          <span aria-hidden="true">×</span>
        </button>
      </div>
      {fault && (
        <p id={id} className="field-error mt-1">
          {fault}
        </p>
      )}
    </div>
  );
}
