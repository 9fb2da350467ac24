import { type FieldProps, useField } from './fields.tsx';

/** A checkbox with its label and hint beside it. It shows no error. */
export function CheckboxField({ label, hint, ...field }: FieldProps) {
  const { id, input } = useField({ ...field, hint });
  return (
    <label htmlFor={id} className="mb-4 flex cursor-pointer gap-3 py-2.5">
      <input
        {...input}
        type="checkbox"
        // Else the hint, which is inside the `label` element, would be part of the name.
        aria-labelledby={`${id}-label`}
        className="mt-0.5 size-5 shrink-0 accent-main"
      />
      <span>
        <span id={`${id}-label`} className="block font-semibold">
          {label}
        </span>
        {hint && (
          <span id={`${id}-hint`} className="block text-muted">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
