import { useState } from 'react';
import { suggestNextWindow } from '#domain/hours.ts';
import type { OpeningWindow } from '#domain/schedule.ts';
import { addDays } from '#domain/time.ts';
import type { Hours } from '#stores/studio/hours.ts';
import { wordsOf } from '#stores/studio/hours_draft.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { Choice } from '../../forms/Choice.tsx';
import { DateField } from '../../forms/DateField.tsx';
import { WindowsEditor } from './WindowsEditor.tsx';

const LONGEST_DAYS = 366;

/** Asks which dates are off, or have which hours. */
export function AddDates({ hours, onClose }: { hours: Hours; onClose: () => void }) {
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
        : first !== '' && until > addDays(first, LONGEST_DAYS)
          ? 'At most a year at once'
          : first !== '' && !hours.hasRoomFor(first, until)
            ? 'At most 1,000 days can differ from the week'
            : null,
  };

  function add(): void {
    setTried(true);
    const areFine = Object.keys(wordsOf('', windows)).length === 0;
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
        <Choice checked={windows.length === 0} onChoose={() => setWindows([])}>
          closed
        </Choice>
        <Choice
          checked={windows.length > 0}
          onChoose={() => setWindows([suggestNextWindow([]) ?? { start: '', end: '' }])}
        >
          open at other hours
        </Choice>
      </fieldset>
      {windows.length > 0 && (
        <div className="mt-2">
          <WindowsEditor day="these days" windows={windows} onChange={setWindows} />
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
