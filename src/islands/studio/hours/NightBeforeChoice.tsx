import { addDays } from '#domain/calendar_date.ts';
import { formatClockTime, formatDay } from '#domain/format_time.ts';
import { RadioButton } from '../../forms/RadioButton.tsx';

interface NightBeforeChoiceProps {
  /** The first day off. */
  date: string;
  /** Until when the hours of the day before last on it, `HH:MM`. */
  end: string;
  endsAtMidnight: boolean;
  onChange: (endsAtMidnight: boolean) => void;
}

/** Asks whether the hours of the night before a day off stay. */
export function NightBeforeChoice({ date, end, endsAtMidnight, onChange }: NightBeforeChoiceProps) {
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1">
        <span className="font-semibold">{formatDay(addDays(date, -1))}</span>
        <span>{` is open until ${formatClockTime(end)} the next day. That night`}</span>
      </legend>
      <RadioButton checked={!endsAtMidnight} onSelect={() => onChange(false)}>
        stays open
      </RadioButton>
      <RadioButton checked={endsAtMidnight} onSelect={() => onChange(true)}>
        ends at midnight
      </RadioButton>
    </fieldset>
  );
}
