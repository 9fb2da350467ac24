import { useEffect, useState } from 'react';
import { confirmEmail, takeLinkToken } from '#stores/auth/email_proof.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { Toasts } from '../toasts/Toasts.tsx';

/** Opening the link changes nothing, because mail programs open links too: the button confirms. */
export default function ProveEmailIsland() {
  const [token, setToken] = useState<string | null>(null);
  const [state, setState] = useState<'ready' | 'busy' | 'done'>('ready');
  useEffect(() => setToken(takeLinkToken()), []);
  const confirm = async () => {
    setState('busy');
    setState((await confirmEmail(token ?? '')) ? 'done' : 'ready');
  };
  return (
    <>
      {token === '' && (
        <p role="alert">This link is not complete. Please open the link of the email once more.</p>
      )}
      {state === 'done' ? (
        <div role="status" className="grid gap-6">
          <p>Thank you, your email is confirmed.</p>
          <a href="/studio" className="button button-main">
            Open Your Studio
          </a>
        </div>
      ) : (
        token !== '' && (
          <BusyButton
            type="button"
            className="button button-main w-full"
            disabled={token === null}
            busy={state === 'busy'}
            onClick={confirm}
          >
            Confirm This Email
          </BusyButton>
        )
      )}
      <Toasts />
    </>
  );
}
