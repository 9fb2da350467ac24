/** Consequences of a studio's new address, zone or zone data for its upcoming appointments. */

import { isSameZone } from '#domain/time/zone_data.ts';
import { type AppointmentStatus, occupiesCalendar } from '../appointments/appointment.ts';
import type { StudioAddress } from '../appointments/calendar_event.ts';
import type { BufferedTime } from '../booking/availability.ts';
import type { Instant } from '../time/time.ts';
import type { Zone } from '../time/zone_offsets.ts';
import {
  type AgreedTime,
  agreedTimeAt,
  fitsAgreedTime,
  sameClockStart,
  startOfAgreedTime,
} from './agreed_time.ts';

/**
 * The part of an upcoming time that stays when the studio's time zone, or its rules, change. `moments`: the
 * instant, which clocks then show as another time. `clock_times`: the time on the clock, then another instant.
 */
export const ZONE_CHANGE_MODES = ['moments', 'clock_times'] as const;
export type ZoneChangeMode = (typeof ZONE_CHANGE_MODES)[number];
/** `next_time`: a clock time that clocks skip became the next that exists. */
export type KeptTime = ZoneChangeMode | 'next_time';

/**
 * `studio`: a new address or zone, which concerns all upcoming appointments. `time_changes`: the artist has
 * decided which time appointments keep under the new rules of their zone; it concerns only these.
 */
export type StudioChangeKind = 'studio' | 'time_changes';

/** The fields of a studio that say where and in which time zone it is. */
const STUDIO_LOCATION_FIELDS = [
  'address_one',
  'address_two',
  'city',
  'state',
  'zip_code',
  'time_zone',
] as const;
/** Some or all of these fields. */
export type StudioLocation = {
  readonly [Field in (typeof STUDIO_LOCATION_FIELDS)[number]]?: string | null | undefined;
};

/** A studio before a change; without a name when the change set none. Stored as JSON. */
export interface StudioBefore extends Omit<StudioAddress, 'name'> {
  readonly name?: string;
  readonly time_zone: string;
}

/** Which parts of a studio's location a change sets to another value. */
export interface StudioChange {
  readonly hasNewAddress: boolean;
  readonly hasNewZone: boolean;
  /** Whether the rules of the zone have changed: set only after the artist has answered about them. */
  readonly hasNewRules?: boolean;
}

/** Compares a studio with changes of it. Fields that `changes` leaves out stay as they are. */
export function compareStudios(studio: StudioLocation, changes: StudioLocation): StudioChange {
  const isChanged = (field: keyof StudioLocation) =>
    changes[field] !== undefined && changes[field] !== studio[field];
  return {
    hasNewAddress: STUDIO_LOCATION_FIELDS.some(
      (field) => field !== 'time_zone' && isChanged(field),
    ),
    hasNewZone:
      isChanged('time_zone') && !isSameZone(studio.time_zone ?? '', changes.time_zone ?? ''),
  };
}

/** The time of an appointment in the calendar. Stored as JSON, so it holds only plain values. */
export interface CalendarTime extends BufferedTime {
  /** Whether nobody else can book it. */
  readonly isReserved: boolean;
  /** The client's deadline to confirm; null when there is none. */
  readonly expiresAt: Instant | null;
  /** Missing while it is not known, and in the changes that older servers have stored. */
  readonly agreed?: AgreedTime;
}

/** The time of an appointment before and after a change of the studio. `id` is the time's own. */
export interface MovedTime {
  readonly id: string;
  readonly appointmentId: string;
  readonly before: CalendarTime;
  readonly after: CalendarTime;
  /** The id of the time whose buffer the earlier place had shortened. Missing in the changes of older servers. */
  readonly shortened?: string | null;
}

/** How a new zone of the studio changes the times of its appointments. */
interface ZoneChange {
  readonly keep: ZoneChangeMode;
  readonly from: Zone;
  readonly to: Zone;
}

/**
 * The time in a new zone, without the agreed one. With `clock_times`, clocks there show the agreed time, or
 * the clock time of the start in the old zone while that is not known. It may be past; then it reserves nothing. The
 * deadline is never after the start.
 * @returns null when nothing changes (the time stays the same, and clocks show what was agreed), or when both
 *   times are over: then an undo has nothing to restore
 */
export function timeInNewZone(
  time: CalendarTime,
  { keep, from, to }: ZoneChange,
  now: Instant,
): CalendarTime | null {
  const agreed = changedAgreement(time);
  const start =
    keep === 'moments' ? time.start : sameClockStart(time.start, agreed?.local, from, to);
  const moved = moveTo(time, start, now);
  const isSame = moved.start === time.start && agreed === null;
  return isSame || (time.end <= now && moved.end <= now) ? null : moved;
}

/** The agreed clock time, if clocks show another time by the present zone data; else null. */
function changedAgreement({ start, agreed }: CalendarTime): AgreedTime | null {
  return agreed && !fitsAgreedTime(start, agreed) ? agreed : null;
}

