import { useEffect, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { NewPasswordForm } from '#contract/artist.ts';
import { setNewPassword, takeRecoveryToken } from '#stores/auth/recovery.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { showServerErrors, useValidatedForm } from '../forms/validated_form.ts';
import { Toasts } from '../toasts/Toasts.tsx';
import { NewPasswordFields } from './NewPasswordFields.tsx';
import { usePasswordConfirmation } from './password_confirmation.ts';
import { useRedirectIfLoggedIn } from './redirect_if_logged_in.ts';

const INCOMPLETE_LINK_MESSAGE =
  'This address is not complete. Please open the link of the email once more.';

export default function ResetPasswordIsland() {
  const ready = useRedirectIfLoggedIn();
  const [token, setToken] = useState('');
  const [unusable, setUnusable] = useState<string | null>(null);
  useEffect(() => {
    const taken = takeRecoveryToken();
    setToken(taken);
    setUnusable(taken === '' ? INCOMPLETE_LINK_MESSAGE : null);
  }, []);

  return (
    <>
      {unusable === null ? (
        <ResetPasswordForm token={token} isReady={ready} onInvalidLink={setUnusable} />
      ) : (
        <div className="grid gap-6">
          <p role="alert">{unusable}</p>
          <a href="/recover-password" className="button button-main">
            Ask for a new link
          </a>
        </div>
      )}
      <Toasts />
    </>
  );
}

interface ResetPasswordFormProps {
  token: string;
  isReady: boolean;
  onInvalidLink: (why: string) => void;
}

function ResetPasswordForm({
  token,
  isReady: ready,
  onInvalidLink: onUnusable,
}: ResetPasswordFormProps) {
  const form = useValidatedForm(NewPasswordForm, {});
  usePasswordConfirmation(form, 'new_password', 'confirm_password');
  const [done, setDone] = useState(false);

  const set = form.handleSubmit(async ({ new_password }) => {
    const reset = await setNewPassword(new_password, token);
    if (reset.kind === 'unusable') onUnusable(reset.reason);
    if (reset.kind === 'failed') showServerErrors(form, reset.error);
    if (reset.kind !== 'done') return;
    setDone(true);
    location.replace('/login');
  });
  return (
    <FormProvider {...form}>
      <form method="post" noValidate className="grid gap-2" onSubmit={set}>
        <NewPasswordFields name="new_password" label="New password" />
        <BusyButton
          type="submit"
          className="button button-main mt-2 w-full"
          disabled={!ready}
          busy={form.formState.isSubmitting || done}
        >
          Reset Password
        </BusyButton>
      </form>
    </FormProvider>
  );
}
