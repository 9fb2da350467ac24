import * as z from 'zod/mini';
import { ClientChanges, type ClientRecord } from '#contract/client.ts';
import { saveClient } from '#stores/studio/clients.ts';
import { TextAreaField } from '../../forms/fields.tsx';
import { useValidatedForm } from '../../forms/validated_form.ts';
import { Section } from '../Section.tsx';
import { SectionForm } from '../SectionForm.tsx';

const NotesSchema = z.pick(ClientChanges, { notes: true });

/** What the artist wants to remember of a client. */
export function NotesForm({ client }: { client: ClientRecord }) {
  const saved = { notes: client.notes };
  const form = useValidatedForm(NotesSchema, saved);
  return (
    <Section id="notes" title="Notes">
      <SectionForm
        form={form}
        draftName={`notes ${client.id}`}
        savedValues={saved}
        saveLabel="Save notes"
        onSave={async (values) => ({ notes: (await saveClient(client.id, values)).notes })}
      >
        <TextAreaField
          name="notes"
          label="Your notes"
          hint="Only you see them: skin, allergies, ideas for the next piece."
          rows={6}
        />
      </SectionForm>
    </Section>
  );
}
