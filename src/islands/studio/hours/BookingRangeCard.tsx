import { useStore } from '@nanostores/react';
import type { HoursEditor } from '#stores/studio/hours.ts';
import type { RangeDraft } from '#stores/studio/hours_draft.ts';
import { DateField } from '../../forms/DateField.tsx';
import { RadioButton } from '../../forms/RadioButton.tsx';

/** Two years with a leap day, the API's limit. */
const MAX_DAYS_AHEAD = 731;

/** The setting of how far ahead clients may book: a rolling range, two dates, or no limit. */
export function BookingRangeCard({ editor }: { editor: HoursEditor }) {
  const { range } = useStore(editor.$draft);
  const { errors } = useStore(editor.$validation);
  const daysError = errors['range.days'];

  function change(changes: Partial<RangeDraft>): void {
    editor.change({ range: { ...range, ...changes } });
  }

  return (
    <section className="card p-4 sm:p-6" aria-labelledby="range-heading">
      <h2 id="range-heading" className="text-2xl">
        How far ahead
      </h2>
      <fieldset className="mt-3">
        <legend className="sr-only">Clients can book</legend>
        <RadioButton
          checked={range.kind === 'rolling'}
          onSelect={() => change({ kind: 'rolling' })}
        >
          Always the same number of days from today on
        </RadioButton>
        {range.kind === 'rolling' && (
          <div className="mb-2 ml-8">
            <div className="flex items-center gap-2">
              <input
                type="number"
                inputMode="numeric"
                min={0}
                max={MAX_DAYS_AHEAD}
                className="input max-w-28"
                aria-label="Days ahead"
                aria-invalid={daysError !== undefined}
                aria-describedby={daysError === undefined ? undefined : 'range-days-error'}
                value={range.days}
                onChange={({ target }) => change({ days: target.value })}
              />
              <span>days ahead</span>
            </div>
            <p id="range-days-error" className="field-error min-h-6">
              {daysError}
            </p>
          </div>
        )}
        <RadioButton checked={range.kind === 'fixed'} onSelect={() => change({ kind: 'fixed' })}>
          Between two dates, such as the weeks your books are open
        </RadioButton>
        {range.kind === 'fixed' && (
          <div className="ml-8 grid gap-x-4 sm:grid-cols-2">
            <DateField
              label="From"
              value={range.start}
              error={errors['range.start']}
              onChange={(start) => change({ start })}
            />
            <DateField
              label="To, included"
              value={range.end}
              error={errors['range.end']}
              onChange={(end) => change({ end })}
            />
          </div>
        )}
        <RadioButton checked={range.kind === 'open'} onSelect={() => change({ kind: 'open' })}>
          As far as they like, up to two years
        </RadioButton>
      </fieldset>
    </section>
  );
}
