import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';

/** Of a component about one appointment of the artist. */
export interface AppointmentProps {
  me: CurrentArtist;
  appointment: Appointment;
}
