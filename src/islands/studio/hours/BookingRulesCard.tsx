import { useStore } from '@nanostores/react';
import { formatDuration } from '#domain/duration.ts';
import type { HoursEditor } from '#stores/studio/hours.ts';
import { NEVER } from '#stores/studio/hours_draft.ts';
import { ChoiceOrNumberField } from './ChoiceOrNumberField.tsx';

/** In minutes. */
const HOUR = 60;
const DAY = 24 * HOUR;

const MINUTES = { unit: 'minutes', suffix: 'minutes' } as const;
const NOTICE = {
  unit: 'hours',
  suffix: 'hours before the start',
  choices: [
    [NEVER, 'Not by themselves'],
    ['0', 'Until the start'],
    ['24', 'Until 24 hours before'],
    ['48', 'Until 48 hours before'],
    ['72', 'Until 72 hours before'],
    ['168', `Until ${formatDuration(7 * DAY)} before`],
  ],
} as const;

const RULES = [
  {
    name: 'slot_interval_minutes',
    label: 'A start every',
    hint: 'From the beginning of your hours: 10:00, 10:30 …',
    choices: minuteChoices([15, 30, HOUR, 90, 2 * HOUR]),
    ...MINUTES,
  },
  {
    name: 'buffer_minutes',
    label: 'Kept free after each',
    hint: 'To clean up and get ready. Bookings you have keep theirs.',
    choices: minuteChoices([0, 15, 30, HOUR], 'Nothing'),
    ...MINUTES,
  },
  {
    name: 'minimum_notice_minutes',
    label: 'Notice you need',
    hint: 'Clients cannot book any sooner than this.',
    choices: minuteChoices([0, HOUR, 2 * HOUR, 4 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY], 'None'),
    ...MINUTES,
  },
  {
    name: 'client_cancel_notice_hours',
    label: 'Clients may cancel',
    hint: 'Without asking you first. Later they have to ask.',
    ...NOTICE,
  },
  {
    name: 'client_move_notice_hours',
    label: 'Clients may move',
    hint: 'To another free time of the same service.',
    ...NOTICE,
  },
] as const;

function minuteChoices(choices: readonly number[], zeroText = '') {
  return choices.map(
    (minutes) => [String(minutes), minutes === 0 ? zeroText : formatDuration(minutes)] as const,
  );
}

/** The settings for start times, free time after bookings, and notices. */
export function BookingRulesCard({ hours }: { hours: HoursEditor }) {
  const draft = useStore(hours.$draft);
  const { errors } = useStore(hours.$validation);
  return (
    <section className="card p-4 sm:p-6" aria-labelledby="rules-heading">
      <h2 id="rules-heading" className="mb-4 text-2xl">
        Bookings
      </h2>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-2 sm:grid-cols-2">
        {RULES.map(({ name, ...field }) => (
          <ChoiceOrNumberField
            key={name}
            {...field}
            value={draft[name]}
            error={errors[name]}
            onChange={(value) => hours.change({ ...draft, [name]: value })}
          />
        ))}
      </div>
    </section>
  );
}
