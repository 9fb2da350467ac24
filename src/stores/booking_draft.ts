// Drafts of booking forms, one for each artist, in the tab's session storage.
import { type Details, toDetails } from './details.ts';
import { getSessionJson, setSessionItem, setSessionJson } from './session_storage.ts';

export interface SavedSlot {
  readonly serviceId: string;
  /** The date in the studio's zone, `YYYY-MM-DD`. */
  readonly date: string;
  /** RFC 3339, as the API lists the slot: `end` is the last minute, included. */
  readonly start: string;
  readonly end: string;
  /** Sent with the booking, so that sending the booking again books only once. */
  readonly idempotencyKey: string;
  /** Whether the booking was sent, but no response came: the time may be booked already. */
  readonly isOutcomeUnknown: boolean;
}

/** What the client has booked from this tab and not confirmed yet. */
interface SentHold {
  readonly appointmentId: string;
  /** What was sent with it, so that the client need not type it again for another time. */
  readonly details: Details;
}

export interface BookingDraft {
  /** null when nothing was typed yet. */
  readonly details: Details | null;
  readonly slot: SavedSlot | null;
  /** The idempotency key of an appointment request, whose time the artist sets: no `slot` then. */
  readonly requestIdempotencyKey: string | null;
  /** A new booking replaces it: its time must not be in the client's own way. */
  readonly hold: SentHold | null;
}

/** Reads the draft for an artist; missing and unreadable parts are null. */
export function readBookingDraft(username: string): BookingDraft {
  const { details, slot, requestIdempotencyKey, hold } = toRecord(
    getSessionJson(storageKey(username)),
  );
  return {
    details: typeof details === 'object' && details !== null ? toSavedDetails(details) : null,
    slot: toSavedSlot(toRecord(slot)),
    requestIdempotencyKey: toText(requestIdempotencyKey) || null,
    hold: toSentHold(toRecord(hold)),
  };
}

/** Saves the given parts and leaves the others as they are. */
export function saveBookingDraft(username: string, parts: Partial<BookingDraft>): void {
  const draft = { ...readBookingDraft(username), ...parts };
  setSessionJson(storageKey(username), draft);
}

/** Deletes what the client has typed and chosen; their unconfirmed hold stays known. */
export function clearBookingDraft(username: string, hold = readBookingDraft(username).hold): void {
  if (hold) setSessionJson(storageKey(username), { hold });
  else setSessionItem(storageKey(username), null);
}

/** Call it when the hold is confirmed, released or gone. */
export function forgetHold(username: string, appointmentId: string): void {
  if (readBookingDraft(username).hold?.appointmentId === appointmentId)
    saveBookingDraft(username, { hold: null });
}

function storageKey(username: string): string {
  return `linework:draft:${username}`;
}

function toSavedDetails(stored: unknown): Details {
  return toDetails((field) => toText(toRecord(stored)[field]));
}

function toSentHold({
  appointmentId,
  details,
}: Readonly<Record<string, unknown>>): SentHold | null {
  const id = toText(appointmentId);
  return id === '' ? null : { appointmentId: id, details: toSavedDetails(details) };
}

/** Returns null when a text is missing. */
function toSavedSlot(stored: Readonly<Record<string, unknown>>): SavedSlot | null {
  const slot = {
    serviceId: toText(stored['serviceId']),
    date: toText(stored['date']),
    start: toText(stored['start']),
    end: toText(stored['end']),
    idempotencyKey: toText(stored['idempotencyKey']),
  };
  if (Object.values(slot).includes('')) return null;
  return { ...slot, isOutcomeUnknown: stored['isOutcomeUnknown'] === true };
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' ? { ...value } : {};
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
