/**
 * Mails about a change of the studio, which may have moved the appointment. They wait while the artist can undo the
 * change. A newer change replaces those of an earlier one that still wait: then one mail is about both.
 */
import { agreedTimeAt, startOfAgreedTime } from '../studio/agreed_time.ts';
import { type CalendarTime, compareStudios, type StudioBefore } from '../studio/studio_change.ts';
import { isSameZone } from '../time/zone_data.ts';
import type { AppointmentMailData, AppointmentSnapshot } from './mail.ts';

/** A change of the studio as a mail reports it. */
export type MailedChange = NonNullable<AppointmentSnapshot['studioChange']>;

interface ChangeToMail {
  readonly studioChange: MailedChange;
  /** The time before the change; undefined if it stays. */
  readonly before: CalendarTime | undefined;
  /** The appointment in the waiting mail about an earlier change; undefined without one. */
  readonly earlier: AppointmentSnapshot | undefined;
  /** The studio that the client knows: before the earlier change, if any. */
  readonly studioKnown: StudioBefore;
}

/**
 * The mail about a change of the studio, and about an earlier one that was not mailed to the client.
 * @param after the appointment after both
 * @returns null if the studio and the time are as the client knows them
 */
export function studioChangeMail(
  after: AppointmentSnapshot,
  { studioChange, before, earlier, studioKnown }: ChangeToMail,
): AppointmentMailData | null {
  const knownStart = earlier?.movedFrom ?? before?.start ?? null;
  const movedFrom = knownStart === after.time?.start ? null : knownStart;
  const newer = before ? changeOfTime(studioChange, before, after) : studioChange;
  const changesOfTime = [earlier?.studioChange, before && newer].filter((one) => one !== undefined);
  const change = earlier ? joinChanges(studioKnown, { ...after, movedFrom }, changesOfTime) : newer;
  if (change === null && movedFrom === null) return null;
  const appointment = { ...after, movedFrom, ...(change && { studioChange: change }) };
  return { kind: 'moved', appointment };
}

/** Adds the agreed clock time to a change of the studio that may have moved the appointment. */
function changeOfTime(
  change: MailedChange,
  { start, agreed }: CalendarTime,
  after: AppointmentSnapshot,
): MailedChange {
  const { local } = agreed ?? agreedTimeAt(change.zoneBefore, start);
  const kept = change.kept === 'clock_times' ? keptClockTime(after, local) : null;
  return { ...change, ...(agreed && { agreed: agreed.local }), ...(kept && { kept }) };
}

/** How an appointment keeps a time on the clock; null if it does not. */
function keptClockTime(
  { studio: { time_zone: zone }, time }: AppointmentSnapshot,
  local: string,
): 'clock_times' | 'next_time' | null {
  if (time === null) return null;
  if (agreedTimeAt(zone, time.start).local === local) return 'clock_times';
  return startOfAgreedTime(zone, local) === time.start ? 'next_time' : null;
}

/**
 * The change since the studio and the clock time that the client knows, before an earlier change.
 * @param changes those that may have moved the appointment, the earlier first
 * @returns null if both together only move the appointment, or change nothing
 */
function joinChanges(
  studioKnown: StudioBefore,
  after: AppointmentSnapshot,
  changes: readonly MailedChange[],
): MailedChange | null {
  const { studio, movedFrom } = after;
  const { time_zone: zoneBefore } = studioKnown;
  const change = compareStudios(studioKnown, studio);
  const hasNewRules = changes.some((one) => one.hasNewRules);
  // The client knows the clock time in the zone that they know.
  const inKnownZone = changes.filter((one) => isSameZone(one.zoneBefore, zoneBefore));
  const agreed = inKnownZone.find((one) => one.agreed !== undefined)?.agreed;
  const joined = { ...change, hasNewRules, zoneBefore, ...(agreed !== undefined && { agreed }) };
  const isAboutTime = change.hasNewZone || hasNewRules;
  if (movedFrom === null)
    return isAboutTime || change.hasNewAddress ? { ...joined, kept: 'moments' } : null;
  const local = agreed ?? agreedTimeAt(zoneBefore, movedFrom).local;
  const kept = keptClockTime(after, local);
  return isAboutTime && kept ? { ...joined, kept } : null;
}
