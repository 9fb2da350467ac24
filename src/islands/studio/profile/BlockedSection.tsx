import { useState } from 'react';
import type { BlockedSender } from '#contract/abuse.ts';
import { $blockedSenders, unblock } from '#stores/studio/abuse.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { QueryView } from '../LoadableView.tsx';

/** The addresses and networks from which the artist takes no bookings, requests and messages. */
export function BlockedSection() {
  return (
    <>
      <p className="text-muted">
        From these you get no bookings, requests and messages. To add one, open an unwanted
        appointment or message and block its sender there.
      </p>
      <QueryView query={$blockedSenders} label="blocked senders">
        {(senders) =>
          senders.length === 0 ? (
            <p>Nobody is blocked.</p>
          ) : (
            <ul className="grid divide-y divide-line">
              {senders.map((sender) => (
                <BlockedRow key={sender.id} sender={sender} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </>
  );
}

function BlockedRow({ sender }: { sender: BlockedSender }) {
  const [isBusy, setIsBusy] = useState(false);

  async function run(): Promise<void> {
    setIsBusy(true);
    await unblock(sender);
    setIsBusy(false);
  }

  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-2">
      <span className="wrap-anywhere">
        <span>{sender.value}</span>
        <span className="block text-sm text-muted">
          {sender.kind === 'email' ? 'Email address' : 'Network'}
        </span>
      </span>
      <BusyButton className="button" busy={isBusy} onClick={run}>
        <span>Unblock</span>
        <span className="sr-only">{` ${sender.value}`}</span>
      </BusyButton>
    </li>
  );
}
