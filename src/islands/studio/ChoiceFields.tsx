import { useId } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';

interface ChoiceFieldsProps<T extends string | number> {
  name: string;
  legend: string;
  toHint: (chosenCount: number) => string;
  choices: readonly T[];
  max: number;
  toLabel: (choice: T) => string;
}

/** Checkboxes of which at most `max` can be chosen. */
export function ChoiceFields<T extends string | number>(props: ChoiceFieldsProps<T>) {
  const { name, legend, toHint, choices, max, toLabel } = props;
  const { setValue } = useFormContext();
  const chosen = new Set<T>(useWatch({ name }));
  const hintId = useId();

  function toggle(choice: T): void {
    // In the order of `choices`, so that a choice that is undone does not count as a change.
    const changed = choices.filter((one) => (one === choice ? !chosen.has(one) : chosen.has(one)));
    setValue(name, changed, { shouldDirty: true, shouldValidate: true });
  }

  return (
    <fieldset className="min-w-0 pb-6" aria-describedby={hintId}>
      <legend className="pb-1 font-semibold">{legend}</legend>
      <p id={hintId} role="status" className="pb-2 text-sm text-muted">
        {toHint(chosen.size)}
      </p>
      <div className="flex flex-wrap gap-2">
        {choices.map((choice) => (
          <label
            key={choice}
            className="flex min-h-11 cursor-pointer items-center gap-2 rounded-3xl border border-field pr-4 pl-3 has-checked:border-ink has-checked:bg-paper has-disabled:cursor-not-allowed has-disabled:text-muted"
          >
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-main"
              checked={chosen.has(choice)}
              disabled={chosen.size >= max && !chosen.has(choice)}
              onChange={() => toggle(choice)}
            />
            <span>{toLabel(choice)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
