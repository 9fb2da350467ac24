import * as z from 'zod/mini';
import { ArtistChanges, type CurrentArtist } from '#contract/artist.ts';
import { saveProfile } from '#stores/studio/profile.ts';
import { useField } from '../../forms/fields.tsx';
import { SCHEDULING_TYPE_LABELS } from '../home/SchedulingTypePicker.tsx';
import { SectionForm } from '../SectionForm.tsx';

const BookingSchema = z.required(
  z.pick(ArtistChanges, { scheduling_type: true, confirm_by_mail: true, is_listed: true }),
);

/** How clients book: they pick a listed time, or send a request. */
export function BookingSection({ me }: { me: CurrentArtist }) {
  return (
    <>
      {me.scheduling_type === null && (
        <p className="border-l-4 border-main pl-3 font-semibold">
          Not chosen yet: clients cannot book with you until you choose.
        </p>
      )}
      <SectionForm
        schema={BookingSchema}
        draftName="booking"
        saved={me}
        toValues={({ scheduling_type, confirm_by_mail, is_listed }) => ({
          scheduling_type,
          confirm_by_mail,
          is_listed,
        })}
        saveLabel="Save how clients book"
        onSave={(_, changes) => saveProfile(changes, 'Appointments that are already made stay.')}
      >
        <SchedulingTypeField />
        <DescribedCheckbox name="confirm_by_mail" title="Confirm by mail">
          Clients confirm with a link that we mail to them, so every email address is real. Without
          it they confirm on the page, and we ask for the link only when too many bookings come in.
        </DescribedCheckbox>
        <DescribedCheckbox name="is_listed" title="Show me on the Explore page">
          New clients find you there by your city and your styles, once your email is confirmed.
          Your own page does not change.
        </DescribedCheckbox>
      </SectionForm>
    </>
  );
}

interface DescribedCheckboxProps {
  name: 'confirm_by_mail' | 'is_listed';
  title: string;
  children: string;
}

function DescribedCheckbox({ name, title, children }: DescribedCheckboxProps) {
  const { id, input } = useField({ name });
  return (
    <label htmlFor={id} className="flex min-h-11 cursor-pointer gap-3 pb-4">
      <input {...input} type="checkbox" className="mt-1 size-5 shrink-0 accent-main" />
      <span>
        <span className="block font-semibold">{title}</span>
        <span className="block text-muted">{children}</span>
      </span>
    </label>
  );
}

function SchedulingTypeField() {
  const { id, input, error } = useField({ name: 'scheduling_type' });
  // `aria-invalid` is not allowed on a radio button.
  const { 'aria-invalid': _, ...radioProps } = input;
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-3">
      <legend className="sr-only">How clients book</legend>
      {SCHEDULING_TYPE_LABELS.map(({ type, title, text }) => (
        <label
          key={type}
          className="flex cursor-pointer gap-3 rounded-lg border border-field p-4 has-checked:border-ink has-checked:bg-paper"
        >
          <input
            {...radioProps}
            id={`${id}-${type}`}
            type="radio"
            value={type}
            className="mt-1 size-5 shrink-0 accent-main"
          />
          <span className="min-w-0 wrap-anywhere">
            <span className="block font-semibold">{title}</span>
            <span className="block text-muted">{text}</span>
          </span>
        </label>
      ))}
      <p className="field-error min-h-6">{error}</p>
    </fieldset>
  );
}
