import * as z from 'zod/mini';
import type { Appointment } from '#contract/appointment.ts';
import { Email } from '#contract/common.ts';
import type { OutgoingMail } from '#contract/mail.ts';
import { sendMailAgain } from '#stores/studio/mails.ts';
import { TextField } from '../../forms/fields.tsx';
import { clientShortName } from '../appointments/labels.ts';
import { FormDialog } from '../FormDialog.tsx';
import { formatMailTitle } from './labels.ts';

const SendAgainSchema = z.object({ email: Email });

interface SendAgainDialogProps {
  mail: OutgoingMail;
  client: Appointment['client'];
}

/** Sends a mail again. The address of a client can be corrected first. */
export function SendAgainDialog({ mail, client }: SendAgainDialogProps) {
  const isForClient = mail.recipient === 'client';
  // The client's address may have been changed or removed since the mail was sent.
  const currentAddress = isForClient ? client.email : mail.address;
  return (
    <FormDialog
      title="Send this mail again?"
      schema={SendAgainSchema}
      defaultValues={{ email: currentAddress ?? mail.address }}
      draftName={`send-again-${mail.id}`}
      saveLabel="Send again"
      onSave={({ email }) => sendMailAgain(mail, email === currentAddress ? undefined : email)}
    >
      <p className="mb-3">
        <strong>{formatMailTitle(mail, clientShortName(client))}</strong>
        <span>, with the time and place as they are now.</span>
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
          autoComplete="off"
          required
        />
      ) : (
        <p className="mb-3">It goes to your own address.</p>
      )}
    </FormDialog>
  );
}
