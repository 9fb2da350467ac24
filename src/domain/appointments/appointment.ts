/** The states of an appointment, who may change them, and when. */
import type { TimeRange } from '../booking/availability.ts';
import { InvalidInput, isAllowed, refuse } from '../refusal.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '../time/time.ts';

/** The statuses of an appointment. */
export const APPOINTMENT_STATUSES = [
  'requested', // The client asked for an appointment; it has no time yet.
  'held', // A hold: the client chose a time and must still confirm it.
  'offered', // An offer: the artist set a time and the client must still confirm it.
  'confirmed',
  'declined', // The artist declined the request.
  'expired', // The client did not confirm the hold before its deadline.
  'cancelled',
  'completed',
  'no_show',
] as const;
export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number];

/** The statuses in which an appointment waits for the artist's or the client's decision. */
export const UNDECIDED_STATUSES = [
  'requested',
  'held',
  'offered',
] as const satisfies AppointmentStatus[];

/** Whether an appointment waits for a decision. @param status as it is now (`statusAt`) */
export function isUndecided(status: AppointmentStatus): boolean {
  return UNDECIDED_STATUSES.some((one) => one === status);
}

/** The statuses that an artist sets directly; setting a time or confirming it causes the others. */
export const ARTIST_STATUSES = [
  'declined',
  'cancelled',
  'completed',
  'no_show',
  // Only from `completed` and `no_show`, to correct them.
  'confirmed',
] as const;
export type ArtistStatus = (typeof ARTIST_STATUSES)[number];

/** The time of an appointment, without the buffer. */
export interface AppointmentTime extends TimeRange {
  /** The client's deadline to confirm a hold or an offer; null when there is none. */
  readonly expiresAt: Instant | null;
}

/** The state that the rules judge. `status` is as stored: the deadline of `held` or `offered` may have passed. */
export interface Appointment {
  readonly status: AppointmentStatus;
  readonly time: AppointmentTime | null;
}

/** How long clients have to confirm. */
export interface ConfirmationDeadlines {
  readonly holdMinutes: number;
  readonly offerHours: number;
}

/** Who changes appointments; `system`: a deadline passed. */
export const ACTORS = ['client', 'artist', 'system'] as const;
export type Actor = (typeof ACTORS)[number];

/** The events of an appointment, as its history stores them. */
export const APPOINTMENT_EVENTS = [
  'requested', // The client asked for an appointment.
  'held', // The client chose a time.
  'entered', // The artist entered a confirmed appointment.
  'offered',
  'moved',
  'rules_changed', // The zone has new clock rules: the time on the clock is as agreed, or a new one.
  'zone_changed', // The studio has another time zone, and the time on the clock is the same.
  'change_undone', // The artist undid `rules_changed` or `zone_changed`.
  'edited', // The artist changed the service, the design, the price or the note.
  'confirmed',
  'released', // The client gave up their hold.
  'expired', // The hold's deadline passed.
  'offer_declined', // The client declined the offer; the request is open again.
  'offer_lapsed', // The offer's deadline passed; the request is open again.
  'declined', // The artist declined the request.
  'cancelled',
  'email_changed',
  'completed',
  'no_show',
  'reopened', // The artist corrected `completed` or `no_show`: it is confirmed again.
] as const;
/** The kind of an event in an appointment's history. */
export type AppointmentEventKind = (typeof APPOINTMENT_EVENTS)[number];

interface Transition {
  /** The statuses, as read at the time of the action, in which it is possible. */
  readonly from: readonly AppointmentStatus[];
  /** The next status; null: it stays. */
  readonly to: AppointmentStatus | null;
  readonly event: AppointmentEventKind;
}

/**
 * All that can happen to an appointment after its creation, by who does it. Further conditions, such as notices
 * and deadlines, are in the functions below. `mailsAbout` says who is mailed.
 */
