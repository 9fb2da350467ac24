import { useEffect, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { setNewPassword, takeRecoveryToken } from '#stores/auth/recovery.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { showServerErrors } from '../forms/server_errors.ts';
import { Toasts } from '../toasts/Toasts.tsx';
import { useLoadedForm } from './loaded_form.ts';
import { NewPasswordFields } from './NewPasswordFields.tsx';
import { usePasswordConfirmation } from './password_confirmation.ts';
import { useRedirectIfLoggedIn } from './redirect_if_logged_in.ts';

const INCOMPLETE_LINK_MESSAGE =
  'This link is not complete. Please open the link of the email once more.';

/** Sets a new password with the token of a mailed link. */
export default function ResetPasswordIsland() {
  const isReady = useRedirectIfLoggedIn();
  const [token, setToken] = useState('');
  const [linkError, setLinkError] = useState<string | null>(null);
  useEffect(() => {
    const recoveryToken = takeRecoveryToken();
    setToken(recoveryToken);
    setLinkError(recoveryToken === '' ? INCOMPLETE_LINK_MESSAGE : null);
  }, []);

  return (
    <>
      {linkError === null ? (
        <ResetPasswordForm token={token} isReady={isReady} onInvalidLink={setLinkError} />
      ) : (
        <div className="grid gap-6">
          <p role="alert">{linkError}</p>
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
  onInvalidLink: (reason: string) => void;
}

function ResetPasswordForm({ token, isReady, onInvalidLink }: ResetPasswordFormProps) {
  const form = useLoadedForm(({ newPasswordResolver }) => newPasswordResolver, {});
  usePasswordConfirmation(form, 'new_password', 'confirm_password');
  const [isDone, setDone] = useState(false);

  const submit = form.handleSubmit(async ({ new_password }) => {
    const result = await setNewPassword(new_password, token);
    if (result.kind === 'unusable') onInvalidLink(result.reason);
    if (result.kind === 'failed') showServerErrors(form, result.error);
    if (result.kind !== 'done') return;
    setDone(true);
    location.replace('/login');
  });
  return (
    <FormProvider {...form}>
      <form method="post" noValidate className="grid gap-2" onSubmit={submit}>
        <NewPasswordFields name="new_password" label="New password" />
        <BusyButton
          type="submit"
          className="button button-main mt-2 w-full"
          disabled={!isReady}
          busy={form.formState.isSubmitting || isDone}
        >
          Reset Password
        </BusyButton>
      </form>
    </FormProvider>
  );
}
