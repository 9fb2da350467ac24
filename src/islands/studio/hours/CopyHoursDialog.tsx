import { useState } from 'react';
import type { HoursEditor } from '#stores/studio/hours.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { Button } from '../buttons.tsx';
import { ISO_WEEKDAYS } from './weekdays.ts';

interface CopyHoursDialogProps {
  hours: HoursEditor;
  /** The ISO weekday (1 is Monday) to copy from. */
  weekday: number;
  onClose: () => void;
}

/** Copies the hours of one weekday to others that the artist chooses. */
export function CopyHoursDialog({ hours, weekday, onClose }: CopyHoursDialogProps) {
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const otherDays = ISO_WEEKDAYS.map((_, index) => index + 1).filter((day) => day !== weekday);

  return (
    <Dialog title={`Copy ${ISO_WEEKDAYS[weekday - 1]}’s hours`} onClose={onClose}>
      <fieldset className="min-w-0">
        <legend className="mb-2">Days that get the same hours, in place of their own:</legend>
        <div className="grid sm:grid-cols-2">
          {otherDays.map((day) => (
            <label key={day} className="flex min-h-11 cursor-pointer items-center gap-3">
              <input
                type="checkbox"
                className="size-5 accent-main"
                checked={chosen.includes(day)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, day] : chosen.filter((one) => one !== day))
                }
              />
              <span>{ISO_WEEKDAYS[day - 1]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="mt-5 flex flex-wrap gap-3">
        <Button
          label="Copy"
          look="main"
          disabled={chosen.length === 0}
          onClick={() => {
            hours.copyDay(weekday, chosen);
            onClose();
          }}
        />
        <Button label="Choose all" onClick={() => setChosen(otherDays)} />
        <Button label="Cancel" look="quiet" onClick={onClose} />
      </div>
    </Dialog>
  );
}
