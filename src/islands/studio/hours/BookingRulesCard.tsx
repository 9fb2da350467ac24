import { useStore } from '@nanostores/react';
import { useId, useState } from 'react';
import { formatDuration } from '#domain/time/duration.ts';
import type { HoursEditor } from '#stores/studio/hours.ts';
import { NEVER } from '#stores/studio/hours_draft.ts';
import { FieldFrame } from '../../forms/fields.tsx';

// In minutes.
const HOUR = 60;
const DAY = 24 * HOUR;

const NOTICE_CHOICES = [
  [NEVER, 'Not by themselves'],
  ['0', 'Until the start'],
  ['24', 'Until 24 hours before'],
  ['48', 'Until 48 hours before'],
  ['72', 'Until 72 hours before'],
  ['168', `Until ${formatDuration(7 * DAY)} before`],
] as const;

/** The field of each setting; `name` is the setting's in the draft. */
const RULE_FIELDS = [
  {
    name: 'slot_interval_minutes',
    label: 'A start every',
    hint: 'From the beginning of your hours: 10:00, 10:30 …',
    choices: minuteChoices([15, 30, HOUR, 90, 2 * HOUR]),
    unit: 'minutes',
  },
  {
    name: 'buffer_minutes',
    label: 'Kept free after each',
    hint: 'To clean up and get ready. Bookings you have keep theirs.',
    choices: minuteChoices([0, 15, 30, HOUR], 'Nothing'),
    unit: 'minutes',
  },
  {
    name: 'minimum_notice_minutes',
    label: 'Notice you need',
    hint: 'Clients cannot book any sooner than this.',
    choices: minuteChoices([0, HOUR, 2 * HOUR, 4 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY], 'None'),
    unit: 'minutes',
  },
  {
    name: 'client_cancel_notice_hours',
    label: 'Clients may cancel',
    hint: 'Without asking you first. Later they have to ask.',
    choices: NOTICE_CHOICES,
    unit: 'hours',
  },
  {
    name: 'client_move_notice_hours',
    label: 'Clients may move',
    hint: 'To another free time of the same service.',
    choices: NOTICE_CHOICES,
    unit: 'hours',
  },
] as const;

function minuteChoices(choices: readonly number[], zeroText = '') {
  return choices.map(
    (minutes) => [String(minutes), minutes === 0 ? zeroText : formatDuration(minutes)] as const,
  );
}

export function BookingRulesCard({ editor }: { editor: HoursEditor }) {
  const draft = useStore(editor.$draft);
  const { errors } = useStore(editor.$validation);
  return (
    <section className="card p-4 sm:p-6" aria-labelledby="rules-heading">
      <h2 id="rules-heading" className="mb-4 text-2xl">
        Bookings
      </h2>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-2 sm:grid-cols-2">
        {RULE_FIELDS.map(({ name, ...field }) => (
          <ChoiceOrNumberField
            key={name}
            {...field}
            value={draft[name]}
            error={errors[name]}
            onChange={(value) => editor.change({ ...draft, [name]: value })}
          />
        ))}
      </div>
    </section>
  );
}

/** The value of the last option, which shows the input for another number. */
const CUSTOM_VALUE = 'other';

interface ChoiceOrNumberFieldProps {
  label: string;
  hint: string;
  unit: 'minutes' | 'hours';
  /** As the list shows them; a `value` is a number or `NEVER`. */
  choices: readonly (readonly [value: string, text: string])[];
  /** The value of a choice, or another number as the artist typed it. */
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** A number: common ones in a list, and an input for any other. */
function ChoiceOrNumberField(props: ChoiceOrNumberFieldProps) {
  const { label, hint, unit, choices, value, error, onChange } = props;
  const id = useId();
  const [choseOther, setChoseOther] = useState(false);
  // An empty text is not the choice 0, although `Number('')` is 0.
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
          // The input begins with the number chosen before, but not with `NEVER`.
          else if (value === NEVER) onChange('');
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
          <span className="text-muted">{unit === 'hours' ? 'hours before the start' : unit}</span>
        </div>
      )}
    </FieldFrame>
  );
}
