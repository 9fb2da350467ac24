import ICAL from 'ical.js';
import type { Email } from 'postal-mime';

/** The calendar file of a mail. */
export interface MailedEntry {
  readonly method: string;
  readonly uid: string;
  readonly sequence: number;
  readonly start: number;
  readonly summary: string;
  readonly organizer: string;
}

/** Reads the calendar file of a mail; null if it has none. */
export function readMailedEntry({ attachments }: Pick<Email, 'attachments'>): MailedEntry | null {
  const file = attachments.find(({ mimeType }) => mimeType === 'text/calendar');
  return file === undefined ? null : readEntry(textOf(file.content));
}

/** Reads a calendar file with one event. */
export function readEntry(text: string): MailedEntry {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const component = calendar.getFirstSubcomponent('vevent');
  if (!component) throw new Error('A calendar file without an event');
  const event = new ICAL.Event(component);
  return {
    method: String(calendar.getFirstPropertyValue('method')),
    uid: event.uid,
    sequence: event.sequence,
    start: event.startDate.toJSDate().getTime(),
    summary: event.summary,
    organizer: String(component.getFirstPropertyValue('organizer') ?? '').toLowerCase(),
  };
}

/**
 * The calendar of someone who adds the files of their mails, as starts by UID.
 * @throws when a file is older than one before it, or removes what is not there
 */
export function addToCalendar(mails: readonly Pick<Email, 'attachments'>[]): Map<string, number> {
  const entries = new Map<string, MailedEntry>();
  const lastSequences = new Map<string, number>();
  for (const mail of mails) {
    const entry = readMailedEntry(mail);
    if (entry === null) continue;
    const { uid, sequence } = entry;
    if (sequence < (lastSequences.get(uid) ?? 0)) throw new Error('A SEQUENCE goes down');
    lastSequences.set(uid, sequence);
    if (entry.method === 'CANCEL') {
      if (!entries.delete(uid)) throw new Error('A CANCEL without an earlier REQUEST');
    } else entries.set(uid, entry);
  }
  return new Map([...entries].map(([uid, { start }]) => [uid, start]));
}

function textOf(content: string | ArrayBuffer | Uint8Array): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}
