import { useFormContext } from 'react-hook-form';
import { formatShortDuration } from '#domain/time/duration.ts';
import { FieldFrame, useField } from '../../forms/fields.tsx';

const COMMON_MINUTES = [30, 45, 60, 90, 120, 180, 240, 360, 480];

/** A number of minutes: buttons for common lengths, and an input for any other. */
export function DurationField({ name }: { name: string }) {
  const { register, setValue, watch } = useFormContext();
  const hint = 'How long it takes. Pick a length, or type the minutes.';
  const { id, error, input } = useField({ name, hint });
  const minutes: unknown = watch(name);
  const isValid = typeof minutes === 'number' && Number.isInteger(minutes) && minutes > 0;
  return (
    <FieldFrame id={id} label="Length in minutes" hint={hint} error={error}>
      <div className="flex flex-wrap gap-2">
        {COMMON_MINUTES.map((choice) => (
          <button
            key={choice}
            type="button"
            aria-pressed={minutes === choice}
            className="min-h-11 cursor-pointer rounded-full border border-field bg-card px-3.5 font-semibold hover:border-ink aria-pressed:border-main aria-pressed:bg-main aria-pressed:text-on-main"
            onClick={() => setValue(name, choice, { shouldDirty: true, shouldValidate: true })}
          >
            {formatShortDuration(choice)}
          </button>
        ))}
      </div>
      <div className="flex items-center gap-3 pt-1">
        <input
          {...input}
          {...register(name, { valueAsNumber: true })}
          type="number"
          inputMode="numeric"
          min={5}
          max={1440}
          step={5}
          required
          className="input max-w-32"
        />
        {isValid && <span className="text-muted">{formatShortDuration(minutes)}</span>}
      </div>
    </FieldFrame>
  );
}
