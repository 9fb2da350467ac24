import { FormProvider } from 'react-hook-form';
import { type CurrentArtist, EmailChangeForm } from '#contract/artist.ts';
import { cancelNewEmail, mailEmailProof, requestNewEmail } from '#stores/studio/profile.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { TextField } from '../../forms/fields.tsx';
import { PasswordField } from '../../forms/PasswordField.tsx';
import { useValidatedForm } from '../../forms/validated_form.ts';
import { ActionButton } from '../buttons.tsx';
import { useFormSubmit } from '../form_hooks.ts';
import { PasswordManagerUsername } from './PasswordManagerUsername.tsx';

const BLANK_FORM = { email: '', current_password: '' };

/** Changes the email of the account, once the link that is mailed to the new one is used. */
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
  const form = useValidatedForm(EmailChangeForm, BLANK_FORM);
  const { isSubmitting } = form.formState;
  const { submit, problem } = useFormSubmit(
    form,
    (change) => requestNewEmail(change),
    { status: 400, field: 'current_password' },
    { status: 409, field: 'email' },
  );
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="grid gap-2">
        <PasswordManagerUsername email={me.email} />
        <TextField
          name="email"
          label="New email"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <PasswordField
          name="current_password"
          label="Account password"
          autoComplete="current-password"
          required
        />
        <div role="alert" className="text-danger">
          {problem && <p className="pb-3">{problem}</p>}
        </div>
        <div>
          <BusyButton type="submit" busy={isSubmitting} className="button button-main">
            {isSubmitting ? 'Saving…' : 'Change email'}
          </BusyButton>
        </div>
      </form>
    </FormProvider>
  );
}
