import * as z from 'zod/mini';
import { ClientChanges, type ClientRecord } from '#contract/client.ts';
import { Email } from '#contract/common.ts';
import { PREFERRED_CONTACT_LABELS } from '#domain/appointments/appointment_labels.ts';
import { saveClient } from '#stores/studio/clients.ts';
import { SelectField, TextField } from '../../forms/fields.tsx';
import { NotesField } from '../NotesField.tsx';
import { PhoneTextField } from '../PhoneTextField.tsx';
import { Section } from '../Section.tsx';
import { SectionForm } from '../SectionForm.tsx';

const ClientDetailsSchema = z.strictObject({
  ...z.omit(ClientChanges, { notes: true, version: true }).shape,
  // An empty field means that the client has no email.
  email: z.pipe(
    z.transform((typed: string) => typed.trim() || null),
    z.nullable(Email),
  ),
});

export function ClientDetailsForm({ client }: { client: ClientRecord }) {
  return (
    <Section id="details" title="Details">
      <SectionForm
        schema={ClientDetailsSchema}
        draftName={`details ${client.id}`}
        saved={client}
        toValues={toClientDetails}
        saveLabel="Save details"
        conflictField="email"
        onSave={(_, changes) => saveClient(client.id, changes)}
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
          autoComplete="off"
          hint={otherEmailsHint(client)}
        />
        <PhoneTextField name="phone_number" label="Phone number" />
        <SelectField
          name="preferred_contact"
          label="Preferred contact"
          texts={PREFERRED_CONTACT_LABELS}
          blank="Not known"
        />
      </SectionForm>
    </Section>
  );
}

function otherEmailsHint({ other_emails }: ClientRecord): string | undefined {
  if (other_emails.length === 0) return undefined;
  return `Who books with ${other_emails.join(' or ')} is this client, too.`;
}

function toClientDetails(client: ClientRecord) {
  return {
    first_name: client.first_name ?? '',
    last_name: client.last_name ?? '',
    pronouns: client.pronouns ?? '',
    email: client.email ?? '',
    phone_number: client.phone_number ?? '',
    preferred_contact: client.preferred_contact ?? ('' as const),
  };
}

const NotesSchema = z.pick(ClientChanges, { notes: true, version: true });

export function NotesForm({ client }: { client: ClientRecord }) {
  return (
    <Section id="notes" title="Notes">
      <SectionForm
        schema={NotesSchema}
        draftName={`notes ${client.id}`}
        saved={client}
        toValues={({ notes, version }) => ({ notes, version })}
        saveLabel="Save notes"
        // Also the version: with it, the API refuses to overwrite newer notes.
        onSave={(values) => saveClient(client.id, values)}
      >
        <NotesField
          name="notes"
          versionName="version"
          saved={{ text: client.notes, version: client.version }}
          label="Your notes"
          hint="Skin, allergies, ideas for the next piece. Clients see them only in a copy of their data."
          rows={6}
        />
      </SectionForm>
    </Section>
  );
}
