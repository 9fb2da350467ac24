import * as z from 'zod/mini';
import { NewPasswordForm } from '#contract/account_form.ts';
import { type CurrentArtist, EmailChangeForm, PasswordChange } from '#contract/artist.ts';
import {
  cancelNewEmail,
  mailEmailProof,
  requestNewEmail,
  savePassword,
} from '#stores/studio/profile.ts';
import { TextField } from '../../forms/fields.tsx';
import { PasswordField } from '../../forms/PasswordField.tsx';
import { useValidatedForm } from '../../forms/validated_form.ts';
import { ActionButton } from '../buttons.tsx';
import { useFormSubmit } from '../form_hooks.ts';
import { FormWithPassword } from '../PasswordForm.tsx';

const PasswordChangeSchema = z.intersection(
  z.object({ current_password: PasswordChange.shape.current_password }),
  NewPasswordForm,
);

const BLANK_PASSWORDS = { current_password: '', new_password: '', confirm_password: '' };

/** Changes the password. Unlike other forms it stores no draft when the login expires. */
export function PasswordSection({ me }: { me: CurrentArtist }) {
  const form = useValidatedForm(PasswordChangeSchema, BLANK_PASSWORDS);
  const state = useFormSubmit(
    form,
    async ({ current_password, new_password }) => {
      await savePassword({ current_password, new_password });
      form.reset(BLANK_PASSWORDS);
    },
    { status: 400, field: 'current_password' },
  );
  return (
    <>
      <p className="text-muted">
        With a new password you stay logged in here. On all other devices you are logged out.
      </p>
      <FormWithPassword
        state={state}
        email={me.email}
        submitLabel="Change password"
        busyLabel="Saving…"
      >
        <PasswordField name="current_password" label="Current password" kind="current" />
        <PasswordField
          name="new_password"
          label="New password"
          hint="At least 8 characters"
          kind="new"
        />
        <PasswordField name="confirm_password" label="Confirm new password" kind="new" />
      </FormWithPassword>
    </>
  );
}

/** Asks for a new email of the account. It counts once the link that is mailed to it is opened. */
export function EmailSection({ me }: { me: CurrentArtist }) {
  return (
    <>
      <p className="text-muted wrap-anywhere">
        {`You log in with ${me.email}, and mails about your account go there. A new one holds once you open the link that we mail to it.`}
      </p>
      {me.pending_email === null ? (
        <NewEmailForm me={me} />
      ) : (
        <div className="grid justify-items-start gap-4">
          <p role="status" className="border-l-4 border-main pl-4 wrap-anywhere">
            {`We mailed a link to ${me.pending_email}. Open it within seven days: until then your email stays ${me.email}.`}
          </p>
          <div className="flex flex-wrap gap-3">
            <ActionButton label="Mail it again" onAct={() => mailEmailProof(me)} />
            <ActionButton label={`Keep ${me.email}`} onAct={() => cancelNewEmail(me)} />
          </div>
        </div>
      )}
    </>
  );
}

function NewEmailForm({ me }: { me: CurrentArtist }) {
  const form = useValidatedForm(EmailChangeForm, { email: '', current_password: '' });
  const state = useFormSubmit(
    form,
    requestNewEmail,
    // A wrong password, and an email that another account has.
    { status: 400, field: 'current_password' },
    { status: 409, field: 'email' },
  );
  return (
    <FormWithPassword state={state} email={me.email} submitLabel="Change email" busyLabel="Saving…">
      <TextField
        name="email"
        label="New email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <PasswordField name="current_password" label="Account password" kind="current" />
    </FormWithPassword>
  );
}
