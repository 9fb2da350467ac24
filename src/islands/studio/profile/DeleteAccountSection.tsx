import { useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx';

export function DeleteAccountSection({ me }: { me: CurrentArtist }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <p className="text-muted">
        Your page and everything in your studio goes at once, and nothing of it is kept. It cannot
        be undone.
      </p>
      <p>
        <button type="button" className="button button-danger" onClick={() => setIsOpen(true)}>
          Delete the account…
        </button>
      </p>
      {isOpen && <DeleteAccountDialog me={me} onClose={() => setIsOpen(false)} />}
    </>
  );
}
