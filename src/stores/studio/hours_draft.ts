import type { CurrentArtist } from '#contract/artist.ts';
import { BookingRange, Schedule } from '#contract/schedule.ts';
import type { BookingRange as DomainBookingRange } from '#domain/booking_range.ts';
import {
  type ExceptionDay,
  mergeDays,
  upcomingExceptions,
  validateWindows,
  type WindowError,
} from '#domain/opening_hours.ts';
import type { Schedule as Hours, OpeningWindow, WeekdayHours } from '#domain/schedule.ts';
import { addMonths } from '#domain/time.ts';

/** The settings as they are typed: numbers and dates as text, times blank while half typed. */
export interface HoursDraft {
  /** All seven, Monday first. */
  readonly weekly: readonly WeekdayHours[];
  readonly exceptions: readonly ExceptionDay[];
  readonly slot_interval_minutes: string;
  readonly buffer_minutes: string;
  readonly minimum_notice_minutes: string;
  readonly range: RangeDraft;
}

export interface RangeDraft {
  readonly kind: DomainBookingRange['kind'];
  readonly days: string;
  readonly start: string;
  readonly end: string;
}

/** Settings that may be saved. */
export interface HoursSettings {
  readonly schedule: Hours;
  readonly bookingRange: DomainBookingRange;
}

/** What is wrong, in words, by the field: `weekly.2.0`, `range.days`. */
export type FieldErrors = Readonly<Record<string, string>>;

const WINDOW_ERROR_TEXTS: Record<WindowError, string> = {
  blank: 'Enter both times',
  ends_first: 'Must end after it starts',
  overlaps: 'Overlaps the hours above',
};

const NUMBER_ERROR_TEXTS: Readonly<Record<string, string>> = {
  slot_interval_minutes: 'Between 5 and 1440 minutes',
  buffer_minutes: 'Between 0 and 1440 minutes',
  minimum_notice_minutes: 'Between 0 and 525600 minutes',
};

const RANGE_ERROR_TEXTS: Readonly<Record<string, string>> = {
  days: 'Between 0 and 731 days',
  start: 'Enter the first day',
  end: 'Enter the last day, not before the first',
};

/** What the artist has, as it is edited; dates that have passed are left out. */
export function toHoursDraft(
  { schedule, booking_range }: CurrentArtist,
  today: string,
): HoursDraft {
  return {
    weekly: toFullWeek(schedule.weekly),
    exceptions: upcomingExceptions(schedule.exceptions, today).map(({ date, windows }) => ({
      date,
      windows: toPlainWindows(windows),
    })),
    slot_interval_minutes: String(schedule.slot_interval_minutes),
    buffer_minutes: String(schedule.buffer_minutes),
    minimum_notice_minutes: String(schedule.minimum_notice_minutes),
    range: {
      days: '60',
      start: today,
      end: addMonths(today, 2),
      ...toRangeDraft(booking_range),
    },
  };
}

/** A draft as it is now saved, with what was typed since `sent` was sent. */
export function rebaseDraft(saved: HoursDraft, sent: HoursDraft, typed: HoursDraft): HoursDraft {
  const pick = <T>(field: (draft: HoursDraft) => T): T =>
    JSON.stringify(field(typed)) === JSON.stringify(field(sent)) ? field(saved) : field(typed);
  const days = mergeDays(sent.exceptions, typed.exceptions, saved.exceptions, ({ date }) => date);
  return {
    weekly: mergeDays(sent.weekly, typed.weekly, saved.weekly, ({ weekday }) => weekday),
    exceptions: days.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
    slot_interval_minutes: pick((draft) => draft.slot_interval_minutes),
    buffer_minutes: pick((draft) => draft.buffer_minutes),
    minimum_notice_minutes: pick((draft) => draft.minimum_notice_minutes),
    range: pick((draft) => draft.range),
  };
}

/** All seven days, Monday first. */
export function toFullWeek(weekly: readonly WeekdayHours[]) {
  return [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
    weekday,
    windows: toPlainWindows(weekly.find((day) => day.weekday === weekday)?.windows ?? []),
  }));
}

/** Windows whose fields stand in one order, so that they compare as text. */
export function toPlainWindows(windows: readonly OpeningWindow[]): OpeningWindow[] {
  return windows.map(({ start, end }) => ({ start, end }));
}

function toRangeDraft(range: DomainBookingRange): Partial<RangeDraft> & Pick<RangeDraft, 'kind'> {
  return range.kind === 'rolling' ? { kind: 'rolling', days: String(range.days) } : range;
}

/** Whether what was kept of the form is a draft. */
export function isHoursDraft(kept: unknown): kept is HoursDraft {
  if (typeof kept !== 'object' || kept === null) return false;
  if (!('weekly' in kept && 'exceptions' in kept && 'range' in kept)) return false;
  return Array.isArray(kept.weekly) && kept.weekly.length === 7 && Array.isArray(kept.exceptions);
}

/** Judges a draft by the contract: the settings when nothing is wrong, else what is. */
export function validateDraft(draft: HoursDraft): {
  settings: HoursSettings | null;
  faults: FieldErrors;
} {
  const schedule = Schedule.safeParse({
    weekly: draft.weekly,
    exceptions: draft.exceptions,
    slot_interval_minutes: parseNumber(draft.slot_interval_minutes),
    buffer_minutes: parseNumber(draft.buffer_minutes),
    minimum_notice_minutes: parseNumber(draft.minimum_notice_minutes),
  });
  const bookingRange = BookingRange.safeParse(parseRange(draft.range));
  if (schedule.success && bookingRange.success)
    return { settings: { schedule: schedule.data, bookingRange: bookingRange.data }, faults: {} };
  return {
    settings: null,
    faults: {
      ...dayErrors(draft),
      ...toFieldErrors(schedule.error?.issues, NUMBER_ERROR_TEXTS, ''),
      ...toFieldErrors(bookingRange.error?.issues, RANGE_ERROR_TEXTS, 'range.'),
    },
  };
}

function dayErrors({ weekly, exceptions }: HoursDraft): FieldErrors {
  const named = [
    ...weekly.map(({ weekday, windows }) => [`weekly.${weekday}`, windows] as const),
    ...exceptions.map(({ date, windows }) => [`exceptions.${date}`, windows] as const),
  ];
  return Object.assign({}, ...named.map(([name, windows]) => windowErrors(name, windows)));
}

/** What is wrong with the windows of a day, in words, by `name.0`, `name.1` and so on. */
export function windowErrors(name: string, windows: readonly OpeningWindow[]): FieldErrors {
  return Object.fromEntries(
    validateWindows(windows).flatMap((fault, index) =>
      fault === null ? [] : [[`${name}.${index}`, WINDOW_ERROR_TEXTS[fault]]],
    ),
  );
}

function toFieldErrors(
  issues: readonly { readonly path: readonly PropertyKey[] }[] | undefined,
  words: Readonly<Record<string, string>>,
  prefix: string,
): FieldErrors {
  return Object.fromEntries(
    (issues ?? []).flatMap(({ path }) => {
      const field = String(path[0]);
      const text = words[field];
      return text === undefined ? [] : [[prefix + field, text]];
    }),
  );
}

function parseRange({ kind, days, start, end }: RangeDraft): unknown {
  if (kind === 'rolling') return { kind, days: parseNumber(days) };
  return kind === 'fixed' ? { kind, start, end } : { kind };
}

function parseNumber(typed: string): number {
  return typed.trim() === '' ? Number.NaN : Number(typed);
}
