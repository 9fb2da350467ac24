import * as z from 'zod/mini';
import type { Appointment } from '#contract/appointment.ts';
import { line } from '#contract/common.ts';
import { settle } from '#stores/studio/appointments.ts';
import { NotesField } from '../../forms/fields.tsx';
import { useJudgedForm } from '../../forms/judged_form.ts';
import { FormDialog } from '../FormDialog.tsx';
import { useSeen } from './seen.ts';
import { shortName } from './words.ts';

const NoteForm = z.object({ note: line(2000) });

interface NoteDialogProps {
  appointment: Appointment;
  action: 'decline' | 'cancel';
  onClose: () => void;
}

/** Says no, with a note to the client for who wants to write one. */
export function NoteDialog({ appointment, action, onClose }: NoteDialogProps) {
  const name = shortName(appointment.client);
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
      onSave={({ note }) => withSeen((seen) => settle(seen, words.status, note, words.done(name)))}
      onClose={onClose}
    >
      <p className="mb-3">{words.text}</p>
      <NotesField
        name="note"
        label={`A note to ${name} (optional)`}
        hint="Shown on the page of their appointment."
        rows={4}
      />
    </FormDialog>
  );
}

const WORDS = {
  decline: {
    title: 'Decline this request?',
    text: 'It cannot be taken up again afterwards: the client would have to ask anew.',
    save: 'Decline request',
    status: 'declined',
    done: (name: string) => `The request is declined. The page of their appointment tells ${name}.`,
  },
  cancel: {
    title: 'Cancel this appointment?',
    text: 'Its time becomes free for others. This cannot be undone.',
    save: 'Cancel appointment',
    status: 'cancelled',
    done: (name: string) => `It is cancelled and its time is free. Let ${name} know.`,
  },
} as const;
