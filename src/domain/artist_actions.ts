import { type Appointment, statusAt } from './appointment.ts';
import type { Instant } from './time.ts';

export type ArtistAction =
  | 'offer'
  | 'decline'
  | 'complete'
  | 'no_show'
  | 'move'
  | 'cancel'
  | 'delete';

/** The actions that the artist can take at `now`, the most likely first. */
export function allowedArtistActions(appointment: Appointment, now: Instant): ArtistAction[] {
  const hasBegun = appointment.time !== null && appointment.time.start <= now;
  switch (statusAt(appointment, now)) {
    case 'requested':
      return ['offer', 'decline'];
    case 'held':
    case 'offered':
      return ['move', 'cancel'];
    case 'confirmed':
      return hasBegun ? ['complete', 'no_show', 'move', 'cancel'] : ['move', 'cancel'];
    case 'declined':
    case 'expired':
    case 'cancelled':
      return ['delete'];
    case 'completed':
    case 'no_show':
      return [];
  }
}
