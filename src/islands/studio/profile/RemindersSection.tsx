import { useFormContext, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { ArtistChanges, type CurrentArtist } from '#contract/artist.ts';
import { MAX_REMINDERS, REMINDER_HOURS_CHOICES, type ReminderChoice } from '#domain/mail.ts';
import { saveProfile } from '#stores/studio/profile.ts';
import { formatReminderLead } from '../mails/labels.ts';
import { SectionForm } from '../SectionForm.tsx';

const RemindersSchema = z.required(z.pick(ArtistChanges, { reminder_hours: true }));
type RemindersForm = z.output<typeof RemindersSchema>;

/** Chooses how many hours before an appointment its client gets reminder emails. */
export function RemindersSection({ me }: { me: CurrentArtist }) {
  return (
    <>
      <p className="text-muted">
        Your clients are reminded by email of what is booked, so that nobody forgets.
      </p>
      <SectionForm
        schema={RemindersSchema}
        draftName="reminders"
        saved={me}
        toValues={({ reminder_hours }) => ({ reminder_hours })}
        saveLabel="Save reminders"
        onSave={(values) => {
          const message =
            values.reminder_hours.length === 0
              ? 'Your clients are not reminded any more.'
              : 'Your clients are reminded so from now on.';
          return saveProfile(values, message);
        }}
      >
        <ReminderChoices />
      </SectionForm>
    </>
  );
}

function ReminderChoices() {
  const { formState, setValue } = useFormContext<RemindersForm>();
  const chosen = new Set(useWatch<RemindersForm, 'reminder_hours'>({ name: 'reminder_hours' }));

  function toggle(hours: ReminderChoice): void {
    if (!chosen.delete(hours)) chosen.add(hours);
    // Always in the same order: a choice that is undone must not count as a change.
    const hoursInOrder = REMINDER_HOURS_CHOICES.filter((choice) => chosen.has(choice));
    setValue('reminder_hours', hoursInOrder, { shouldDirty: true, shouldValidate: true });
  }

  return (
    <fieldset className="min-w-0" aria-describedby="reminders-state">
      <legend className="pb-1 font-semibold">Before the appointment</legend>
      <div className="grid gap-x-4 sm:grid-cols-2">
        {REMINDER_HOURS_CHOICES.map((hours) => (
          <label
            key={hours}
            className="flex min-h-11 cursor-pointer items-center gap-3 has-disabled:cursor-not-allowed has-disabled:text-muted"
          >
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-main"
              checked={chosen.has(hours)}
              disabled={chosen.size >= MAX_REMINDERS && !chosen.has(hours)}
              onChange={() => toggle(hours)}
            />
            <span>{`${formatReminderLead(hours)} before`}</span>
          </label>
        ))}
      </div>
      <p id="reminders-state" role="status" className="min-h-12 pt-2 text-sm text-muted">
        {formatLimit(chosen.size)}
      </p>
      <p className="field-error">{formState.errors.reminder_hours?.message}</p>
    </fieldset>
  );
}

function formatLimit(count: number): string {
  if (count === 0) return 'None chosen: your clients are not reminded.';
  if (count < MAX_REMINDERS) return '';
  return `${MAX_REMINDERS} are the most; take one away to choose another.`;
}
