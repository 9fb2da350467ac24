import * as z from 'zod/mini';
import type { Appointment } from '#contract/appointment.ts';
import { trimmedText } from '#contract/common.ts';
import { settle } from '#stores/studio/appointments.ts';
import { whoTells } from '#stores/studio/mails.ts';
import { NotesField } from '../../forms/fields.tsx';
import { useJudgedForm } from '../../forms/judged_form.ts';
import { FormDialog } from '../FormDialog.tsx';
import { useSeen } from './seen.ts';
import { shortName } from './words.ts';

const NoteForm = z.object({ note: trimmedText(2000) });

interface NoteDialogProps {
  appointment: Appointment;
  action: 'decline' | 'cancel';
  onClose: () => void;
}

/** Says no, with a note to the client for who wants to write one. */
export function NoteDialog({ appointment, action, onClose }: NoteDialogProps) {
  const { client } = appointment;
  const words = WORDS[action];
  const withSeen = useSeen(appointment);
  const form = useJudgedForm(NoteForm, { note: '' });
  return (
    <FormDialog
      title={words.title}
      form={form}
      name={`${action}-${appointment.id}`}
      save={words.save}
      leaving="Keep it"
      danger
      onSave={({ note }) =>
        withSeen((seen) => settle(seen, words.status, note, words.done(client)))
      }
      onClose={onClose}
    >
      <p className="mb-3">{words.text}</p>
      <NotesField
        name="note"
        label={`A note to ${shortName(client)} (optional)`}
        hint="It goes with the email, and is on the page of their appointment."
        rows={4}
      />
    </FormDialog>
  );
}

type Client = Appointment['client'];

const WORDS = {
  decline: {
    title: 'Decline this request?',
    text: 'It cannot be taken up again afterwards: the client would have to ask anew.',
    save: 'Decline request',
    status: 'declined',
    done: (client: Client) => `The request is declined. ${whoTells(client)}`,
  },
  cancel: {
    title: 'Cancel this appointment?',
    text: 'Its time becomes free for others. This cannot be undone.',
    save: 'Cancel appointment',
    status: 'cancelled',
    done: (client: Client) => `It is cancelled and its time is free. ${whoTells(client)}`,
  },
} as const;
