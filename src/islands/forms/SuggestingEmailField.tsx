import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { EmailSuggestion } from './EmailSuggestion.tsx';
import { FieldFrame, type FieldProps, useField } from './fields.tsx';

/** A required email address. When its domain looks mistyped, a button below takes over the likely one. */
export function SuggestingEmailField(field: Pick<FieldProps, 'name' | 'label' | 'hint'>) {
  const { name } = field;
  const { id, error, input } = useField(field);
  const { setFocus, setValue } = useFormContext();
  const value: unknown = useWatch({ name });
  // Nothing is suggested while somebody types, nor beside an error.
  const [emailAtBlur, setEmailAtBlur] = useState('');
  return (
    <FieldFrame
      {...field}
      id={id}
      error={error}
      belowInput={
        <EmailSuggestion
          email={value === emailAtBlur && !error ? emailAtBlur : ''}
          onTakeOver={(email) => {
            setValue(name, email, { shouldDirty: true, shouldValidate: true });
            setFocus(name);
          }}
        />
      }
    >
      <input
        {...input}
        type="email"
        autoComplete="email"
        required
        className="input"
        onBlur={(event) => {
          void input.onBlur(event);
          setEmailAtBlur(event.target.value);
        }}
      />
    </FieldFrame>
  );
}
