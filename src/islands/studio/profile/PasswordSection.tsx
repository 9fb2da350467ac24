import { useState } from 'react';
import { FormProvider } from 'react-hook-form';
import * as z from 'zod/mini';
import { ApiError } from '#client/http.ts';
import { type CurrentArtist, NewPasswordForm, PasswordChange } from '#contract/artist.ts';
import { savePassword } from '#stores/studio/profile.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { PasswordField } from '../../forms/fields.tsx';
import { showServerErrors, useValidatedForm } from '../../forms/validated_form.ts';
import { Section } from '../Section.tsx';
import { PasswordManagerUsername } from './PasswordManagerUsername.tsx';

const PasswordChangeSchema = z.intersection(
  z.object({ current_password: PasswordChange.shape.current_password }),
  NewPasswordForm,
);

const BLANK_FORM = { current_password: '', new_password: '', confirm_password: '' };

/** A new password. What is typed here is never kept over a login. */
export function PasswordSection({ me }: { me: CurrentArtist }) {
  const form = useValidatedForm(PasswordChangeSchema, BLANK_FORM);
  const [problem, setProblem] = useState<string | null>(null);
  const { isDirty, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ current_password, new_password }) => {
    setProblem(null);
    try {
      await savePassword({ current_password, new_password });
      form.reset(BLANK_FORM);
    } catch (error) {
      if (error instanceof ApiError && error.status === 400)
        form.setError(
          'current_password',
          { type: 'server', message: String(error.detail) },
          { shouldFocus: true },
        );
      else setProblem(showServerErrors(form, error));
    }
  });

  return (
    <Section id="password" title="Password">
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
            <BusyButton
              type="submit"
              busy={isSubmitting}
              disabled={!isDirty}
              className="button button-main"
            >
              {isSubmitting ? 'Saving…' : 'Change password'}
            </BusyButton>
          </div>
        </form>
      </FormProvider>
    </Section>
  );
}
