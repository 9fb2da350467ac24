import { useState } from 'react';
import type { NewBlockedSender } from '#contract/abuse.ts';
import type { Appointment } from '#contract/appointment.ts';
import { block } from '#stores/studio/abuse.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';

/** Blocks the sender of an unwanted booking: their address, or the network they came from. */
export function BlockButtons({ appointment }: { appointment: Appointment }) {
  const [isBlocking, setIsBlocking] = useState(false);
  const { id, client } = appointment;
  const { email } = client;

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
          Block where it came from: no booking, request or message gets through from there any more.
          You can undo that in your profile.
        </p>
        <div className="flex flex-wrap gap-3">
          {email && (
            <BusyButton className="button" busy={isBlocking} onClick={() => run({ email })}>
              Block this address
            </BusyButton>
          )}
          <BusyButton
            className="button"
            busy={isBlocking}
            onClick={() => run({ network_of_appointment: id })}
          >
            Block this network
          </BusyButton>
        </div>
      </div>
    </details>
  );
}
