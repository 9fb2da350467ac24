import { FormProvider } from 'react-hook-form';
import * as z from 'zod/mini';
import { NewPasswordForm } from '#contract/account_form.ts';
import { type CurrentArtist, PasswordChange } from '#contract/artist.ts';
import { savePassword } from '#stores/studio/profile.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { PasswordField } from '../../forms/PasswordField.tsx';
import { useValidatedForm } from '../../forms/validated_form.ts';
import { useFormSubmit } from '../form_hooks.ts';
import { PasswordManagerUsername } from './PasswordManagerUsername.tsx';

const PasswordChangeSchema = z.intersection(
  z.object({ current_password: PasswordChange.shape.current_password }),
  NewPasswordForm,
);

const BLANK_FORM = { current_password: '', new_password: '', confirm_password: '' };

/** Changes the password. Unlike other forms it stores no draft when the login expires. */
export function PasswordSection({ me }: { me: CurrentArtist }) {
  const form = useValidatedForm(PasswordChangeSchema, BLANK_FORM);
  const { isSubmitting } = form.formState;

  const { submit, problem } = useFormSubmit(
    form,
    async ({ current_password, new_password }) => {
      await savePassword({ current_password, new_password });
      form.reset(BLANK_FORM);
    },
    { status: 400, field: 'current_password' },
  );

  return (
    <>
      <p className="text-muted">
        With a new password you stay logged in here. On all other devices you are logged out.
      </p>
      <FormProvider {...form}>
        <form noValidate onSubmit={submit} className="grid gap-2">
          <PasswordManagerUsername email={me.email} />
          <PasswordField
            name="current_password"
            label="Current password"
            autoComplete="current-password"
            required
          />
          <PasswordField
            name="new_password"
            label="New password"
            hint="At least 8 characters"
            autoComplete="new-password"
            required
          />
          <PasswordField
            name="confirm_password"
            label="Confirm new password"
            autoComplete="new-password"
            required
          />
          <div role="alert" className="text-danger">
            {problem && <p className="pb-3">{problem}</p>}
          </div>
          <div>
            <BusyButton type="submit" busy={isSubmitting} className="button button-main">
              {isSubmitting ? 'Saving…' : 'Change password'}
            </BusyButton>
          </div>
        </form>
      </FormProvider>
    </>
  );
}
