import * as z from 'zod/mini';
import { ArtistChanges, type CurrentArtist } from '#contract/artist.ts';
import { MAX_REMINDERS, REMINDER_HOURS_CHOICES } from '#domain/mail.ts';
import { saveProfile } from '#stores/studio/profile.ts';
import { ChoiceFields } from '../ChoiceFields.tsx';
import { formatReminderLead } from '../mails/labels.ts';
import { SectionForm } from '../SectionForm.tsx';

const RemindersSchema = z.required(z.pick(ArtistChanges, { reminder_hours: true }));

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
        <ChoiceFields
          name="reminder_hours"
          legend="Before the appointment"
          toHint={(chosen) =>
            chosen > 0 ? `Up to ${MAX_REMINDERS}.` : 'None chosen: your clients are not reminded.'
          }
          choices={REMINDER_HOURS_CHOICES}
          max={MAX_REMINDERS}
          toLabel={(hours) => `${formatReminderLead(hours)} before`}
        />
      </SectionForm>
    </>
  );
}
