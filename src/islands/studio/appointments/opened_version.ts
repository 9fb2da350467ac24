import { useState } from 'react';
import type { Appointment } from '#contract/appointment.ts';

/**
 * Returns a function that runs a change with the appointment as it was when the dialog opened. `appointment` may
 * become newer behind the open dialog. With that version, a change would overwrite what the artist has not seen.
 * After a refused change the dialog shows the newest version, so the next attempt uses that one.
 */
export function useOpenedVersion(appointment: Appointment) {
  const [opened, setOpened] = useState<Appointment | null>(appointment);
  return async <T>(change: (version: Appointment) => Promise<T>): Promise<T> => {
    try {
      return await change(opened ?? appointment);
    } catch (error) {
      setOpened(null);
      throw error;
    }
  };
}