export const TRANSITIONS = {
  client: {
    // From `expired`, it is judged as a new booking.
    confirm: { from: ['held', 'offered', 'expired'], to: 'confirmed', event: 'confirmed' },
    release: { from: ['held'], to: 'cancelled', event: 'released' },
    decline: { from: ['offered'], to: 'requested', event: 'offer_declined' },
    cancel: { from: ['requested', 'confirmed'], to: 'cancelled', event: 'cancelled' },
    move: { from: ['confirmed'], to: null, event: 'moved' },
    change_email: {
      from: ['requested', 'held', 'offered', 'confirmed'],
      to: null,
      event: 'email_changed',
    },
  },
  artist: {
    offer: { from: ['requested'], to: 'offered', event: 'offered' },
    move: { from: ['held', 'offered', 'confirmed'], to: null, event: 'moved' },
    decline: { from: ['requested'], to: 'declined', event: 'declined' },
    cancel: {
      from: ['requested', 'held', 'offered', 'confirmed'],
      to: 'cancelled',
      event: 'cancelled',
    },
    complete: { from: ['confirmed', 'no_show'], to: 'completed', event: 'completed' },
    no_show: { from: ['confirmed', 'completed'], to: 'no_show', event: 'no_show' },
    reopen: { from: ['completed', 'no_show'], to: 'confirmed', event: 'reopened' },
  },
  system: {
    expire: { from: ['held'], to: 'expired', event: 'expired' },
    expire_offer: { from: ['offered'], to: 'requested', event: 'offer_lapsed' },
  },
} as const satisfies Record<Actor, Record<string, Transition>>;

/** The actions of a client, the most likely first. */
export const CLIENT_ACTIONS = [
  'confirm',
  'release',
  'decline',
  'move',
  'cancel',
  'change_email',
] as const satisfies readonly (keyof (typeof TRANSITIONS)['client'])[];
/** The name of an action in the API and in the column `client` of the table. */
export type ClientAction = (typeof CLIENT_ACTIONS)[number];
/** An action of an artist in the table. */
type ArtistTransition = keyof (typeof TRANSITIONS)['artist'];

/** The action by which an artist sets a status directly. */
export const ACTION_OF_STATUS = {
  declined: 'decline',
  cancelled: 'cancel',
  completed: 'complete',
  no_show: 'no_show',
  confirmed: 'reopen',
} as const satisfies Record<ArtistStatus, ArtistTransition>;

/**
 * The status at `now`, also if that is not stored yet: a hold past its deadline is expired; after
 * the deadline of an offer, the request is open again.
 */
export function statusAt({ status, time }: Appointment, now: Instant): AppointmentStatus {
  const expiresAt = time?.expiresAt ?? null;
  if (expiresAt === null || expiresAt > now) return status;
  if (status === 'held') return TRANSITIONS.system.expire.to;
  return status === 'offered' ? TRANSITIONS.system.expire_offer.to : status;
}

/** Whether an appointment in this status blocks its time for others. @param status as it is now (`statusAt`) */
export function occupiesCalendar(status: AppointmentStatus): boolean {
  return status === 'held' || status === 'offered' || status === 'confirmed';
}

/** Whether clients see an appointment in this status as booked. */
export function isConfirmed(status: AppointmentStatus): boolean {
  return status === 'confirmed' || status === 'completed' || status === 'no_show';
}

/** Whether the appointment has a time that has ended at `now`. */
export function isOver({ time }: Pick<Appointment, 'time'>, now: Instant): boolean {
  return time !== null && time.end <= now;
}

/** The deadline of a hold made at `now`: never after the start of the appointment. */
export function holdExpiresAt(start: Instant, terms: ConfirmationDeadlines, now: Instant): Instant {
  return Math.min(now + terms.holdMinutes * MINUTE_MS, start);
}

/**
 * A client confirms. Confirming twice is harmless.
 * @returns `book_again`: the hold has expired, so it must be judged as a new booking
 * @throws Refusal `status_changed` in any other status, `time_taken` when an expired time has begun
 */
