// The draft of the hours form: its conversion from and to the artist's settings, and its errors.
import type { CurrentArtist } from '#contract/artist.ts';
import { BookingRange, Schedule } from '#contract/schedule.ts';
import {
  type ExceptionDay,
  type ExceptionRun,
  mergeDays,
  type NeighborDays,
  setExceptions,
  toStoredHours,
  toTypedHours,
  validateWindows,
  type WindowError,
} from '#domain/booking/opening_hours.ts';
import {
  type OpeningHours,
  type OpeningWindow,
  openingWindowsOn,
  type WeekdayHours,
} from '#domain/booking/schedule.ts';
import { MAX_SCHEDULE_EXCEPTIONS } from '#domain/requests/list_limits.ts';
import { addDays, addMonths } from '#domain/time/calendar_date.ts';

/**
 * The settings as the form's fields hold them; times and numbers may be blank or invalid. A window whose end is
 * before its start ends on the next day.
 */
export interface HoursDraft extends Readonly<Record<Rule, string>> {
  /** All seven days, Monday first. */
  readonly weekly: readonly WeekdayHours[];
  /** Dates with their own hours, sorted by date; a date without windows is a day off. */
  readonly exceptions: readonly ExceptionDay[];
  readonly range: RangeDraft;
}

/** A setting that is a number of minutes or hours. The draft of a notice to clients may hold `NEVER`. */
type Rule = Exclude<keyof Schedule, 'weekly' | 'exceptions'>;

function mapRules<T>(valueFor: (rule: Rule) => T): Record<Rule, T> {
  return {
    slot_interval_minutes: valueFor('slot_interval_minutes'),
    buffer_minutes: valueFor('buffer_minutes'),
    minimum_notice_minutes: valueFor('minimum_notice_minutes'),
    client_cancel_notice_hours: valueFor('client_cancel_notice_hours'),
    client_move_notice_hours: valueFor('client_move_notice_hours'),
  };
}

export const RULES = Object.values(mapRules((rule) => rule));

/** In place of a notice: clients may not cancel or move by themselves. The API has null for it. */
export const NEVER = 'never';

/** How far ahead clients may book. The fields of the other kinds keep their values, for a change of mind. */
export interface RangeDraft {
  readonly kind: BookingRange['kind'];
  /** Of the kind `rolling`: the number of days from today. */
  readonly days: string;
  /** Of the kind `fixed`: the first and the last date for bookings, both included. */
  readonly start: string;
  readonly end: string;
}

/** Valid settings, as the API takes them. */
export interface HoursSettings {
  readonly schedule: Schedule;
  readonly bookingRange: BookingRange;
}

/** Error texts by field: `range.days`, or `weekly.2.0` for the first window of Tuesday (2). */
export type FieldErrors = Readonly<Record<string, string>>;

const WINDOW_ERROR_TEXTS: Record<WindowError, string> = {
  blank: 'Enter both times',
  ends_first: 'Must end after it starts',
  overlaps: 'Overlaps the hours above',
  overlaps_night_before: 'Overlaps the night before',
  overlaps_next_day: 'Overlaps the hours of the next day',
};

const FIELD_ERROR_TEXTS: FieldErrors = {
  slot_interval_minutes: 'Between 5 and 1440 minutes',
  buffer_minutes: 'Between 0 and 1440 minutes',
  minimum_notice_minutes: 'Between 0 and 525600 minutes',
  client_cancel_notice_hours: 'Between 0 and 8760 hours',
  client_move_notice_hours: 'Between 0 and 8760 hours',
  'range.days': 'Between 0 and 731 days',
  'range.start': 'Enter the first day',
  'range.end': 'Enter the last day, not before the first',
};

/** The number of days that is suggested when an artist changes to the kind `rolling`. */
const DEFAULT_ROLLING_DAYS = '60';

/** Converts the artist's settings to a draft, with exceptions from the day before `today` on. */
export function toHoursDraft(
  { schedule, booking_range }: CurrentArtist,
  today: string,
): HoursDraft {
  const days = booking_range.kind === 'rolling' ? String(booking_range.days) : DEFAULT_ROLLING_DAYS;
  return {
    ...toTypedHours(schedule, today),
    ...mapRules((rule) => String(schedule[rule] ?? NEVER)),
    // A fixed `booking_range` replaces the suggested `start` and `end`.
    range: { start: today, end: addMonths(today, 2), ...booking_range, days },
  };
}

/** The draft `saved` with the changes from `base` to `current`, such as those that the artist made during a save. */
export function rebaseDraft(saved: HoursDraft, base: HoursDraft, current: HoursDraft): HoursDraft {
  const newest = <K extends keyof HoursDraft>(field: K): HoursDraft[K] =>
    isDifferent(current[field], base[field]) ? current[field] : saved[field];
  return { ...mergeHours(base, current, saved), ...mapRules(newest), range: newest('range') };
}

/** The hours `theirs` with the changes from `before` to `mine`; all are as typed, with nights on their first day. */
export function mergeHours(before: OpeningHours, mine: OpeningHours, theirs: OpeningHours) {
  const days = mergeDays(before.exceptions, mine.exceptions, theirs.exceptions, ({ date }) => date);
  return {
    weekly: mergeDays(before.weekly, mine.weekly, theirs.weekly, ({ weekday }) => weekday),
    exceptions: days.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
  };
}

