import * as z from 'zod/mini';
import { ClientChanges, type ClientRecord } from '#contract/client.ts';
import { Email } from '#contract/common.ts';
import { PREFERRED_CONTACT_LABELS } from '#domain/choice_texts.ts';
import { saveClient } from '#stores/studio/clients.ts';
import { ChoiceField, TextField } from '../../forms/fields.tsx';
import { useJudgedForm } from '../../forms/judged_form.ts';
import { SavedForm } from '../SavedForm.tsx';
import { Section } from '../Section.tsx';

const Details = z.strictObject({
  ...z.omit(ClientChanges, { notes: true }).shape,
  // A field left blank is not known.
  email: z.pipe(
    z.transform((typed: string) => typed.trim() || null),
    z.nullable(Email),
  ),
});

/** How to reach a client and what to call them. */
export function DetailsForm({ client }: { client: ClientRecord }) {
  const saved = detailsOf(client);
  const form = useJudgedForm(Details, saved);
  return (
    <Section id="details" title="Details">
      <SavedForm
        form={form}
        name={`details ${client.id}`}
        saved={saved}
        save="Save details"
        unique="email"
        onSave={async (values) => detailsOf(await saveClient(client.id, values))}
      >
        <div className="grid gap-x-4 sm:grid-cols-2">
          <TextField name="first_name" label="First name" autoComplete="off" />
          <TextField name="last_name" label="Last name" autoComplete="off" />
        </div>
        <TextField name="pronouns" label="Pronouns" autoComplete="off" />
        <TextField
          name="email"
          label="Email"
          type="email"
          inputMode="email"
          autoCapitalize="none"
          autoComplete="off"
        />
        <TextField
          name="phone_number"
          label="Phone number"
          type="tel"
          inputMode="tel"
          autoComplete="off"
        />
        <ChoiceField
          name="preferred_contact"
          label="Preferred contact"
          texts={PREFERRED_CONTACT_LABELS}
          blank="Not known"
        />
      </SavedForm>
    </Section>
  );
}

function detailsOf(client: ClientRecord) {
  return {
    first_name: client.first_name ?? '',
    last_name: client.last_name ?? '',
    pronouns: client.pronouns ?? '',
    email: client.email ?? '',
    phone_number: client.phone_number ?? '',
    preferred_contact: client.preferred_contact ?? ('' as const),
  };
}
