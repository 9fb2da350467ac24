import { useState } from 'react';
import { suggestNextWindow } from '#domain/opening_hours.ts';
import type { OpeningWindow } from '#domain/schedule.ts';
import { addDays } from '#domain/time.ts';
import type { HoursEditor } from '#stores/studio/hours.ts';
import { windowErrors } from '#stores/studio/hours_draft.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { DateField } from '../../forms/DateField.tsx';
import { RadioButton } from '../../forms/RadioButton.tsx';
import { OpeningHoursEditor } from './OpeningHoursEditor.tsx';

const MAX_DAYS = 366;

/** Asks which dates are off, or have which hours. */
export function AddDatesDialog({ hours, onClose }: { hours: HoursEditor; onClose: () => void }) {
  const today = hours.today();
  const [first, setFirst] = useState('');
  const [last, setLast] = useState('');
  const [windows, setWindows] = useState<readonly OpeningWindow[]>([]);
  const [tried, setTried] = useState(false);
  const until = last === '' ? first : last;
  const faults = {
    first: first === '' ? 'Enter a day' : first < today ? 'This day has passed' : null,
    last:
      until < first
        ? 'Must not be before the first day'
        : first !== '' && until > addDays(first, MAX_DAYS)
          ? 'At most a year at once'
          : first !== '' && !hours.canAddDates(first, until)
            ? 'At most 1,000 days can differ from the week'
            : null,
  };

  function add(): void {
    setTried(true);
    const areFine = Object.keys(windowErrors('', windows)).length === 0;
    if (faults.first !== null || faults.last !== null || !areFine) return;
    hours.setDates(first, until, windows);
    onClose();
  }

  return (
    <Dialog title="Add days" onClose={onClose}>
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        <DateField
          label="First day"
          value={first}
          min={today}
          error={tried ? faults.first : null}
          onChange={setFirst}
        />
        <DateField
          label="Last day (optional)"
          value={last}
          min={first || today}
          error={tried ? faults.last : null}
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
          <OpeningHoursEditor day="these days" windows={windows} onChange={setWindows} />
        </div>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        <button type="button" className="button button-main" onClick={add}>
          Add
        </button>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
