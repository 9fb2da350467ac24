import { useController } from 'react-hook-form';
import * as z from 'zod/mini';
import { ArtistChanges, type CurrentArtist } from '#contract/artist.ts';
import { MAX_REMINDERS, REMINDER_HOURS_CHOICES, type ReminderChoice } from '#domain/mail.ts';
import { saveProfile } from '#stores/studio/profile.ts';
import { useValidatedForm } from '../../forms/validated_form.ts';
import { formatReminderLead } from '../mails/labels.ts';
import { Section } from '../Section.tsx';
import { SectionForm } from '../SectionForm.tsx';

const RemindersSchema = z.required(z.pick(ArtistChanges, { reminder_hours: true }));
type RemindersForm = z.output<typeof RemindersSchema>;

/** When clients are reminded of their appointments. */
export function RemindersSection({ me }: { me: CurrentArtist }) {
  const saved = { reminder_hours: me.reminder_hours };
  const form = useValidatedForm(RemindersSchema, saved);
  return (
    <Section id="reminders" title="Reminders">
      <p className="text-muted">
        Your clients are reminded by email of what is booked, so that nobody forgets.
      </p>
      <SectionForm
        form={form}
        draftName="reminders"
        savedValues={saved}
        saveLabel="Save reminders"
        onSave={async (values) => {
          const { reminder_hours } = await saveProfile(values, savedMessage(values.reminder_hours));
          return { reminder_hours };
        }}
      >
        <ReminderHoursField />
      </SectionForm>
    </Section>
  );
}

function savedMessage(hours: readonly ReminderChoice[]): string {
  return hours.length === 0
    ? 'Your clients are not reminded any more.'
    : 'Your clients are reminded so from now on.';
}

function ReminderHoursField() {
  const { field, fieldState } = useController<RemindersForm, 'reminder_hours'>({
    name: 'reminder_hours',
  });
  const chosen = field.value;
  const isFull = chosen.length >= MAX_REMINDERS;

  function toggle(hours: ReminderChoice): void {
    const others = chosen.filter((one) => one !== hours);
    // In the order of the choices, so that there and back is no change.
    const next = others.length < chosen.length ? others : [...others, hours];
    field.onChange(REMINDER_HOURS_CHOICES.filter((one) => next.includes(one)));
  }

  return (
    <fieldset aria-describedby="reminders-state">
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
              checked={chosen.includes(hours)}
              disabled={isFull && !chosen.includes(hours)}
              onChange={() => toggle(hours)}
              onBlur={field.onBlur}
            />
            {formatReminderLead(hours)} before
          </label>
        ))}
      </div>
      <p id="reminders-state" role="status" className="min-h-12 pt-2 text-sm text-muted">
        {formatLimit(chosen.length)}
      </p>
      <p className="field-error">{fieldState.error?.message}</p>
    </fieldset>
  );
}

function formatLimit(count: number): string {
  if (count === 0) return 'None chosen: your clients are not reminded.';
  if (count < MAX_REMINDERS) return '';
  return `${MAX_REMINDERS} are the most; take one away to choose another.`;
}
