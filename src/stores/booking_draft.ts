import { type Details, toDetails } from './details.ts';

/** A chosen time, with the key under which it is sent. */
export interface SavedSlot {
  readonly serviceId: string;
  /** The studio's date, `YYYY-MM-DD`. */
  readonly date: string;
  readonly start: string;
  readonly end: string;
  readonly idempotencyKey: string;
  /** Whether it went out and no answer came, so that it may be ours already. */
  readonly isOutcomeUnknown: boolean;
}

/** What a client has typed and picked for an artist, not sent yet; it lasts as long as the tab. */
export interface BookingDraft {
  readonly details: Details | null;
  readonly slot: SavedSlot | null;
  /** The key of a request without a time. */
  readonly requestIdempotencyKey: string | null;
}

const EMPTY_DRAFT: BookingDraft = { details: null, slot: null, requestIdempotencyKey: null };

/** What was kept for the artist; anything unreadable counts as nothing. */
export function readBookingDraft(username: string): BookingDraft {
  try {
    return parseDraft(JSON.parse(sessionStorage.getItem(storageKey(username)) ?? 'null'));
  } catch {
    return EMPTY_DRAFT;
  }
}

/** Keeps these parts and leaves the others as they are. */
export function saveBookingDraft(username: string, parts: Partial<BookingDraft>): void {
  writeStorage(username, JSON.stringify({ ...readBookingDraft(username), ...parts }));
}

export function clearBookingDraft(username: string): void {
  writeStorage(username, null);
}

function writeStorage(username: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(storageKey(username));
    else sessionStorage.setItem(storageKey(username), text);
  } catch {
    // Storage is full or forbidden: the form works, it only forgets on a reload.
  }
}

function storageKey(username: string): string {
  return `linework:draft:${username}`;
}

function parseDraft(kept: unknown): BookingDraft {
  return {
    details: isRecord(readProperty(kept, 'details'))
      ? toDetails((field) => readText(readProperty(kept, 'details'), field))
      : null,
    slot: parseSlot(readProperty(kept, 'slot')),
    requestIdempotencyKey: readText(kept, 'requestIdempotencyKey') || null,
  };
}

function parseSlot(kept: unknown): SavedSlot | null {
  const pick = {
    serviceId: readText(kept, 'serviceId'),
    date: readText(kept, 'date'),
    start: readText(kept, 'start'),
    end: readText(kept, 'end'),
    idempotencyKey: readText(kept, 'idempotencyKey'),
  };
  if (Object.values(pick).some((text) => text === '')) return null;
  return { ...pick, isOutcomeUnknown: readProperty(kept, 'isOutcomeUnknown') === true };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function readProperty(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function readText(value: unknown, name: string): string {
  const text = readProperty(value, name);
  return typeof text === 'string' ? text : '';
}
