import { useState } from 'react';
import type { NewBlockedSender } from '#contract/abuse.ts';
import type { Appointment } from '#contract/appointment.ts';
import { block } from '#stores/studio/abuse.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';

/** Blocks the sender of an unwanted booking: their address, or the network they came from. */
export function BlockButtons({ appointment }: { appointment: Appointment }) {
  const [isBlocking, setIsBlocking] = useState(false);
  const { id, client, email_proven } = appointment;
  const { email } = client;
  if (email === null && email_proven) return null;

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
          {`No booking, request, confirmation or message gets through from a blocked sender. You can undo that in your profile. What is booked stays.${email_proven ? '' : ' Everyone on the same internet connection may include real clients.'}`}
        </p>
        <div className="flex flex-wrap gap-3">
          {email && (
            <BusyButton busy={isBlocking} onClick={() => run({ email })}>
              Block this address
            </BusyButton>
          )}
          {!email_proven && (
            <BusyButton busy={isBlocking} onClick={() => run({ network_of_appointment: id })}>
              Block everyone on the same connection
            </BusyButton>
          )}
        </div>
      </div>
    </details>
  );
}
