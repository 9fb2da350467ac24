import { type ComponentProps, type ReactNode, useId } from 'react';
import { useFormContext } from 'react-hook-form';
import type { AppointmentFormInput } from '#contract/appointment_form.ts';
import type { DetailField } from '#stores/details.ts';

interface FieldProps {
  name: DetailField;
  label: string;
  /** Told with the field, before any error. */
  hint?: string;
}

/** What an input of the form needs to be known by its label, its hint and its error. */
function useField({ name, hint }: FieldProps) {
  const { register, formState } = useFormContext<AppointmentFormInput>();
  const id = useId();
  const error = formState.errors[name]?.message;
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].join(' ').trim();
  return {
    id,
    error,
    input: {
      ...register(name),
      id,
      'aria-invalid': error !== undefined,
      'aria-describedby': describedBy || undefined,
    },
  };
}

interface FieldFrameProps extends FieldProps {
  id: string;
  error: string | undefined;
  children: ReactNode;
}

function FieldFrame(props: FieldFrameProps) {
  const { id, label, hint, error, children } = props;
  return (
    <div className="field content-start">
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {children}
      {/* Room is kept for it: a button that moves as a field is left would miss its click. */}
      <p id={`${id}-error`} className="field-error min-h-6">
        {error}
      </p>
    </div>
  );
}

type TextFieldProps = FieldProps &
  Pick<ComponentProps<'input'>, 'type' | 'autoComplete' | 'inputMode' | 'required'> & {
    /** Stands fixed before what is typed. */
    prefix?: string;
  };

export function TextField(props: TextFieldProps) {
  const { prefix, type = 'text', autoComplete, inputMode, required, ...field } = props;
  const { id, error, input } = useField(field);
  const box = (
    <input
      {...input}
      type={type}
      autoComplete={autoComplete}
      inputMode={inputMode}
      required={required}
      className={prefix ? 'input rounded-l-none' : 'input'}
    />
  );
  return (
    <FieldFrame {...field} id={id} error={error}>
      {prefix ? (
        <div className="flex">
          <span className="flex items-center rounded-l-lg border border-r-0 border-field px-3 text-muted">
            {prefix}
          </span>
          {box}
        </div>
      ) : (
        box
      )}
    </FieldFrame>
  );
}

export function NotesField({ rows, ...field }: FieldProps & { rows: number }) {
  const { id, error, input } = useField(field);
  return (
    <FieldFrame {...field} id={id} error={error}>
      <textarea {...input} rows={rows} className="input" />
    </FieldFrame>
  );
}

export function ChoiceField({ texts, ...field }: FieldProps & { texts: Record<string, string> }) {
  const { id, error, input } = useField(field);
  return (
    <FieldFrame {...field} id={id} error={error}>
      <select {...input} className="input">
        <option value="">Choose one</option>
        {Object.entries(texts).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
