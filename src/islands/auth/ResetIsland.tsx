import { useEffect, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { NewPasswordForm } from '#contract/artist.ts';
import { setNewPassword, takeToken } from '#stores/auth/recovery.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { showRefusal, useJudgedForm } from '../forms/judged_form.ts';
import { Toasts } from '../toasts/Toasts.tsx';
import { useConfirmation } from './confirmation.ts';
import { useGuest } from './guest.ts';
import { NewPasswordFields } from './NewPasswordFields.tsx';

const NO_TOKEN = 'This address is not complete. Please open the link of the email once more.';

export default function ResetIsland() {
  const ready = useGuest();
  const [token, setToken] = useState('');
  const [unusable, setUnusable] = useState<string | null>(null);
  useEffect(() => {
    const taken = takeToken();
    setToken(taken);
    setUnusable(taken === '' ? NO_TOKEN : null);
  }, []);

  return (
    <>
      {unusable === null ? (
        <NewPassword token={token} ready={ready} onUnusable={setUnusable} />
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

interface NewPasswordProps {
  token: string;
  ready: boolean;
  onUnusable: (why: string) => void;
}

function NewPassword({ token, ready, onUnusable }: NewPasswordProps) {
  const form = useJudgedForm(NewPasswordForm, {});
  useConfirmation(form, 'new_password', 'confirm_password');
  const [done, setDone] = useState(false);

  const set = form.handleSubmit(async ({ new_password }) => {
    const reset = await setNewPassword(new_password, token);
    if (reset.kind === 'unusable') onUnusable(reset.why);
    if (reset.kind === 'failed') showRefusal(form, reset.error);
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
