import { useMemo } from 'react';
import * as z from 'zod/mini';
import type { AppointmentChanges } from '#contract/appointment.ts';
import { sendChanges } from '#stores/studio/appointments.ts';
import { showSuccessToast } from '#stores/toasts.ts';
import { TextAreaField } from '../../forms/fields.tsx';
import { FormDialog } from '../FormDialog.tsx';
import { NotesField } from '../NotesField.tsx';
import { detailFields, toDetailsForm } from './appointment_form.ts';
import type { AppointmentProps } from './appointment_props.ts';
import { clientShortName, privateNotesHint } from './labels.ts';
import { useOpenedVersion } from './opened_version.ts';
import { SubjectFields } from './SubjectFields.tsx';

/** Changes the subject, the price and the notes of an appointment, not its time. */
export function EditDetailsDialog({ me, appointment }: AppointmentProps) {
  const { id, client, project_id, status } = appointment;
  const currency = appointment.price?.currency ?? me.currency;
  const schema = useMemo(() => z.object(detailFields(currency)), [currency]);
  const changeOpened = useOpenedVersion(appointment);
  type Form = z.output<typeof schema>;

  async function save(typed: Form, changes: Partial<Form>): Promise<void> {
    const { note, private_notes } = changes;
    const hasOtherSubject = 'service_id' in changes || 'design_id' in changes;
    const details: AppointmentChanges = {
      ...('service_id' in changes && { service_id: typed.service_id || null }),
      ...('design_id' in changes && { design_id: typed.design_id || null }),
      // With another service or design, and no price, the API would take theirs.
      ...((hasOtherSubject || 'price' in changes) && { price: typed.price }),
      ...(note !== undefined && { note }),
      ...(private_notes !== undefined && {
        private_notes,
        private_version: typed.private_version,
      }),
    };
    const names = Object.keys(details);
    if (names.length === 0) return void showSuccessToast('Nothing changed.', 'All is as it was.');
    await changeOpened((opened) => sendChanges(opened, details));
    const isPrivate = names.every((name) => name.startsWith('private_'));
    showSuccessToast(
      'Saved.',
      isPrivate
        ? 'Clients do not see these notes.'
        : 'Nobody is mailed. The client’s page of the appointment shows it.',
    );
  }

  return (
    <FormDialog
      title="Edit details"
      schema={schema}
      defaultValues={{
        ...toDetailsForm(appointment),
        note: appointment.note ?? '',
        private_notes: appointment.private_notes,
        private_version: appointment.private_version,
      }}
      draftName={`edit-${id}`}
      saveLabel="Save details"
      onSave={save}
    >
      <SubjectFields currency={currency} booked={appointment} />
      {/* Clients read it beside the time of their appointment or its answer. */}
      {status !== 'requested' && (
        <TextAreaField
          name="note"
          label={`A note to ${clientShortName(client)} (optional)`}
          hint="They read it on the page of their appointment."
          rows={3}
        />
      )}
      <NotesField
        name="private_notes"
        versionName="private_version"
        saved={{ text: appointment.private_notes, version: appointment.private_version }}
        label="Private notes (optional)"
        hint={privateNotesHint(project_id !== null)}
        rows={3}
      />
    </FormDialog>
  );
}
