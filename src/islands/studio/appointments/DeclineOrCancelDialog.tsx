import * as z from 'zod/mini';
import type { Appointment } from '#contract/appointment.ts';
import { trimmedText } from '#contract/common.ts';
import { transitionAppointment } from '#stores/studio/appointments.ts';
import { formatClientNotice } from '#stores/studio/mails.ts';
import { TextAreaField } from '../../forms/fields.tsx';
import { useValidatedForm } from '../../forms/validated_form.ts';
import { FormDialog } from '../FormDialog.tsx';
import { clientShortName } from './labels.ts';
import { useOpenedVersion } from './opened_version.ts';

const NoteFormSchema = z.object({ note: trimmedText(2000) });

interface DeclineOrCancelDialogProps {
  appointment: Appointment;
  action: 'decline' | 'cancel';
  onClose: () => void;
}

/** Says no, with a note to the client for who wants to write one. */
export function DeclineOrCancelDialog({
  appointment,
  action,
  onClose,
}: DeclineOrCancelDialogProps) {
  const { client } = appointment;
  const words = ACTION_LABELS[action];
  const withSeen = useOpenedVersion(appointment);
  const form = useValidatedForm(NoteFormSchema, { note: '' });
  return (
    <FormDialog
      title={words.title}
      form={form}
      draftName={`${action}-${appointment.id}`}
      saveLabel={words.save}
      cancelLabel="Keep it"
      danger
      onSave={({ note }) =>
        withSeen((seen) => transitionAppointment(seen, words.status, note, words.done(client)))
      }
      onClose={onClose}
    >
      <p className="mb-3">{words.text}</p>
      <TextAreaField
        name="note"
        label={`A note to ${clientShortName(client)} (optional)`}
        hint="It goes with the email, and is on the page of their appointment."
        rows={4}
      />
    </FormDialog>
  );
}

type AppointmentClient = Appointment['client'];

const ACTION_LABELS = {
  decline: {
    title: 'Decline this request?',
    text: 'It cannot be taken up again afterwards: the client would have to ask anew.',
    save: 'Decline request',
    status: 'declined',
    done: (client: AppointmentClient) => `The request is declined. ${formatClientNotice(client)}`,
  },
  cancel: {
    title: 'Cancel this appointment?',
    text: 'Its time becomes free for others. This cannot be undone.',
    save: 'Cancel appointment',
    status: 'cancelled',
    done: (client: AppointmentClient) =>
      `It is cancelled and its time is free. ${formatClientNotice(client)}`,
  },
} as const;
