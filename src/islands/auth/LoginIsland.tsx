import { useEffect, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { submitLogin, takeLoginEmail } from '#stores/auth/login.ts';
import { pathAfterLogin } from '#stores/auth/redirect_after_login.ts';
import { errorText } from '#stores/error_text.ts';
import { canUsePasskeys } from '../browser.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { PasswordField } from '../forms/PasswordField.tsx';
import { Toasts } from '../toasts/Toasts.tsx';
import { EmailField } from './EmailField.tsx';
import { useLoadedForm } from './loaded_form.ts';
import { useRedirectIfLoggedIn } from './redirect_if_logged_in.ts';

export default function LoginIsland() {
  const isReady = useRedirectIfLoggedIn();
  // Without default values, the form takes over text that was typed or filled in before hydration.
  const form = useLoadedForm(({ loginResolver }) => loginResolver, {});
  const { getValues, setValue } = form;
  const [refusal, setRefusal] = useState<string | null>(null);

  useEffect(() => {
    const email = takeLoginEmail();
    if (email !== '' && !getValues('username')) setValue('username', email);
  }, [getValues, setValue]);

  const logIn = form.handleSubmit(async (login) => {
    setRefusal(null);
    setRefusal(await submitLogin(login));
  });
  const wasRedirectedHere = isReady && pathAfterLogin(location.search) !== '/';
  const [isPasskeyBusy, setPasskeyBusy] = useState(false);
  const logInByPasskey = async () => {
    setPasskeyBusy(true);
    setRefusal(null);
    setRefusal(
      // `errorText` is for code that cannot be loaded; `submitPasskeyLogin` returns its own refusals.
      await import('#stores/auth/passkey_login.ts').then(
        ({ submitPasskeyLogin }) => submitPasskeyLogin(),
        errorText,
      ),
    );
    setPasskeyBusy(false);
  };
  const { isSubmitting, isSubmitSuccessful } = form.formState;
  return (
    <FormProvider {...form}>
      {wasRedirectedHere && (
        <p role="status" className="mb-5 border-l-4 border-main pl-3">
          Log in to go on where you were.
        </p>
      )}
      <form method="post" noValidate className="grid gap-2" onSubmit={logIn}>
        <EmailField name="username" />
        <PasswordField name="password" label="Password" kind="current" />
        <p role="alert" className="field-error empty:hidden">
          {refusal}
        </p>
        <BusyButton
          type="submit"
          className="button button-main mt-4 w-full"
          disabled={!isReady}
          // After a login, until the redirect.
          busy={isSubmitting || (isSubmitSuccessful && refusal === null)}
        >
          Log In
        </BusyButton>
      </form>
      {isReady && canUsePasskeys() && (
        <BusyButton className="button mt-3 w-full" busy={isPasskeyBusy} onClick={logInByPasskey}>
          Log In with a Passkey
        </BusyButton>
      )}
      <Toasts />
    </FormProvider>
  );
}