/** Compares as JSON: the fields of `a` and `b` must be in the same order. */
export function isDifferent(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}

/** Whether a value from the session storage looks like a draft and the settings from which it was edited. */
export function isHoursEdit(value: unknown): value is Record<'base' | 'draft', HoursDraft> {
  if (typeof value !== 'object' || value === null) return false;
  return 'base' in value && 'draft' in value && [value.base, value.draft].every(isHoursDraft);
}

function isHoursDraft(value: unknown): value is HoursDraft {
  if (typeof value !== 'object' || value === null) return false;
  if (!('weekly' in value && 'exceptions' in value && 'range' in value)) return false;
  return (
    Array.isArray(value.weekly) && value.weekly.length === 7 && Array.isArray(value.exceptions)
  );
}

/** Parses a draft with the API's schemas. Returns its settings; null and the errors by field if it is invalid. */
export function validateDraft(draft: HoursDraft): {
  settings: HoursSettings | null;
  errors: FieldErrors;
} {
  const schedule = Schedule.safeParse({
    // The schema drops `range`.
    ...draft,
    ...toStoredHours(draft),
    ...mapRules((rule) => (draft[rule] === NEVER ? null : parseNumber(draft[rule]))),
  });
  const bookingRange = BookingRange.safeParse(parseRange(draft.range));
  if (schedule.success && bookingRange.success)
    return { settings: { schedule: schedule.data, bookingRange: bookingRange.data }, errors: {} };
  return {
    settings: null,
    errors: Object.assign(
      toFieldErrors('', schedule.error?.issues),
      toFieldErrors('range.', bookingRange.error?.issues),
      // The week goes round: the day before Monday is Sunday.
      ...draft.weekly.map(({ weekday, windows }, index) => {
        const before = draft.weekly.at(index - 1)?.windows ?? [];
        const after = draft.weekly[(index + 1) % 7]?.windows ?? [];
        return windowErrors(`weekly.${weekday}`, windows, { before, after });
      }),
      ...draft.exceptions.map((day) => errorsOfDate(`exceptions.${day.date}`, draft, day)),
    ),
  };
}

export const MAX_DAYS_AT_ONCE = 366;

/** The errors of new exceptions: of `first` and `last`, null for none, and of the hours with the keys `.0`, `.1`. */
export function validateDates(
  draft: HoursDraft,
  { first, last, windows }: ExceptionRun,
  today: string,
) {
  if (first === '') return { first: 'Enter a day', last: null, windows: windowErrors('', windows) };
  const firstError = first < today ? 'This day has passed' : null;
  const isTooLong = last > addDays(first, MAX_DAYS_AT_ONCE);
  if (last < first || isTooLong) {
    const lastError = isTooLong ? 'At most a year at once' : 'Must not be before the first day';
    return { first: firstError, last: lastError, windows: windowErrors('', windows) };
  }
  const hours = { ...draft, exceptions: setExceptions(draft.exceptions, first, last, windows) };
  const isTooMany = toStoredHours(hours).exceptions.length > MAX_SCHEDULE_EXCEPTIONS;
  const errors = [first, last].map((date) => errorsOfDate('', hours, { date, windows }));
  return {
    first: firstError,
    last: isTooMany ? 'At most 1,000 days can differ from the week' : null,
    windows: { ...errors[0], ...errors[1] },
  };
}

/** The errors of windows on a date, whose neighbours are in `hours`, with the keys `<prefix>.0`, `<prefix>.1`. */
export function errorsOfDate(
  prefix: string,
  hours: OpeningHours,
  { date, windows }: ExceptionDay,
): FieldErrors {
  const before = openingWindowsOn(hours, addDays(date, -1));
  const after = openingWindowsOn(hours, addDays(date, 1));
  return windowErrors(prefix, windows, { before, after });
}

/** The errors of a day's windows, with the keys `<prefix>.0`, `<prefix>.1`; without `neighbors`, of these alone. */
function windowErrors(
  prefix: string,
  windows: readonly OpeningWindow[],
  neighbors?: NeighborDays,
): FieldErrors {
  const texts: Record<string, string> = {};
  for (const [index, error] of validateWindows(windows, neighbors).entries())
    if (error !== null) texts[`${prefix}.${index}`] = WINDOW_ERROR_TEXTS[error];
  return texts;
}

/** Our texts for the schema's issues. It skips issues of windows, which `windowErrors` finds. */
function toFieldErrors(
  prefix: string,
  issues: readonly { readonly path: readonly PropertyKey[] }[] = [],
): FieldErrors {
  const texts: Record<string, string> = {};
  for (const { path } of issues) {
    const field = `${prefix}${String(path[0])}`;
    const text = FIELD_ERROR_TEXTS[field];
    if (text !== undefined) texts[field] = text;
  }
  return texts;
}

/** The fields of the chosen kind, for the schema to check. */
function parseRange({ kind, days, start, end }: RangeDraft): unknown {
  if (kind === 'rolling') return { kind, days: parseNumber(days) };
  return kind === 'fixed' ? { kind, start, end } : { kind };
}

function parseNumber(text: string): number {
  // `Number('')` would be 0, but a blank field is an error.
  return text.trim() === '' ? Number.NaN : Number(text);
}
