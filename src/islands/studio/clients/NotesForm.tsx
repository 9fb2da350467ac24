import * as z from 'zod/mini';
import { ClientChanges, type ClientRecord } from '#contract/client.ts';
import { saveClient } from '#stores/studio/clients.ts';
import { NotesField } from '../../forms/fields.tsx';
import { useJudgedForm } from '../../forms/judged_form.ts';
import { SavedForm } from '../SavedForm.tsx';
import { Section } from '../Section.tsx';

const Notes = z.pick(ClientChanges, { notes: true });

/** What the artist wants to remember of a client. */
export function NotesForm({ client }: { client: ClientRecord }) {
  const saved = { notes: client.notes };
  const form = useJudgedForm(Notes, saved);
  return (
    <Section id="notes" title="Notes">
      <SavedForm
        form={form}
        name={`notes ${client.id}`}
        saved={saved}
        save="Save notes"
        onSave={async (values) => ({ notes: (await saveClient(client.id, values)).notes })}
      >
        <NotesField
          name="notes"
          label="Your notes"
          hint="Only you see them: skin, allergies, ideas for the next piece."
          rows={6}
        />
      </SavedForm>
    </Section>
  );
}
