import * as z from 'zod/mini';
import type { Appointment } from '#contract/appointment.ts';
import { Email } from '#contract/common.ts';
import type { OutgoingMail } from '#contract/mail.ts';
import { sendMailAgain } from '#stores/studio/mails.ts';
import { TextField } from '../../forms/fields.tsx';
import { useValidatedForm } from '../../forms/validated_form.ts';
import { clientShortName } from '../appointments/labels.ts';
import { FormDialog } from '../FormDialog.tsx';
import { formatMailTitle } from './labels.ts';

const SendAgainSchema = z.object({ email: Email });

interface SendAgainDialogProps {
  mail: OutgoingMail;
  client: Appointment['client'];
  onClose: () => void;
}

/** Sends a mail again; where it goes to a client, their address can be set right. */
export function SendAgainDialog({ mail, client, onClose }: SendAgainDialogProps) {
  const isForClient = mail.recipient === 'client';
  // Where it would go now: the address may have been set right since, or be gone.
  const known = isForClient ? client.email : mail.address;
  const form = useValidatedForm(SendAgainSchema, { email: known ?? mail.address });
  return (
    <FormDialog
      title="Send this mail again?"
      form={form}
      draftName={`send-again-${mail.id}`}
      saveLabel="Send again"
      onSave={({ email }) => sendMailAgain(mail, email === known ? undefined : email)}
      onClose={onClose}
    >
      <p className="mb-3">
        <strong>{formatMailTitle(mail, clientShortName(client))}</strong>, with the time and place
        as they are now.
      </p>
      {mail.status === 'failed' && mail.failure !== null && (
        <p className="mb-3 border-l-4 border-danger pl-3 wrap-anywhere">{mail.failure}</p>
      )}
      {isForClient ? (
        <TextField
          name="email"
          label="Email"
          hint="Correct it if it is wrong: later mail goes there, too."
          type="email"
          inputMode="email"
          autoCapitalize="none"
          autoComplete="off"
          required
        />
      ) : (
        <p className="mb-3">It goes to your own address.</p>
      )}
    </FormDialog>
  );
}
