import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { NewBlockedSender } from '#contract/abuse.ts';
import type { Appointment } from '#contract/appointment.ts';
import { block } from '#stores/studio/abuse.ts';
import { $openHistory } from '#stores/studio/appointments.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';

/** Blocks the sender of the open appointment: their address, or the network they came from. */
export function BlockButtons({ appointment }: { appointment: Appointment }) {
  const [isBlocking, setIsBlocking] = useState(false);
  const { data: history } = useStore($openHistory);
  const { id, client, email_proven } = appointment;
  const { email } = client;
  // An appointment that the artist entered came from no network.
  const hasNetwork = !email_proven && history?.data.every(({ what }) => what !== 'entered');
  if (email === null && !hasNetwork) return null;

  async function run(sender: NewBlockedSender): Promise<void> {
    setIsBlocking(true);
    await block(sender);
    setIsBlocking(false);
  }

  return (
    <details>
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">
        Not a real client?
      </summary>
      <div className="grid justify-items-start gap-3 pt-2">
        <p className="text-muted">
          {`No booking, request, confirmation or message gets through from a blocked sender. You can undo that in your profile. What is booked stays.${hasNetwork ? ' Everyone on the same internet connection may include real clients.' : ''}`}
        </p>
        <div className="flex flex-wrap gap-3">
          {email && (
            <BusyButton busy={isBlocking} onClick={() => run({ email })}>
              Block this address
            </BusyButton>
          )}
          {hasNetwork && (
            <BusyButton busy={isBlocking} onClick={() => run({ network_of_appointment: id })}>
              Block everyone on the same connection
            </BusyButton>
          )}
        </div>
      </div>
    </details>
  );
}
