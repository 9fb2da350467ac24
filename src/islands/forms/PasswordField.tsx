import { useState } from 'react';
import { FieldFrame, type FieldProps, useField } from './fields.tsx';

type PasswordFieldProps = Omit<FieldProps, 'required'> & {
  /** Whether password managers fill in the stored password, or offer a new one. */
  kind: 'current' | 'new';
};

/** A required password with a button that shows it. */
export function PasswordField({ kind, ...field }: PasswordFieldProps) {
  const { id, error, input } = useField(field);
  const [isVisible, setVisible] = useState(false);
  return (
    <FieldFrame {...field} id={id} error={error}>
      <div className="relative">
        <input
          {...input}
          type={isVisible ? 'text' : 'password'}
          required
          autoComplete={`${kind}-password`}
          autoCapitalize="none"
          spellCheck={false}
          className="input pr-20"
        />
        <button
          type="button"
          className="absolute inset-y-0 right-0 min-w-16 cursor-pointer px-3 font-semibold text-muted hover:text-ink"
          aria-pressed={isVisible}
          aria-label={`Show ${field.label.toLowerCase()}`}
          onClick={() => setVisible(!isVisible)}
        >
          {isVisible ? 'Hide' : 'Show'}
        </button>
      </div>
    </FieldFrame>
  );
}
