import { useState } from 'react';
import { nightBeforeEnd } from '#domain/booking/opening_hours.ts';
import type { OpeningHours } from '#domain/booking/schedule.ts';
import { addDays, type LocalDate } from '#domain/time/calendar_date.ts';
import { formatClockTime, formatDay } from '#domain/time/format_time.ts';
import { RadioButton } from '../../forms/RadioButton.tsx';

/**
 * Asks whether a night that lasts into a day off stays open after midnight.
 * @param typed hours as artists type them
 * @param date the first day off; null for none
 * @returns the `question`, null when there is no such night, and `endsNight`: whether it ends at midnight
 */
export function useNightBeforeQuestion(typed: OpeningHours, date: LocalDate | null) {
  const [endsNight, setEndsNight] = useState(false);
  const end = date === null ? null : nightBeforeEnd(typed, date);
  if (date === null || end === null) return { endsNight: false, question: null };
  const question = (
    <fieldset className="grid gap-1">
      <legend className="mb-1">
        <span className="font-semibold">{formatDay(addDays(date, -1))}</span>
        <span>{` is open until ${formatClockTime(end)} the next day. That night`}</span>
      </legend>
      <RadioButton checked={!endsNight} onSelect={() => setEndsNight(false)}>
        stays open
      </RadioButton>
      <RadioButton checked={endsNight} onSelect={() => setEndsNight(true)}>
        ends at midnight
      </RadioButton>
    </fieldset>
  );
  return { endsNight, question };
}
