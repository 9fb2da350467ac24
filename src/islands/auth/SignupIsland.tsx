import { useEffect, useRef, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { currentZoneName } from '#domain/time/current_zone_name.ts';
import { deviceTimeZone } from '#domain/time/time_zone.ts';
import { isAccountError, submitSignup, toTakenField } from '#stores/auth/signup.ts';
import { createSignupChecks } from '#stores/auth/signup_checks.ts';
import { errorText } from '#stores/error_text.ts';
import { showErrorToast } from '#stores/toasts.ts';
import { onBfcacheRestore } from '../browser.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { showServerErrors } from '../forms/server_errors.ts';
import { Toasts } from '../toasts/Toasts.tsx';
import { AccountFields } from './AccountFields.tsx';
import { useLoadedForm } from './loaded_form.ts';
import { usePasswordConfirmation } from './password_confirmation.ts';
import { useRedirectIfLoggedIn } from './redirect_if_logged_in.ts';
import { useUsernameCheck, withSignupChecks } from './signup_checks.ts';
import { type SignupStep, useSignupStep } from './signup_step.ts';

/** The code of the second step, loaded with it: the search of time zones is large. */
type StudioFieldsCode = typeof import('./StudioFields.tsx');

/** The sign-up in two steps: the artist's account, then their studio. */
export default function SignupIsland({ siteUrl }: { siteUrl: string }) {
  const isReady = useRedirectIfLoggedIn();
  const { step, showStep } = useSignupStep();
  const [checks] = useState(createSignupChecks);
  const accountForm = useLoadedForm(
    ({ accountResolver }) => withSignupChecks(accountResolver, checks),
    {},
  );
  const studioForm = useLoadedForm(({ studioResolver }) => studioResolver, {
    time_zone: defaultTimeZone(),
  });
  usePasswordConfirmation(accountForm, 'password', 'confirm_password');
  useUsernameCheck(accountForm, checks);
  const [isDone, setDone] = useState(false);
  // Back from the login page, the browser may restore this page with its button still busy.
  useEffect(() => onBfcacheRestore(() => setDone(false)));
  const isAccount = step === 'account';

  const [code, setCode] = useState<StudioFieldsCode | null>(null);
  const showStudioStep = accountForm.handleSubmit(async () => {
    try {
      setCode(await import('./StudioFields.tsx'));
      showStep('studio');
    } catch (error) {
      showErrorToast('Something went wrong.', errorText(error));
    }
  });
  const signUp = studioForm.handleSubmit(async (studioValues) => {
    const failure = await submitSignup({ ...accountForm.getValues(), ...studioValues });
    if (failure === null) {
      setDone(true);
      location.replace('/login');
    } else showFailure(failure);
  });

  /** Shows the errors beside their fields, and the first step if one of its fields has an error. */
  function showFailure(failure: unknown): void {
    const taken = toTakenField(failure);
    showServerErrors(studioForm, failure);
    showServerErrors(accountForm, failure);
    if (taken?.field === 'username')
      checks.setUsernameRefusal(accountForm.getValues('username'), taken.message);
    if (taken) accountForm.setError(taken.field, { type: 'server', message: taken.message });
    if (isAccountError(failure, accountForm.getValues())) showStep('account');
  }

  return (
    <>
      <form
        method="post"
        noValidate
        className="grid gap-4"
        onSubmit={isAccount ? showStudioStep : signUp}
      >
        <StepHeading step={step} />
        <FormProvider {...accountForm}>
          {/* Hidden, not removed: password managers read the account when the form is sent. */}
          <div hidden={!isAccount} className={isAccount ? 'grid gap-2' : undefined}>
            <AccountFields siteUrl={siteUrl} />
          </div>
        </FormProvider>
        <FormProvider {...studioForm}>{!isAccount && code && <code.StudioFields />}</FormProvider>
        <div className="flex flex-wrap gap-3">
          {!isAccount && (
            <button type="button" className="button" onClick={() => showStep('account')}>
              Back
            </button>
          )}
          <BusyButton
            type="submit"
            className="button button-main flex-1"
            disabled={!isReady}
            busy={accountForm.formState.isSubmitting || studioForm.formState.isSubmitting || isDone}
          >
            {isAccount ? 'Next' : 'Sign Up'}
          </BusyButton>
        </div>
      </form>
      <Toasts />
    </>
  );
}

/** Takes the focus when the step changes. */
function StepHeading({ step }: { step: SignupStep }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const previousStep = useRef(step);
  useEffect(() => {
    if (previousStep.current !== step) heading.current?.focus();
    previousStep.current = step;
  }, [step]);
  return (
    <h2 ref={heading} tabIndex={-1} className="text-2xl outline-none">
      <span>{`Your ${step} `}</span>
      <span className="ml-2 font-sans text-base text-muted">
        {`Step ${step === 'account' ? 1 : 2} of 2`}
      </span>
    </h2>
  );
}

/** The browser's time zone; '' on the server, and if the zone is unknown. */
function defaultTimeZone(): string {
  if (typeof document === 'undefined') return '';
  const zone = deviceTimeZone();
  return zone === null ? '' : currentZoneName(zone);
}
