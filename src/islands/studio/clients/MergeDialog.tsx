import { useState } from 'react';
import type { ClientRecord } from '#contract/client.ts';
import { mergeCandidates, mergeClient } from '#stores/studio/clients.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { clientName } from '../appointments/labels.ts';
import { ActionButton } from '../buttons.tsx';
import { QueryView } from '../LoadableView.tsx';
import { ClientSearchField } from './ClientList.tsx';

/** The question shows no more: a longer list is searched. */
const MAX_CANDIDATES = 8;

interface MergeDialogProps {
  client: ClientRecord;
  onClose: () => void;
}

/** Finds the client who is the same person, and merges them into this one. */
export function MergeDialog({ client, onClose }: MergeDialogProps) {
  const name = clientName(client);
  // At first among those with the same first name.
  useState(() => mergeCandidates.open({ search: client.first_name ?? '', skip: 0 }));

  async function merge(other: ClientRecord): Promise<void> {
    await mergeClient({ id: client.id, name }, { id: other.id, name: clientName(other) });
    onClose();
  }

  return (
    <Dialog title={`Who else is ${name}?`} onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-muted wrap-anywhere">
          {`If one person is twice in your list, merge them. ${name} gets the appointments of the other, and the details that are missing here; those that differ go to your notes. Who books with either email is ${name} then. Nobody is mailed.`}
        </p>
        <ClientSearchField id="merge-search" list={mergeCandidates} />
        <QueryView query={mergeCandidates.$query} label="clients">
          {({ data }) => {
            const others = data.filter(({ id }) => id !== client.id).slice(0, MAX_CANDIDATES);
            return others.length === 0 ? (
              <p role="status">Nobody else found. Try part of another name, email or number.</p>
            ) : (
              <ul aria-label="Clients" className="divide-y divide-line">
                {others.map((other) => (
                  <Candidate key={other.id} other={other} into={name} onMerge={merge} />
                ))}
              </ul>
            );
          }}
        </QueryView>
      </div>
    </Dialog>
  );
}

interface CandidateProps {
  other: ClientRecord;
  into: string;
  onMerge: (other: ClientRecord) => Promise<void>;
}

function Candidate({ other, into, onMerge }: CandidateProps) {
  const name = clientName(other);
  const contact = [other.email, other.phone_number].filter((one) => one && one !== name);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <span className="min-w-0 wrap-anywhere">
        <span className="font-semibold">{name}</span>
        <span className="block text-sm text-muted">{contact.join(' · ')}</span>
      </span>
      <ActionButton label="Merge" labelEnd={` ${name} into ${into}`} onAct={() => onMerge(other)} />
    </li>
  );
}
