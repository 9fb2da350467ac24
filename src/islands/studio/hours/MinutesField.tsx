import { useId, useState } from 'react';
import { formatDuration } from '#domain/duration.ts';
import { FieldFrame } from '../../forms/fields.tsx';

/** The value of the choice that shows the input. */
const CUSTOM_VALUE = 'other';

interface MinutesFieldProps {
  label: string;
  hint: string;
  /** The text of the choice 0. */
  zeroLabel?: string;
  choices: readonly number[];
  /** A number of minutes as the artist typed it. */
  value: string;
  error: string | undefined;
  onChange: (minutes: string) => void;
}

/** A number of minutes: common ones in a list, and an input for any other. */
export function MinutesField({
  label,
  hint,
  zeroLabel = '',
  choices,
  value,
  error,
  onChange,
}: MinutesFieldProps) {
  const id = useId();
  const [choseOther, setChoseOther] = useState(false);
  // `value` is tested too, because Number('') is 0.
  const isCustom = choseOther || value === '' || !choices.includes(Number(value));
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <select
        id={id}
        className="input"
        aria-describedby={`${id}-hint`}
        value={isCustom ? CUSTOM_VALUE : value}
        onChange={({ target }) => {
          setChoseOther(target.value === CUSTOM_VALUE);
          if (target.value !== CUSTOM_VALUE) onChange(target.value);
        }}
      >
        {choices.map((minutes) => (
          <option key={minutes} value={minutes}>
            {minutes === 0 ? zeroLabel : formatDuration(minutes)}
          </option>
        ))}
        <option value={CUSTOM_VALUE}>Another number of minutes</option>
      </select>
      {isCustom && (
        <div className="mt-1 flex items-center gap-2">
          <input
            type="number"
            inputMode="numeric"
            min={0}
            className="input max-w-32"
            aria-label={`${label}, in minutes`}
            aria-invalid={error !== undefined}
            aria-describedby={error === undefined ? undefined : `${id}-error`}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <span className="text-muted">minutes</span>
        </div>
      )}
    </FieldFrame>
  );
}