export function decideConfirmation(
  appointment: Appointment,
  now: Instant,
): 'confirm' | 'already' | 'book_again' {
  const status = statusAt(appointment, now);
  if (isConfirmed(status)) return 'already';
  requireFrom(TRANSITIONS.client.confirm, status);
  if (status !== 'expired') return 'confirm';
  if (appointment.time === null || appointment.time.start <= now) throw refuse('time_taken');
  return 'book_again';
}

/** The artist's rules for changes by clients, and further facts about the appointment that decide. */
export interface ClientTerms {
  /** How long before the start clients may cancel and move; 0: until the start; null: never. */
  readonly cancelNoticeHours: number | null;
  readonly moveNoticeHours: number | null;
  /** Whether clients can pick another time: the service still lists times. */
  readonly listsTimes: boolean;
  /** How often the client has changed the email of this appointment; null if it has none. */
  readonly emailChanges: number | null;
}

/** How often a client may change the email of an appointment. */
const MAX_EMAIL_CHANGES = 2;

/** The actions that the client may take at `now`. */
export function allowedClientActions(
  appointment: Appointment,
  terms: ClientTerms,
  now: Instant,
): ClientAction[] {
  return CLIENT_ACTIONS.filter((action) => {
    if (action !== 'confirm')
      return isAllowed(() => clientTransition(appointment, action, terms, now));
    if (isConfirmed(statusAt(appointment, now))) return false;
    return isAllowed(() => decideConfirmation(appointment, now));
  });
}

/**
 * The client does something other than confirming.
 * @returns the next status
 * @throws Refusal `status_changed` when the status does not allow it; `cancelling_not_allowed`,
 *   `moving_not_allowed`, `too_late_to_cancel`, `too_late_to_move` by the artist's notices;
 *   `too_many_email_changes`
 */
export function clientTransition(
  appointment: Appointment,
  action: Exclude<ClientAction, 'confirm'>,
  terms: ClientTerms,
  now: Instant,
): AppointmentStatus {
  const status = statusAt(appointment, now);
  const { from, to } = TRANSITIONS.client[action];
  requireFrom({ from }, status);
  // A request has no time, so no notice binds it.
  const time = status === 'confirmed' ? appointment.time : null;
  if (time !== null) {
    const { cancelUntil, moveUntil } = clientDeadlines(time, terms);
    if (action === 'cancel') requireInTime(cancelUntil, 'cancel', now);
    if (action === 'move') requireInTime(moveUntil, 'move', now);
  }
  if (action === 'change_email') {
    const { emailChanges } = terms;
    const hasBegun = time !== null && time.start <= now;
    if (emailChanges === null || hasBegun) throw refuse('status_changed');
    if (emailChanges >= MAX_EMAIL_CHANGES) throw refuse('too_many_email_changes');
  }
  return to ?? status;
}

/** The last moments at which a client may cancel and move a booked appointment; null: never. */
export interface ClientDeadlines {
  readonly cancelUntil: Instant | null;
  readonly moveUntil: Instant | null;
}

/** The deadlines by the artist's notices. With a notice of 0 hours, they are before the start. */
export function clientDeadlines(
  { start }: Pick<AppointmentTime, 'start'>,
  { cancelNoticeHours, moveNoticeHours, listsTimes }: ClientTerms,
): ClientDeadlines {
  const lastMoment = (hours: number | null) =>
    hours === null ? null : Math.min(start - hours * HOUR_MS, start - 1);
  return {
    cancelUntil: lastMoment(cancelNoticeHours),
    moveUntil: listsTimes ? lastMoment(moveNoticeHours) : null,
  };
}

/** @throws Refusal by the artist's notice: `deadline` is null if they never allow the action */
function requireInTime(deadline: Instant | null, action: 'cancel' | 'move', now: Instant): void {
  if (deadline === null)
    throw refuse(action === 'cancel' ? 'cancelling_not_allowed' : 'moving_not_allowed');
  if (deadline < now) throw refuse(action === 'cancel' ? 'too_late_to_cancel' : 'too_late_to_move');
}

