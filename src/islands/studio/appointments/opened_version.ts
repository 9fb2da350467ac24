import { useState } from 'react';
import type { Appointment } from '#contract/appointment.ts';

/**
 * Runs changes against the appointment as it was when the dialog opened. The list behind the dialog
 * refreshes itself; its newer version must not overwrite a change that the artist did not see.
 * After a refused change the dialog shows the newest version, so the next attempt uses that.
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
