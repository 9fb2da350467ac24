import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { endsNextDay } from '#domain/booking/opening_hours.ts';
import type { WeekdayHours } from '#domain/booking/schedule.ts';
import { formatClockTime } from '#domain/time/format_time.ts';
import type { HoursEditor } from '#stores/studio/hours.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { Button, DialogButton } from '../buttons.tsx';
import { OpeningHoursEditor } from './OpeningHoursEditor.tsx';

/** The number of a weekday (ISO 8601) is its index + 1. */
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Tuesday to Saturday, common among studios. */
const DEFAULT_WEEKDAYS = [2, 3, 4, 5, 6];
const DEFAULT_HOURS = [{ start: '10:00', end: '18:00' }];

export function WeeklyHoursCard({ editor }: { editor: HoursEditor }) {
  const { weekly } = useStore(editor.$draft);
  const { errors } = useStore(editor.$validation);
  const isEmpty = weekly.every(({ windows }) => windows.length === 0);
  return (
    <section className="card p-4 sm:p-6" aria-labelledby="week-heading">
      <h2 id="week-heading" className="text-2xl">
        Weekly hours
      </h2>
      {isEmpty && (
        <div className="mt-4 rounded-lg border border-dashed border-field p-4">
          <p>You have no hours yet, so nobody can book a time. Open the days that you work on.</p>
          <Button
            label="Start with Tuesday to Saturday, 10 to 6"
            className="mt-3"
            onClick={() => editor.setWeekdays(DEFAULT_WEEKDAYS, DEFAULT_HOURS)}
          />
        </div>
      )}
      <ul className="mt-2 divide-y divide-line">
        {weekly.map((hoursOfDay, index) => {
          const { weekday, windows } = hoursOfDay;
          const day = WEEKDAYS[weekday - 1] ?? '';
          // The day before Monday, `at(-1)`, is Sunday.
          const nightEnd = weekly.at(index - 1)?.windows.find(endsNextDay)?.end;
          return (
            <li
              key={weekday}
              className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1 py-3 sm:grid-cols-[7.5rem_minmax(0,1fr)]"
            >
              <h3 className="pt-2.5 font-sans font-semibold">
                <span>{`${day} `}</span>
                {windows.length === 0 && (
                  <span className="ml-2 font-normal text-muted sm:ml-0 sm:block">
                    {nightEnd ? `Closed from ${formatClockTime(nightEnd)}` : 'Closed'}
                  </span>
                )}
              </h3>
              <OpeningHoursEditor
                day={day}
                windows={windows}
                errors={errors}
                prefix={`weekly.${weekday}`}
                onChange={(changed) => editor.setWeekdays([weekday], changed)}
              >
                {windows.length > 0 && (
                  <DialogButton
                    look="text"
                    label="Copy to…"
                    labelEnd={` other days, from ${day}`}
                    dialog={(onClose) => (
                      <CopyHoursDialog editor={editor} source={hoursOfDay} onClose={onClose} />
                    )}
                  />
                )}
              </OpeningHoursEditor>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface CopyHoursDialogProps {
  editor: HoursEditor;
  source: WeekdayHours;
  onClose: () => void;
}

/** Copies the hours of one weekday to others that the artist chooses. */
function CopyHoursDialog({ editor, source, onClose }: CopyHoursDialogProps) {
  const { weekday, windows } = source;
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const otherDays = WEEKDAYS.map((_, index) => index + 1).filter((day) => day !== weekday);

  return (
    <Dialog title={`Copy ${WEEKDAYS[weekday - 1]}’s hours`} onClose={onClose}>
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
              <span>{WEEKDAYS[day - 1]}</span>
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
            editor.setWeekdays(chosen, windows);
            onClose();
          }}
        />
        <Button label="Choose all" onClick={() => setChosen(otherDays)} />
        <Button label="Cancel" look="quiet" onClick={onClose} />
      </div>
    </Dialog>
  );
}
