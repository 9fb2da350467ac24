import * as z from 'zod/mini';
import type { Appointment } from '#contract/appointment.ts';
import { trimmedText } from '#contract/common.ts';
import { sendChanges } from '#stores/studio/appointments.ts';
import { formatClientNotice } from '#stores/studio/mails.ts';
import { showSuccessToast } from '#stores/toasts.ts';
import { CheckboxField } from '../../forms/CheckboxField.tsx';
import { TextAreaField } from '../../forms/fields.tsx';
import { FormDialog } from '../FormDialog.tsx';
import { appointmentClientName, clientShortName } from './labels.ts';
import { useOpenedVersion } from './opened_version.ts';

const NoteFormSchema = z.object({ note: trimmedText(2000), keep_edition: z.boolean() });

interface DeclineOrCancelDialogProps {
  appointment: Appointment;
  action: 'decline' | 'cancel';
}

/** Declines a request or cancels an appointment, with an optional note to the client. */
export function DeclineOrCancelDialog({ appointment, action }: DeclineOrCancelDialogProps) {
  const { id, client, design } = appointment;
  const canKeepEdition = action === 'cancel' && design !== null && design.editions !== null;
  const { title, text, saveLabel, status, formatSuccess } = ACTION_LABELS[action];
  const message = `${formatSuccess(appointmentClientName(client))} ${formatClientNotice(client)}`;
  const changeOpened = useOpenedVersion(appointment);

  async function save({ note, keep_edition }: z.output<typeof NoteFormSchema>): Promise<void> {
    const changes = { status, ...(note && { note }), ...(keep_edition && { keep_edition }) };
    await changeOpened((opened) => sendChanges(opened, changes));
    showSuccessToast('Done.', message);
  }

  return (
    <FormDialog
      title={title}
      schema={NoteFormSchema}
      defaultValues={{ note: '', keep_edition: false }}
      draftName={`${action}-${id}`}
      saveLabel={saveLabel}
      cancelLabel="Keep it"
      danger
      onSave={save}
    >
      <p className="mb-3">{text}</p>
      <TextAreaField
        name="note"
        label={`A note to ${clientShortName(client)} (optional)`}
        hint="They read it on the page of their appointment, which our email links to."
        rows={4}
      />
      {canKeepEdition && (
        <CheckboxField name="keep_edition" label="Keep the design taken: nobody else can book it" />
      )}
    </FormDialog>
  );
}

const ACTION_LABELS = {
  decline: {
    title: 'Decline this request?',
    text: 'It cannot be taken up again afterwards: the client would have to ask again.',
    saveLabel: 'Decline request',
    status: 'declined',
    formatSuccess: (name: string) => `The request of ${name} is declined.`,
  },
  cancel: {
    title: 'Cancel this appointment?',
    text: 'Its time becomes free for others. This cannot be undone.',
    saveLabel: 'Cancel appointment',
    status: 'cancelled',
    formatSuccess: (name: string) =>
      `The appointment of ${name} is cancelled and its time is free.`,
  },
} as const;
