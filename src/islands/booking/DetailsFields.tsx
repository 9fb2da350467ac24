import { type ReactNode, useId } from 'react';
import {
  BODY_LOCATION_LABELS,
  PREFERRED_CONTACT_LABELS,
  TATTOO_SIZE_LABELS,
} from '#domain/appointments/appointment_labels.ts';
import { SelectField, TextAreaField, TextField } from '../forms/fields.tsx';
import { SuggestingEmailField } from '../forms/SuggestingEmailField.tsx';
import type { PhoneRulesProps } from './details_form.ts';
import { PhoneField } from './PhoneField.tsx';

/** The fields of both a booking and a request: the tattoo and the client. */
export function DetailsFields(props: PhoneRulesProps) {
  return (
    <>
      <FieldsetCard title="Tattoo Details">
        <SelectField name="location" label="Location on the body" texts={BODY_LOCATION_LABELS} />
        <SelectField name="size" label="Size" texts={TATTOO_SIZE_LABELS} />
        <div className="sm:col-span-2">
          <TextAreaField
            name="customer_notes"
            label="Notes"
            hint="Your idea, colors, anything the artist should know."
            rows={5}
          />
        </div>
      </FieldsetCard>
      <FieldsetCard title="Contact Details">
        <TextField name="first_name" label="First name" autoComplete="given-name" />
        <TextField name="last_name" label="Last name" autoComplete="family-name" />
        <TextField name="pronouns" label="Pronouns" autoComplete="off" />
        <PhoneField {...props} />
        <SuggestingEmailField name="email" label="Email (required)" />
        <SelectField
          name="preferred_contact"
          label="Preferred contact"
          texts={PREFERRED_CONTACT_LABELS}
        />
      </FieldsetCard>
    </>
  );
}

function FieldsetCard({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <fieldset aria-labelledby={id} className="card min-w-0 p-4 sm:p-6">
      <h2 id={id} className="text-2xl">
        {title}
      </h2>
      <div className="mt-5 grid gap-x-5 gap-y-2 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}
