import { type SubmitEvent as ReactSubmitEvent, useEffect, useRef, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { SignupAccount, SignupStudio } from '#contract/artist.ts';
import { isTimeZone } from '#domain/time_zone.ts';
import { isAccountError, submitSignup, toTakenField } from '#stores/auth/signup.ts';
import { onBfcacheRestore } from '../booking/bfcache.ts';
import { browserTimeZone } from '../browser.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { showServerErrors, useValidatedForm } from '../forms/validated_form.ts';
import { Toasts } from '../toasts/Toasts.tsx';
import { AccountFields } from './AccountFields.tsx';
import { usePasswordConfirmation } from './password_confirmation.ts';
import { useRedirectIfLoggedIn } from './redirect_if_logged_in.ts';
import { StudioFields } from './StudioFields.tsx';
import { type SignupStep, useSignupStep } from './signup_step.ts';

/** Signing up in two steps (specification, section 4). */
export default function SignupIsland({ siteUrl }: { siteUrl: string }) {
  const ready = useRedirectIfLoggedIn();
  const { step, show } = useSignupStep();
  const account = useValidatedForm(SignupAccount, {});
  const studio = useValidatedForm(SignupStudio, { time_zone: defaultTimeZone() });
  usePasswordConfirmation(account, 'password', 'confirm_password');
  const [done, setDone] = useState(false);
  useEffect(() => onBfcacheRestore(() => setDone(false)));
  const isAccount = step === 'account';

  const next = account.handleSubmit(() => show('studio'));
  const signUp = studio.handleSubmit(async (place) => {
    const person = account.getValues();
    const failure = await submitSignup({ ...person, ...place });
    if (failure === null) {
      setDone(true);
      location.replace('/login');
    } else showFailure(failure);
  });

  /** Beside the field, on the step that has it. */
  function showFailure(failure: unknown): void {
    const taken = toTakenField(failure);
    showServerErrors(studio, failure);
    showServerErrors(account, failure);
    if (taken) account.setError(taken.field, { type: 'server', message: taken.message });
    if (isAccountError(failure)) show('account');
  }

  function submit(event: ReactSubmitEvent<HTMLFormElement>): void {
    void (isAccount ? next(event) : signUp(event));
  }

  return (
    <>
      <form method="post" noValidate className="grid gap-4" onSubmit={submit}>
        <StepHeading step={step} />
        <FormProvider {...account}>
          {/* Stays in the form, so that password managers see at the end what they may keep. */}
          <div hidden={!isAccount} className={isAccount ? 'grid gap-2' : undefined}>
            <AccountFields siteUrl={siteUrl} />
          </div>
        </FormProvider>
        <FormProvider {...studio}>{!isAccount && <StudioFields />}</FormProvider>
        <div className="flex flex-wrap gap-3">
          {!isAccount && (
            <button type="button" className="button" onClick={() => show('account')}>
              Back
            </button>
          )}
          <BusyButton
            type="submit"
            className="button button-main flex-1"
            disabled={!ready}
            busy={studio.formState.isSubmitting || done}
          >
            {isAccount ? 'Next' : 'Sign Up'}
          </BusyButton>
        </div>
      </form>
      <Toasts />
    </>
  );
}

const STEP_HEADINGS = {
  account: { number: 1, name: 'Your account' },
  studio: { number: 2, name: 'Your studio' },
} satisfies Record<SignupStep, { number: number; name: string }>;

/** Takes the keyboard along to the other step. */
function StepHeading({ step }: { step: SignupStep }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) heading.current?.focus();
    shown.current = step;
  }, [step]);
  const { number, name } = STEP_HEADINGS[step];
  return (
    <h2 ref={heading} tabIndex={-1} className="text-2xl outline-none">
      {name} <span className="ml-2 font-sans text-base text-muted">Step {number} of 2</span>
    </h2>
  );
}

/** Where the artist's own clock is, if the browser tells; the server does not know. */
function defaultTimeZone(): string {
  if (typeof document === 'undefined') return '';
  const zone = browserTimeZone();
  return isTimeZone(zone) ? zone : '';
}
