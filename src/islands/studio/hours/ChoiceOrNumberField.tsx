import { useId, useState } from 'react';
import { FieldFrame } from '../../forms/fields.tsx';

/** The value of the choice that shows the input. */
const CUSTOM_VALUE = 'other';

interface ChoiceOrNumberFieldProps {
  label: string;
  hint: string;
  unit: 'minutes' | 'hours';
  suffix: string;
  /** The text of each choice, in their order. A choice that is not a number has no input. */
  choices: readonly (readonly [value: string, text: string])[];
  /** A choice, or a number as the artist typed it. */
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** A number: common ones in a list, and an input for any other. */
export function ChoiceOrNumberField(props: ChoiceOrNumberFieldProps) {
  const { label, hint, unit, suffix, choices, value, error, onChange } = props;
  const id = useId();
  const [choseOther, setChoseOther] = useState(false);
  // `value` is tested too, because Number('') is 0.
  const chosen = choices.find(
    ([choice]) => choice === value || (value !== '' && Number(choice) === Number(value)),
  );
  const isCustom = choseOther || chosen === undefined;
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <select
        id={id}
        className="input"
        aria-describedby={`${id}-hint`}
        value={isCustom ? CUSTOM_VALUE : chosen[0]}
        onChange={({ target }) => {
          setChoseOther(target.value === CUSTOM_VALUE);
          if (target.value !== CUSTOM_VALUE) onChange(target.value);
          // The input begins with a number, or empty.
          else if (Number.isNaN(Number(value))) onChange('');
        }}
      >
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
        <option value={CUSTOM_VALUE}>{`Another number of ${unit}`}</option>
      </select>
      {isCustom && (
        <div className="mt-1 flex items-center gap-2">
          <input
            type="number"
            inputMode="numeric"
            min={0}
            className="input max-w-32"
            aria-label={`${label}, in ${unit}`}
            aria-invalid={error !== undefined}
            aria-describedby={error === undefined ? undefined : `${id}-error`}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <span className="text-muted">{suffix}</span>
        </div>
      )}
    </FieldFrame>
  );
}
