import { useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { requestRecoveryLink } from '#stores/auth/recovery.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { Toasts } from '../toasts/Toasts.tsx';
import { EmailField } from './EmailField.tsx';
import { useLoadedForm } from './loaded_form.ts';
import { useRedirectIfLoggedIn } from './redirect_if_logged_in.ts';

/** Asks for the mail with a link to a new password. */
export default function RecoverPasswordIsland() {
  const isReady = useRedirectIfLoggedIn();
  const form = useLoadedForm(({ recoveryResolver }) => recoveryResolver, {});
  const [isSent, setSent] = useState(false);
  const submit = form.handleSubmit(async ({ email }) => setSent(await requestRecoveryLink(email)));
  return (
    <FormProvider {...form}>
      <form method="post" noValidate className="grid" onSubmit={submit}>
        <EmailField name="email" />
        <BusyButton
          type="submit"
          className="button button-main mt-2 w-full"
          disabled={!isReady}
          busy={form.formState.isSubmitting}
        >
          Continue
        </BusyButton>
        {isSent && (
          <p className="mt-4 text-muted">
            The link works for one hour. Nothing in your inbox after a few minutes? Look among the
            junk, or check the address and press Continue again.
          </p>
        )}
      </form>
      <Toasts />
    </FormProvider>
  );
}
