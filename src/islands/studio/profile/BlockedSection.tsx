import { $blockedSenders, unblock } from '#stores/studio/abuse.ts';
import { ConfirmButton } from '../ConfirmButton.tsx';
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
        {({ data: senders }) =>
          senders.length === 0 ? (
            <p>Nobody is blocked.</p>
          ) : (
            <ul className="grid divide-y divide-line">
              {senders.map((sender) => (
                <li
                  key={sender.id}
                  className="flex flex-wrap items-center justify-between gap-3 py-2"
                >
                  <span className="wrap-anywhere">
                    <span>{sender.value}</span>
                    <span className="block text-sm text-muted">
                      {sender.kind === 'email' ? 'Email address' : 'Network'}
                    </span>
                  </span>
                  <ConfirmButton
                    label="Unblock…"
                    labelEnd={` ${sender.value}`}
                    title={`Unblock ${sender.value}?`}
                    confirmLabel="Unblock"
                    cancelLabel="Keep it blocked"
                    onConfirm={() => unblock(sender)}
                  >
                    <p>
                      {sender.kind === 'email'
                        ? 'Bookings, requests and messages from this address come through again. You can block it again only at an appointment or message from it.'
                        : 'Bookings, requests and messages from this network come through again. You can block it again only at an appointment from it.'}
                    </p>
                  </ConfirmButton>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </>
  );
}
