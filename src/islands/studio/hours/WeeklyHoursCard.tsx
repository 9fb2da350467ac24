import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { formatClockTime } from '#domain/format_time.ts';
import { endsNextDay } from '#domain/opening_hours.ts';
import type { HoursEditor } from '#stores/studio/hours.ts';
import { Button } from '../buttons.tsx';
import { CopyHoursDialog } from './CopyHoursDialog.tsx';
import { OpeningHoursEditor, TEXT_BUTTON_CLASS } from './OpeningHoursEditor.tsx';
import { ISO_WEEKDAYS } from './weekdays.ts';

/** ISO weekdays: Tuesday to Saturday, common among studios. */
const DEFAULT_WEEKDAYS = [2, 3, 4, 5, 6];
const DEFAULT_HOURS = [{ start: '10:00', end: '18:00' }];

/** The opening hours of each weekday. */
export function WeeklyHoursCard({ hours }: { hours: HoursEditor }) {
  const { weekly } = useStore(hours.$draft);
  const { errors } = useStore(hours.$validation);
  const [copyFrom, setCopyFrom] = useState<number | null>(null);
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
            onClick={() => {
              for (const weekday of DEFAULT_WEEKDAYS) hours.setDay(weekday, DEFAULT_HOURS);
            }}
          />
        </div>
      )}
      <ul className="mt-2 divide-y divide-line">
        {weekly.map(({ weekday, windows }, index) => {
          const day = ISO_WEEKDAYS[weekday - 1] ?? '';
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
                onChange={(changed) => hours.setDay(weekday, changed)}
              >
                {windows.length > 0 && (
                  <button
                    type="button"
                    className={TEXT_BUTTON_CLASS}
                    onClick={() => setCopyFrom(weekday)}
                  >
                    <span>Copy to…</span>
                    <span className="sr-only">{` other days, from ${day}`}</span>
                  </button>
                )}
              </OpeningHoursEditor>
            </li>
          );
        })}
      </ul>
      {copyFrom !== null && (
        <CopyHoursDialog hours={hours} weekday={copyFrom} onClose={() => setCopyFrom(null)} />
      )}
    </section>
  );
}
