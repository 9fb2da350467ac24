import { useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { Section } from '../Section.tsx';
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx';

export function DeleteAccountSection({ me }: { me: CurrentArtist }) {
  const [asking, setAsking] = useState(false);
  return (
    <Section id="delete" title="Delete the account">
      <p className="text-muted">
        Your page and everything in your studio goes at once, and nothing of it is kept. It cannot
        be undone.
      </p>
      <p>
        <button type="button" className="button button-danger" onClick={() => setAsking(true)}>
          Delete the account…
        </button>
      </p>
      {asking && <DeleteAccountDialog me={me} onClose={() => setAsking(false)} />}
    </Section>
  );
}
