import { useStore } from '@nanostores/react';
import type { ClientRecord } from '#contract/client.ts';
import {
  $mergeCandidates,
  $otherSearchInput,
  mergeClient,
  setOtherSearch,
  stopMerge,
} from '#stores/studio/client_merge.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { ActionButton } from '../ActionButton.tsx';
import { clientName } from '../appointments/labels.ts';
import { QueryView } from '../LoadableView.tsx';
import { ClientSearchField } from './ClientSearchField.tsx';

/** Finds the client who is the same person, and merges them into this one. */
export function MergeDialog({ client }: { client: ClientRecord }) {
  const search = useStore($otherSearchInput);
  const name = clientName(client);
  return (
    <Dialog title={`Who else is ${name}?`} onClose={stopMerge}>
      <div className="grid gap-4">
        <p className="text-muted wrap-anywhere">
          {`If one person is twice in your list, merge them. ${name} gets the appointments of the other, and the details that are missing here; those that differ go to your notes. Who books with either email is ${name} then. Nobody is mailed.`}
        </p>
        <ClientSearchField id="merge-search" value={search} onSearch={setOtherSearch} />
        <QueryView query={$mergeCandidates} label="clients">
          {(candidates) =>
            candidates.length === 0 ? (
              <p role="status">Nobody else found. Try part of another name, email or number.</p>
            ) : (
              <ul aria-label="Clients" className="divide-y divide-line">
                {candidates.map((other) => (
                  <Candidate key={other.id} client={client} other={other} />
                ))}
              </ul>
            )
          }
        </QueryView>
      </div>
    </Dialog>
  );
}

function Candidate({ client, other }: { client: ClientRecord; other: ClientRecord }) {
  const name = clientName(other);
  const contact = [other.email, other.phone_number].filter((one) => one && one !== name);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <span className="min-w-0 wrap-anywhere">
        <span className="font-semibold">{name}</span>
        <span className="block text-sm text-muted">{contact.join(' · ')}</span>
      </span>
      <ActionButton
        onAct={() =>
          mergeClient({ id: client.id, name: clientName(client) }, { id: other.id, name })
        }
      >
        <span>Merge</span>
        <span className="sr-only">{` ${name} into ${clientName(client)}`}</span>
      </ActionButton>
    </li>
  );
}
