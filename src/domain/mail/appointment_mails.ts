/** Who is mailed about each step of an appointment, and in which statuses each mail is true. */
import type {
  Actor,
  AppointmentEventKind,
  AppointmentStatus,
} from '../appointments/appointment.ts';
import type { AppointmentMailKind, ArtistMailKind, ClientMailKind } from './mail.ts';

type MailKinds = readonly AppointmentMailKind[];
/** The mails about a step: always the same, or by the status of the appointment before the step. */
type MailsAboutStep = MailKinds | Partial<Record<AppointmentStatus, MailKinds>>;

/** The mails about each step of an appointment. Nobody is mailed about a step that is not here. */
const MAILS_ABOUT: Record<Actor, Partial<Record<AppointmentEventKind, MailsAboutStep>>> = {
  client: {
    requested: ['request_received', 'new_request'],
    held: ['hold'],
    confirmed: ['booked', 'new_booking'],
    offer_declined: ['offer_declined'],
    moved: ['moved', 'client_moved'],
    cancelled: {
      requested: ['client_cancelled'],
      // To the client too, who has it in their calendar.
      confirmed: ['cancelled', 'client_cancelled'],
    },
    // To the new email, with the state of the appointment.
    email_changed: {
      requested: ['request_received'],
      held: ['hold'],
      offered: ['offer'],
      confirmed: ['booked'],
    },
  },
  artist: {
    entered: ['booked'],
    offered: ['offer'],
    // Until the client has confirmed, the mail asks them to.
    moved: { held: ['hold'], offered: ['offer'], confirmed: ['moved'] },
    declined: ['declined'],
    cancelled: ['cancelled'],
  },
  system: { expired: ['expired'], offer_lapsed: ['offer_ended', 'offer_lapsed'] },
};

/** An event of an appointment, and who caused it, as the history of the appointment stores them. */
export interface AppointmentStep {
  readonly actor: Actor;
  readonly what: AppointmentEventKind;
}

/**
 * The kinds of the mails about a step of an appointment, in the order in which they are queued.
 * @param statusBefore of the appointment before the step; null for a new appointment
 */
export function mailsAbout(
  { actor, what }: AppointmentStep,
  statusBefore: AppointmentStatus | null,
): readonly AppointmentMailKind[] {
  const mails = MAILS_ABOUT[actor][what] ?? [];
  // `Array.isArray` does not recognise readonly arrays for the compiler.
  if ('length' in mails) return mails;
  return statusBefore === null ? [] : (mails[statusBefore] ?? []);
}

/** The statuses of its appointment in which a mail of each kind is true. */
const RELEVANT_STATUSES: Record<ClientMailKind | ArtistMailKind, readonly AppointmentStatus[]> = {
  request_received: ['requested'],
  new_request: ['requested'],
  hold: ['held'],
  offer: ['offered'],
  booked: ['confirmed'],
  new_booking: ['confirmed'],
  moved: ['confirmed'],
  reminder: ['confirmed'],
  email_change_link: ['requested', 'held', 'offered', 'confirmed'],
  declined: ['declined'],
  cancelled: ['cancelled'],
  expired: ['expired'],
  offer_ended: ['requested'],
  offer_lapsed: ['requested'],
  offer_declined: ['requested'],
  client_cancelled: ['cancelled'],
  client_moved: ['confirmed'],
};

/** Whether a mail of this kind is true of an appointment that has this status now. */
export function isStillRelevant(
  kind: ClientMailKind | ArtistMailKind,
  status: AppointmentStatus,
): boolean {
  return RELEVANT_STATUSES[kind].includes(status);
}
