import { useId, useState } from 'react';
import { formatDuration } from '#domain/duration.ts';

interface MinutesFieldProps {
  label: string;
  hint: string;
  /** What 0 is called. */
  zeroLabel?: string;
  choices: readonly number[];
  /** Minutes as typed. */
  value: string;
  error: string | undefined;
  onChange: (minutes: string) => void;
}

/** Minutes: usual ones to choose from, any other to type. */
export function MinutesField({
  label,
  hint,
  zeroLabel: none = '',
  choices,
  value,
  error,
  onChange,
}: MinutesFieldProps) {
  const id = useId();
  const isUsual = choices.includes(Number(value)) && value !== '';
  const [typing, setTyping] = useState(false);
  const isTyped = typing || !isUsual;
  return (
    <div className="field content-start">
      <label htmlFor={id}>{label}</label>
      <p id={`${id}-hint`} className="text-sm text-muted">
        {hint}
      </p>
      <select
        id={id}
        className="input"
        aria-describedby={`${id}-hint`}
        value={isTyped ? CUSTOM_VALUE : value}
        onChange={({ target }) => {
          setTyping(target.value === CUSTOM_VALUE);
          if (target.value !== CUSTOM_VALUE) onChange(target.value);
        }}
      >
        {choices.map((minutes) => (
          <option key={minutes} value={minutes}>
            {minutes === 0 ? none : formatDuration(minutes)}
          </option>
        ))}
        <option value={CUSTOM_VALUE}>Another number of minutes</option>
      </select>
      {isTyped && (
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
      <p id={`${id}-error`} className="field-error min-h-6">
        {error}
      </p>
    </div>
  );
}
const CUSTOM_VALUE = 'other';
