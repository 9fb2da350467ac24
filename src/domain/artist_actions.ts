import {
  type Appointment,
  type ArtistTransition,
  artistTransition,
  isPossibleIn,
  statusAt,
  TRANSITIONS,
} from './appointment.ts';
import { isAllowed } from './refusal.ts';
import type { Instant } from './time.ts';

/** What the studio offers an artist for an appointment; deleting it is not a transition. */
export type ArtistAction = ArtistTransition | 'delete';

/** The actions of the table of transitions, the most likely first. */
const ACTIONS: readonly ArtistTransition[] = [
  'offer',
  'decline',
  'complete',
  'no_show',
  'reopen',
  'move',
  'cancel',
];

/** The actions that the studio offers the artist at `now`, the most likely first. */
export function allowedArtistActions(appointment: Appointment, now: Instant): ArtistAction[] {
  const status = statusAt(appointment, now);
  if (status === 'declined' || status === 'expired' || status === 'cancelled') return ['delete'];
  return ACTIONS.filter((action) => {
    // A request can be cancelled too, but the artist declines it.
    if (action === 'cancel' && status === 'requested') return false;
    if (action === 'offer' || action === 'move') {
      return isPossibleIn(status, TRANSITIONS.artist[action]);
    }
    return isAllowed(() => artistTransition(appointment, action, now));
  });
}
