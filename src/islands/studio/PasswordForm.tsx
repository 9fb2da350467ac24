import { useState } from 'react';
import { type FieldValues, FormProvider } from 'react-hook-form';
import * as z from 'zod/mini';
import { PasswordChange } from '#contract/artist.ts';
import type { OwnerProof } from '#contract/owner_proof.ts';
import { signWithPasskey } from '#stores/auth/passkey_login.ts';
import { passkeyErrorText } from '#stores/passkey_error.ts';
import { canUsePasskeys } from '../browser.ts';
import type { Elements } from '../elements.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { PasswordField } from '../forms/PasswordField.tsx';
import { useValidatedForm } from '../forms/validated_form.ts';
import { Button } from './buttons.tsx';
import { useFormSubmit } from './form_hooks.ts';

const PasswordSchema = z.object({ password: PasswordChange.shape.current_password });

/**
 * The state of a `PasswordForm`, for the dialog around it: a dialog that is busy should stay open.
 * @param save rejects with an `ApiError` of status 400 for a wrong password
 */
export function usePasswordForm(save: (password: string) => Promise<unknown>) {
  const form = useValidatedForm(PasswordSchema, { password: '' });
  return useFormSubmit(form, ({ password }) => save(password), {
    status: 400,
    field: 'password',
    message: 'That is not your password',
  });
}

/**
 * The state of a `PasswordForm` that takes a passkey too.
 * @param save rejects with an `ApiError` of status 400 for a wrong password or passkey
 */
export function useProofForm(save: (proof: OwnerProof) => Promise<unknown>) {
  const state = usePasswordForm((current_password) => save({ current_password }));
  const [isSigning, setIsSigning] = useState(false);
  const [passkeyProblem, setPasskeyProblem] = useState<string | null>(null);

  async function submitPasskey(): Promise<void> {
    setIsSigning(true);
    setPasskeyProblem(null);
    state.form.clearErrors();
    try {
      await save({ passkey: await signWithPasskey() });
    } catch (error) {
      setPasskeyProblem(passkeyErrorText(error));
    } finally {
      setIsSigning(false);
    }
  }

  return {
    ...state,
    problem: passkeyProblem ?? state.problem,
    isSubmitting: state.isSubmitting || isSigning,
    submitPasskey,
  };
}

interface FormWithPasswordProps<In extends FieldValues, Out extends FieldValues> {
  state: ReturnType<typeof useFormSubmit<In, Out>>;
  email: string;
  submitLabel: string;
  busyLabel?: string;
  danger?: boolean | undefined;
  hidden?: boolean | undefined;
  /** Beside the submit button. */
  buttons?: Elements;
  children: Elements;
}

/** A form whose password field, among `children`, password managers fill in for the account `email`. */
export function FormWithPassword<In extends FieldValues, Out extends FieldValues>(
  props: FormWithPasswordProps<In, Out>,
) {
  const { form, submit, problem, isSubmitting } = props.state;
  const { email, submitLabel, busyLabel = submitLabel, danger, hidden, buttons, children } = props;
  return (
    <FormProvider {...form}>
      <form hidden={hidden} noValidate onSubmit={submit} className="grid gap-2">
        {/* From this field, password managers learn the account. */}
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        {children}
        <div role="alert" className="text-danger">
          {problem && <p className="pb-3">{problem}</p>}
        </div>
        <div className="flex flex-wrap gap-3">
          <BusyButton
            type="submit"
            busy={isSubmitting}
            className={danger ? 'button button-danger' : 'button button-main'}
          >
            {isSubmitting ? busyLabel : submitLabel}
          </BusyButton>
          {buttons}
        </div>
      </form>
    </FormProvider>
  );
}

interface PasswordFormProps
  extends Pick<
    FormWithPasswordProps<FieldValues, FieldValues>,
    'email' | 'submitLabel' | 'busyLabel' | 'danger' | 'hidden'
  > {
  state: ReturnType<typeof usePasswordForm> & { submitPasskey?: () => Promise<void> };
  label?: string;
  cancelLabel?: string;
  onCancel: () => void;
}

/** Asks for the password, or a passkey, before an action that a stranger at an open browser must not take. */
export function PasswordForm(props: PasswordFormProps) {
  const { state, label = 'Your password', cancelLabel = 'Cancel', onCancel, ...form } = props;
  const { isSubmitting, submitPasskey } = state;
  return (
    <FormWithPassword
      {...form}
      state={state}
      buttons={
        <>
          {submitPasskey && canUsePasskeys() && (
            <Button
              label="Use a passkey"
              disabled={isSubmitting}
              onClick={() => void submitPasskey()}
            />
          )}
          <Button label={cancelLabel} look="quiet" disabled={isSubmitting} onClick={onCancel} />
        </>
      }
    >
      <PasswordField name="password" label={label} kind="current" />
    </FormWithPassword>
  );
}
