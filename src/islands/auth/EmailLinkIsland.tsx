import { useEffect, useState } from 'react';
import { confirmEmail, takeLinkToken } from '#stores/auth/email_proof.ts';
import { undoNewEmail } from '#stores/auth/recovery.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { Toasts } from '../toasts/Toasts.tsx';

const LINKS = {
  prove: { button: 'Confirm This Email', send: confirmEmail },
  undo: { button: 'Undo the Change', send: undoNewEmail },
};

/** Mail programs open mailed links too, so opening one changes nothing: the button sends its token. */
export default function EmailLinkIsland({ link }: { link: keyof typeof LINKS }) {
  const { button, send } = LINKS[link];
  // Null on the server and during hydration; '' if the link has none.
  const [token, setToken] = useState<string | null>(null);
  const [state, setState] = useState<'ready' | 'busy' | 'done'>('ready');
  useEffect(() => setToken(takeLinkToken()), []);
  const press = async () => {
    setState('busy');
    const isDone = await send(token ?? '');
    setState(isDone ? 'done' : 'ready');
    if (isDone && link === 'undo') location.replace('/reset-password');
  };
  const isConfirmed = state === 'done' && link === 'prove';
  return (
    <>
      {token === '' && (
        <p role="alert">This link is not complete. Please open the link of the email once more.</p>
      )}
      {isConfirmed && (
        <div role="status" className="grid gap-6">
          <p>Thank you, your email is confirmed.</p>
          <a href="/studio" className="button button-main">
            Open Your Studio
          </a>
        </div>
      )}
      {token !== '' && !isConfirmed && (
        <BusyButton
          className="button button-main w-full"
          disabled={token === null}
          busy={state !== 'ready'}
          onClick={press}
        >
          {button}
        </BusyButton>
      )}
      <Toasts />
    </>
  );
}
