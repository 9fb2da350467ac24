import { useState } from 'react';
import type { HoursEditor } from '#stores/studio/hours.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { ISO_WEEKDAYS } from './weekdays.ts';

interface CopyHoursDialogProps {
  hours: HoursEditor;
  /** ISO weekday whose hours others get. */
  weekday: number;
  onClose: () => void;
}

/** Asks which other days get the hours of one. */
export function CopyHoursDialog({ hours, weekday, onClose }: CopyHoursDialogProps) {
  const [others, setOthers] = useState<readonly number[]>([]);
  const all = ISO_WEEKDAYS.map((_, index) => index + 1).filter((one) => one !== weekday);

  function toggle(one: number): void {
    setOthers(others.includes(one) ? others.filter((other) => other !== one) : [...others, one]);
  }

  return (
    <Dialog title={`Copy ${ISO_WEEKDAYS[weekday - 1]}’s hours`} onClose={onClose}>
      <fieldset className="min-w-0">
        <legend className="mb-2">Days that get the same hours, in place of their own:</legend>
        <div className="grid sm:grid-cols-2">
          {all.map((one) => (
            <label key={one} className="flex min-h-11 cursor-pointer items-center gap-3">
              <input
                type="checkbox"
                className="size-5 accent-main"
                checked={others.includes(one)}
                onChange={() => toggle(one)}
              />
              {ISO_WEEKDAYS[one - 1]}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="mt-5 flex flex-wrap gap-3">
        <button
          type="button"
          className="button button-main"
          disabled={others.length === 0}
          onClick={() => {
            hours.copyDay(weekday, others);
            onClose();
          }}
        >
          Copy
        </button>
        <button type="button" className="button" onClick={() => setOthers(all)}>
          Choose all
        </button>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
