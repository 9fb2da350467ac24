import { useState } from 'react';
import type { Appointment } from '#contract/appointment.ts';

/**
 * Changes an appointment as it was when the dialog opened, whatever has been read behind it since:
 * nothing is overwritten that the artist did not see. Once refused, the newest is what they see.
 */
export function useOpenedVersion(appointment: Appointment) {
  const [seen, setSeen] = useState<Appointment | null>(appointment);
  return async (change: (seen: Appointment) => Promise<unknown>): Promise<void> => {
    try {
      await change(seen ?? appointment);
    } catch (error) {
      setSeen(null);
      throw error;
    }
  };
}
