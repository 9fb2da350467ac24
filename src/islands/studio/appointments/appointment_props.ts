import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';

export interface AppointmentProps {
  me: CurrentArtist;
  appointment: Appointment;
}