/** The time at another start, with its length and buffer; without the agreed clock time, which callers add. */
function moveTo(time: CalendarTime, start: Instant, now: Instant): CalendarTime {
  const shift = start - time.start;
  const end = time.end + shift;
  return {
    start,
    end,
    blockedUntil: time.blockedUntil + shift,
    isReserved: time.isReserved && end > now,
    expiresAt: time.expiresAt === null ? null : Math.min(time.expiresAt, start),
  };
}

/**
 * Filters the times that clocks no longer show as agreed, because the rules of the zone have changed.
 * @param times those ahead, in any order; their order stays
 */
export function filterChangedTimes<Stored extends { readonly time: CalendarTime }>(
  times: readonly Stored[],
): Stored[] {
  return times.filter(({ time }) => changedAgreement(time) !== null);
}

/**
 * The time after the artist's answer: with `clock_times` that at which clocks show the agreed time, with
 * `moments` the same. The clock time at the new start is agreed from now on.
 * @returns null when the time that the answer gives has passed: nobody could come then, so nothing is changed
 */
export function answerTimeChange(
  time: CalendarTime,
  keep: ZoneChangeMode,
  now: Instant,
): CalendarTime | null {
  const { agreed } = time;
  if (!agreed) return time;
  const start = keep === 'moments' ? time.start : startOfAgreedTime(agreed.zone, agreed.local);
  if (start <= now) return null;
  const kept = keep === 'moments' ? time : moveTo(time, start, now);
  return { ...kept, agreed: agreedTimeAt(agreed.zone, start) };
}

/** Whether a time is as this answer has made it from `before`. */
export function isAnswered(
  { start, agreed }: CalendarTime,
  before: CalendarTime,
  keep: ZoneChangeMode,
  now: Instant,
): boolean {
  const after = answerTimeChange(before, keep, now);
  return after?.start === start && after.agreed?.local === agreed?.local;
}

/** Finds two times that would reserve the same minute, buffers included; the earlier is first. */
export function findOverlap<Stored extends { readonly time: CalendarTime }>(
  times: readonly Stored[],
): readonly [Stored, Stored] | undefined {
  const reserved = times
    .filter(({ time }) => time.isReserved)
    .toSorted((a, b) => a.time.start - b.time.start);
  for (const [index, later] of reserved.entries()) {
    const earlier = reserved[index - 1];
    if (earlier && later.time.start < earlier.time.blockedUntil) return [earlier, later];
  }
  return undefined;
}

/**
 * The time that undoing a move gives back to an appointment.
 * @param current the appointment's time now
 * @param status the appointment's now
 * @returns null when the appointment has got another time since, its client has confirmed this one, or it
 *   does not take place
 */
export function undoneTime(
  { before, after }: Pick<MovedTime, 'before' | 'after'>,
  current: CalendarTime,
  status: AppointmentStatus,
): CalendarTime | null {
  if (current.start !== after.start || current.end !== after.end) return null;
  if (status === 'cancelled' || status === 'declined') return null;
  if (isBooked(current) && !isBooked(after)) return null;
  // An expired hold, or an offer after its deadline, is released.
  const wasReleased = after.isReserved && !current.isReserved;
  const isReserved = before.isReserved && occupiesCalendar(status) && !wasReleased;
  return { ...before, isReserved };
}

/** A hold or an offer has a deadline until its client confirms. */
function isBooked({ isReserved, expiresAt }: CalendarTime): boolean {
  return isReserved && expiresAt === null;
}

/** Whether nobody else can book a time at `now`. */
export function reserves({ isReserved, expiresAt }: CalendarTime, now: Instant): boolean {
  return isReserved && (expiresAt === null || expiresAt > now);
}

/** The text of the mail to clients about the changes and the unchanged parts. */
export function studioChangeText(
  { hasNewAddress, hasNewZone, hasNewRules = false }: StudioChange,
  kept: KeptTime,
): { readonly title: string; readonly news: string; readonly consequence: string } {
  // A new zone has rules of its own.
  const saysRules = hasNewRules && !hasNewZone;
  const join = (...texts: readonly (string | false)[]) => texts.filter(Boolean).join(' and ');
  const parts = join(hasNewAddress && 'address', hasNewZone && 'time zone');
  return {
    title: `New ${join(parts, saysRules && 'clock rules')}`,
    news: join(parts && `a new ${parts}`, saysRules && 'new clock rules in its time zone'),
    consequence:
      hasNewZone || saysRules ? zoneConsequence(kept) : 'The time of your appointment stays.',
  };
}

function zoneConsequence(kept: KeptTime): string {
  switch (kept) {
    case 'moments':
      return 'Your appointment stays at the same moment, which clocks there show differently.';
    case 'clock_times':
      return 'Your appointment stays at the same time on the clocks there, which is another moment.';
    case 'next_time':
      return 'Clocks there skip the time of your appointment, so it begins at the next that exists.';
  }
}
