import { type Details, detailsOf } from './details.ts';

/** A chosen time, with the key under which it is sent. */
export interface DraftPick {
  readonly serviceId: string;
  /** The studio's date, `YYYY-MM-DD`. */
  readonly date: string;
  readonly start: string;
  readonly end: string;
  readonly key: string;
  /** Whether it went out and no answer came, so that it may be ours already. */
  readonly unanswered: boolean;
}

/** What a client has typed and picked for an artist, not sent yet; it lasts as long as the tab. */
export interface Draft {
  readonly details: Details | null;
  readonly pick: DraftPick | null;
  /** The key of a request without a time. */
  readonly requestKey: string | null;
}

const EMPTY: Draft = { details: null, pick: null, requestKey: null };

/** What was kept for the artist; anything unreadable counts as nothing. */
export function readDraft(username: string): Draft {
  try {
    return draftOf(JSON.parse(sessionStorage.getItem(storageKey(username)) ?? 'null'));
  } catch {
    return EMPTY;
  }
}

/** Keeps these parts and leaves the others as they are. */
export function keepDraft(username: string, parts: Partial<Draft>): void {
  write(username, JSON.stringify({ ...readDraft(username), ...parts }));
}

export function dropDraft(username: string): void {
  write(username, null);
}

function write(username: string, text: string | null): void {
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

function draftOf(kept: unknown): Draft {
  return {
    details: isRecord(child(kept, 'details'))
      ? detailsOf((field) => textOf(child(kept, 'details'), field))
      : null,
    pick: pickOf(child(kept, 'pick')),
    requestKey: textOf(kept, 'requestKey') || null,
  };
}

function pickOf(kept: unknown): DraftPick | null {
  const pick = {
    serviceId: textOf(kept, 'serviceId'),
    date: textOf(kept, 'date'),
    start: textOf(kept, 'start'),
    end: textOf(kept, 'end'),
    key: textOf(kept, 'key'),
  };
  if (Object.values(pick).some((text) => text === '')) return null;
  return { ...pick, unanswered: child(kept, 'unanswered') === true };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function child(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function textOf(value: unknown, name: string): string {
  const text = child(value, name);
  return typeof text === 'string' ? text : '';
}
