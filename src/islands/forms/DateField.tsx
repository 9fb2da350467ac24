import { useId } from 'react';
import { FieldFrame } from './fields.tsx';

interface DateFieldProps {
  label: string;
  /** `YYYY-MM-DD`, or '' for none, as in `onChange`. */
  value: string;
  min?: string;
  error: string | null | undefined;
  onChange: (date: string) => void;
}

/** A field for a date, which is not in a form of React Hook Form. */
export function DateField({ label, value, min, error, onChange }: DateFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} error={error ?? undefined}>
      <input
        id={id}
        type="date"
        className="input"
        value={value}
        min={min}
        aria-invalid={Boolean(error)}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={({ target }) => onChange(target.value)}
      />
    </FieldFrame>
  );
}
