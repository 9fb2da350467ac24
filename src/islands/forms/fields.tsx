import { type ComponentProps, useId } from 'react';
import { get, useFormContext } from 'react-hook-form';
import type { Elements } from '../elements.ts';

export interface FieldProps {
  /** The path of its value in the form, such as `studio.city`. */
  name: string;
  label: string;
  hint?: string | undefined;
  required?: boolean | undefined;
}

/** Registers a field in the surrounding form. `input` connects an input with it, its hint and its error. */
export function useField({ name, hint }: Pick<FieldProps, 'name' | 'hint'>) {
  const { register, formState } = useFormContext();
  const id = useId();
  const message: unknown = get(formState.errors, `${name}.message`);
  const error = typeof message === 'string' ? message : undefined;
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

interface FieldFrameProps extends Pick<FieldProps, 'label' | 'hint'> {
  id: string;
  error: string | undefined;
  /** Shown in the place of the error. */
  belowInput?: Elements;
  children: Elements;
}

/** The label, the hint and the error around an input. @param id of the input */
export function FieldFrame({ id, label, hint, error, belowInput, children }: FieldFrameProps) {
  const errorText = (
    <p id={`${id}-error`} className="field-error min-h-6">
      {error}
    </p>
  );
  return (
    <div className="field content-start">
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {children}
      {/* Always one line high: an error on blur must not move the button that is being clicked. */}
      {belowInput ? (
        <div className="grid items-start *:[grid-area:1/1]">
          {errorText}
          {belowInput}
        </div>
      ) : (
        errorText
      )}
    </div>
  );
}

type TextFieldProps = FieldProps & Omit<ComponentProps<'input'>, keyof FieldProps>;

/** A field of one line. @param prefix a fixed text before the input, such as `+1` */
export function TextField({ name, label, hint, prefix, ...attributes }: TextFieldProps) {
  const { id, error, input } = useField({ name, hint });
  const className = prefix ? 'input rounded-l-none' : 'input';
  const inputElement = <input type="text" {...input} {...attributes} className={className} />;
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      {prefix ? (
        <div className="flex">
          <InputPrefix text={prefix} />
          {inputElement}
        </div>
      ) : (
        inputElement
      )}
    </FieldFrame>
  );
}

export function InputPrefix({ text }: { text: string }) {
  return (
    <span className="flex max-w-1/2 shrink-0 items-center rounded-l-lg border border-r-0 border-field px-3 text-muted wrap-anywhere">
      {text}
    </span>
  );
}

export function TextAreaField({ rows, ...field }: FieldProps & { rows: number }) {
  const { id, error, input } = useField(field);
  return (
    <FieldFrame {...field} id={id} error={error}>
      <textarea {...input} rows={rows} className="input" />
    </FieldFrame>
  );
}

interface SelectFieldProps extends FieldProps {
  /** The texts of the options, by their values. */
  texts: Readonly<Record<string, string>>;
  /** The text of the option without a value. */
  blank?: string;
  onChoose?: (value: string) => void;
}

export function SelectField({ texts, blank = 'Choose one', onChoose, ...field }: SelectFieldProps) {
  const { id, error, input } = useField(field);
  return (
    <FieldFrame {...field} id={id} error={error}>
      <select
        {...input}
        className="input"
        onChange={(event) => {
          void input.onChange(event);
          onChoose?.(event.target.value);
        }}
      >
        <option value="">{blank}</option>
        {Object.entries(texts).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
