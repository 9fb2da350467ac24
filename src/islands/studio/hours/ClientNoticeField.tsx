import { useId, useState } from 'react';
import { formatDuration } from '#domain/duration.ts';
import { NEVER } from '#stores/studio/hours_draft.ts';
import { FieldFrame } from '../../forms/fields.tsx';

/** The value of the choice that shows the input. */
const CUSTOM_VALUE = 'other';
const CHOICES = [0, 24, 48, 72, 168];

interface ClientNoticeFieldProps {
  label: string;
  hint: string;
  /** A number of hours as the artist typed it, or `NEVER`. */
  value: string;
  error: string | undefined;
  onChange: (hours: string) => void;
}

/** Until how long before the start clients may do something by themselves, if at all. */
export function ClientNoticeField({ label, hint, value, error, onChange }: ClientNoticeFieldProps) {
  const id = useId();
  const [choseOther, setChoseOther] = useState(false);
  // `value` is tested too, because Number('') is 0.
  const isListed = value === NEVER || (value !== '' && CHOICES.includes(Number(value)));
  const isCustom = choseOther || !isListed;
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
          // The input begins with a number of hours.
          else if (value === NEVER) onChange('');
        }}
      >
        <option value={NEVER}>Not by themselves</option>
        {CHOICES.map((hours) => (
          <option key={hours} value={hours}>
            {formatChoice(hours)}
          </option>
        ))}
        <option value={CUSTOM_VALUE}>Another number of hours</option>
      </select>
      {isCustom && (
        <div className="mt-1 flex items-center gap-2">
          <input
            type="number"
            inputMode="numeric"
            min={0}
            className="input max-w-32"
            aria-label={`${label}, in hours`}
            aria-invalid={error !== undefined}
            aria-describedby={error === undefined ? undefined : `${id}-error`}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <span className="text-muted">hours before the start</span>
        </div>
      )}
    </FieldFrame>
  );
}

function formatChoice(hours: number): string {
  if (hours === 0) return 'Until the start';
  const length = hours < 168 ? `${hours} hours` : formatDuration(hours * 60);
  return `Until ${length} before`;
}
