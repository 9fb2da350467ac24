// Drafts of booking forms, one for each artist, in the tab's session storage.

import { sessionItems } from './browser_storage.ts';
import { type Details, toDetails } from './details.ts';
import { toRecord, toText } from './stored_values.ts';

/** The time that the client has chosen, and the attempt to book it. */
export interface SavedSlot {
  /** The id of the service, or of the design with a length of its own, that is booked. */
  readonly serviceId: string;
  /** The date in the studio's zone, `YYYY-MM-DD`. */
  readonly date: string;
  /** RFC 3339, as the API lists the slot: `end` is the last minute, included. */
  readonly start: string;
  readonly end: string;
  /** Sent with the booking, so that sending the booking again books only once. */
  readonly idempotencyKey: string;
  /** Whether the booking was sent, but no response came: it may have booked the time. */
  readonly isOutcomeUnknown: boolean;
}

interface BookingDraft {
  /** Null when nothing was typed yet. */
  readonly details: Details | null;
  readonly slot: SavedSlot | null;
  /** The idempotency key of an appointment request, whose time the artist sets: no `slot` then. */
  readonly requestIdempotencyKey: string | null;
}

/** Reads the draft for an artist; missing and unreadable parts are null. */
export function readBookingDraft(username: string): BookingDraft {
  const stored = toRecord(sessionItems.getJson(storageKey(username)));
  const { details, slot, requestIdempotencyKey } = stored;
  const hasDetails = typeof details === 'object' && details !== null;
  return {
    details: hasDetails ? toDetails((field) => toText(toRecord(details)[field])) : null,
    slot: toSavedSlot(toRecord(slot)),
    requestIdempotencyKey: toText(requestIdempotencyKey) || null,
  };
}

/** Saves parts of the draft for an artist; the other parts stay as they are. */
export function saveBookingDraft(username: string, parts: Partial<BookingDraft>): void {
  const draft = { ...readBookingDraft(username), ...parts };
  sessionItems.setJson(storageKey(username), draft);
}

/** Deletes the draft for an artist. */
export function clearBookingDraft(username: string): void {
  sessionItems.setText(storageKey(username), null);
}

function storageKey(username: string): string {
  return `linework:draft:${username}`;
}

/** Parses a stored slot; null when a text is missing. */
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
