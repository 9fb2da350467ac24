import { type FieldProps, useField } from './fields.tsx';

export function CheckboxField({ label, hint, ...field }: FieldProps) {
  const { id, input } = useField({ ...field, hint });
  return (
    <div className="pb-4">
      <label htmlFor={id} className="flex min-h-11 cursor-pointer items-center gap-3 font-semibold">
        <input {...input} type="checkbox" className="size-5 shrink-0 accent-main" />
        <span>{label}</span>
      </label>
      {hint && (
        <p id={`${id}-hint`} className="pl-8 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
