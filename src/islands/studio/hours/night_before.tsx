import { useState } from 'react';
import { nightBeforeEnd } from '#domain/booking/opening_hours.ts';
import type { OpeningHours } from '#domain/booking/schedule.ts';
import { addDays, type LocalDate } from '#domain/time/calendar_date.ts';
import { formatClockTime, formatDay } from '#domain/time/format_time.ts';
import { RadioButton } from '../../forms/RadioButton.tsx';

/**
 * Asks whether the hours of the night before a day off stay.
 * @param date the first day off; null for none
 * @returns the `question`, null when no hours last until that day; and whether they end at midnight
 */
export function useNightBefore(typed: OpeningHours, date: LocalDate | null) {
  const [endsAtMidnight, setEndsAtMidnight] = useState(false);
  const end = date === null ? null : nightBeforeEnd(typed, date);
  if (date === null || end === null) return { endsNight: false, question: null };
  const question = (
    <fieldset className="grid gap-1">
      <legend className="mb-1">
        <span className="font-semibold">{formatDay(addDays(date, -1))}</span>
        <span>{` is open until ${formatClockTime(end)} the next day. That night`}</span>
      </legend>
      <RadioButton checked={!endsAtMidnight} onSelect={() => setEndsAtMidnight(false)}>
        stays open
      </RadioButton>
      <RadioButton checked={endsAtMidnight} onSelect={() => setEndsAtMidnight(true)}>
        ends at midnight
      </RadioButton>
    </fieldset>
  );
  return { endsNight: endsAtMidnight, question };
}
