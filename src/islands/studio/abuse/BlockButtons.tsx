import { useStore } from '@nanostores/react';
import type { Appointment } from '#contract/appointment.ts';
import { block } from '#stores/studio/abuse.ts';
import { $openHistory } from '#stores/studio/appointments.ts';
import { ActionButton } from '../buttons.tsx';

/** Blocks the sender of the open appointment: their address, or the network they came from. */
export function BlockButtons({ appointment }: { appointment: Appointment }) {
  const { data: history } = useStore($openHistory);
  const { id, client, email_proven } = appointment;
  const { email } = client;
  // A client with a proven email is blocked by it. An appointment that the artist entered came from no network.
  const hasNetwork = !email_proven && history?.data.every(({ what }) => what !== 'entered');
  if (email === null && !hasNetwork) return null;

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
          {email && <ActionButton label="Block this address" onAct={() => block({ email })} />}
          {hasNetwork && (
            <ActionButton
              label="Block everyone on the same connection"
              onAct={() => block({ network_of_appointment: id })}
            />
          )}
        </div>
      </div>
    </details>
  );
}
