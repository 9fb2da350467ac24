import { useId } from 'react';

interface DateFieldProps {
  label: string;
  value: string;
  min?: string;
  error: string | null | undefined;
  onChange: (date: string) => void;
}

/** A date with its error, which has its room kept. */
export function DateField({ label, value, min, error, onChange }: DateFieldProps) {
  const id = useId();
  return (
    <div className="field content-start">
      <label htmlFor={id}>{label}</label>
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
      <p id={`${id}-error`} className="field-error min-h-6">
        {error}
      </p>
    </div>
  );
}