/**
 * The artist acts, without setting a time.
 * @returns the next status
 * @throws Refusal `status_changed` when the current status does not allow it; `not_begun` for
 *   `complete` and `no_show` before the start
 */
export function artistTransition(
  appointment: Appointment,
  action: Exclude<ArtistTransition, 'offer' | 'move'>,
  now: Instant,
): AppointmentStatus {
  const { from, to } = TRANSITIONS.artist[action];
  requireFrom({ from }, statusAt(appointment, now));
  const marksAttendance = action === 'complete' || action === 'no_show';
  if (marksAttendance && (appointment.time === null || appointment.time.start > now))
    throw refuse('not_begun');
  return to;
}

/** An action that the studio shows for an appointment; deleting it is not a transition. */
export type ArtistAction = ArtistTransition | 'delete';

/** The actions of the table of transitions, the most likely first. */
const ARTIST_ACTIONS: readonly ArtistTransition[] = [
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
  if (isDeletable(status)) return ['delete'];
  return ARTIST_ACTIONS.filter((action) => {
    // A request can be cancelled too, but the artist declines it.
    if (action === 'cancel' && status === 'requested') return false;
    if (action === 'offer' || action === 'move')
      return isPossibleIn(status, TRANSITIONS.artist[action]);
    return isAllowed(() => artistTransition(appointment, action, now));
  });
}

function isDeletable(status: AppointmentStatus): boolean {
  return status === 'declined' || status === 'expired' || status === 'cancelled';
}

/** @throws Refusal `not_deletable` unless the appointment is declined, expired or cancelled */
export function refuseUnlessDeletable(appointment: Appointment, now: Instant): void {
  if (!isDeletable(statusAt(appointment, now))) throw refuse('not_deletable');
}

/** A time that the artist sets; `expiresAt` is the client's deadline to confirm, null without. */
export interface SetTime {
  readonly action: 'offer' | 'move';
  readonly status: 'held' | 'offered' | 'confirmed';
  readonly expiresAt: Instant | null;
}

/**
 * The artist sets a time. A request becomes an offer; an appointment with a time keeps its status.
 * @throws Refusal `status_changed` in any other status
 * @throws InvalidInput when a client would be asked to confirm a time that has begun
 */
export function setTime(
  appointment: Appointment,
  start: Instant,
  terms: ConfirmationDeadlines,
  now: Instant,
): SetTime {
  const status = statusAt(appointment, now);
  const { offer, move } = TRANSITIONS.artist;
  if (isPossibleIn(status, offer)) {
    requireFuture(start, now);
    return { action: 'offer', status: offer.to, expiresAt: offerExpiresAt(start, terms, now) };
  }
  if (!isPossibleIn(status, move)) throw refuse('status_changed');
  if (status === 'confirmed') return { action: 'move', status, expiresAt: null };
  requireFuture(start, now);
  const deadlineOf = status === 'held' ? holdExpiresAt : offerExpiresAt;
  return { action: 'move', status, expiresAt: deadlineOf(start, terms, now) };
}

/** The deadline of an offer made at `now`: never after the start of the appointment. */
function offerExpiresAt(start: Instant, terms: ConfirmationDeadlines, now: Instant): Instant {
  return Math.min(now + terms.offerHours * HOUR_MS, start);
}

function requireFuture(start: Instant, now: Instant): void {
  if (start <= now) throw new InvalidInput(['body', 'start'], 'Must lie in the future');
}

/** Whether a transition is possible in this status, apart from notices and deadlines. */
function isPossibleIn<From extends AppointmentStatus>(
  status: AppointmentStatus,
  { from }: { readonly from: readonly From[] },
): status is From {
  return from.some((one) => one === status);
}

function requireFrom(transition: Pick<Transition, 'from'>, status: AppointmentStatus): void {
  if (!isPossibleIn(status, transition)) throw refuse('status_changed');
}
