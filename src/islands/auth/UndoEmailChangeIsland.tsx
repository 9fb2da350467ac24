import { useEffect, useState } from 'react';
import { takeLinkToken } from '#stores/auth/email_proof.ts';
import { undoNewEmail } from '#stores/auth/email_undo.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { Toasts } from '../toasts/Toasts.tsx';

/** Opening the link changes nothing, because mail programs open links too: the button undoes. */
export default function UndoEmailChangeIsland() {
  const [token, setToken] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => setToken(takeLinkToken()), []);
  const undo = async () => {
    setIsBusy(true);
    if (await undoNewEmail(token ?? '')) location.replace('/reset-password');
    else setIsBusy(false);
  };
  return (
    <>
      {token === '' ? (
        <p role="alert">This link is not complete. Please open the link of the email once more.</p>
      ) : (
        <BusyButton
          type="button"
          className="button button-main w-full"
          disabled={token === null}
          busy={isBusy}
          onClick={undo}
        >
          Undo the Change
        </BusyButton>
      )}
      <Toasts />
    </>
  );
}
