// The client's unconfirmed hold with an artist, known to all tabs of the browser.
import { toDeviceTime } from '#client/server_clock.ts';
import { localItems } from './browser_storage.ts';
import { type Details, toDetails } from './details.ts';
import { toRecord, toText } from './stored_values.ts';

/** A booking that waits for the client to confirm it. */
export interface SavedHold {
  readonly appointmentId: string;
  /** RFC 3339. */
  readonly start: string;
  /** When it ends unless it is confirmed, RFC 3339. */
  readonly until: string;
  /** Whether the time is reserved; if not, others can still take it. */
  readonly isReserved: boolean;
  /** The details sent with it, so that the client need not type them again for another time. */
  readonly details: Details;
}

/** The hold that was saved last; null for none. Deletes one that has ended at `now`, on the device's clock. */
export function readHold(username: string, now = Date.now()): SavedHold | null {
  const stored = toRecord(localItems.getJson(storageKey(username)));
  const hold = {
    appointmentId: toText(stored['appointmentId']),
    start: toText(stored['start']),
    until: toText(stored['until']),
  };
  if (Object.values(hold).includes('')) return null;
  // Without a readable date it is NaN, which counts as ended.
  const deviceUntil = Number(stored['deviceUntil']) || Date.parse(hold.until);
  if (!(deviceUntil > now)) {
    localItems.setJson(storageKey(username), null);
    return null;
  }
  const details = toRecord(stored['details']);
  return {
    ...hold,
    isReserved: stored['isReserved'] === true,
    details: toDetails((field) => toText(details[field])),
  };
}

/** Saves the hold, in place of an earlier one with this artist. */
export function saveHold(username: string, hold: SavedHold): void {
  // The end on the device's clock: pages read the hold before they know the server's clock.
  const deviceUntil = toDeviceTime(Date.parse(hold.until));
  localItems.setJson(storageKey(username), { ...hold, deviceUntil });
}

/** Deletes the hold if it is of this appointment. Call it when the hold is confirmed, released or gone. */
export function forgetHold(username: string, appointmentId: string): void {
  if (readHold(username)?.appointmentId === appointmentId)
    localItems.setJson(storageKey(username), null);
}

function storageKey(username: string): string {
  return `linework:hold:${username}`;
}
