// The form fields of an appointment: its subject, its time, and its client. Their lengths are the API's limits.
import * as z from 'zod/mini';
import { serverNow } from '#client/server_clock.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { trimmedText } from '#contract/common.ts';
import type { TimeRange } from '#domain/booking/availability.ts';
import { phoneError } from '#domain/clients/phone.ts';
import { emailError } from '#domain/mail/email.ts';
import {
  isDate,
  nextOpenHour,
  resolveStudioTime,
  type StudioTime,
  toStudioTime,
} from '#domain/studio/studio_time.ts';
import type { LocalDate } from '#domain/time/calendar_date.ts';
import { MINUTE_MS } from '#domain/time/time.ts';
import { resolveWallTime } from '#domain/time/wall_clock.ts';
import { coversDate, type StudioZone } from '#domain/time/zone_offsets.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { priceFormSchema, toPriceForm } from '../money/price_form.ts';

/** Options of react-hook-form's `setValue` that treat the value like typed input. */
export const LIKE_TYPED = { shouldDirty: true, shouldValidate: true };

/** The fields of an appointment's subject and of its notes, with a price in this currency. An empty id means none. */
export function detailFields(currency: string) {
  return {
    service_id: z.string(),
    design_id: z.string(),
    price: priceFormSchema(currency, visitorLocale()),
    note: trimmedText(2000),
    private_notes: trimmedText(5000),
    private_version: z.int(),
  };
}

export function toDetailsForm({ service, design, price }: Appointment) {
  return {
    service_id: service?.id ?? '',
    design_id: design?.id ?? '',
    price: toPriceForm(price, visitorLocale()),
  };
}

/** The length of a new appointment until the artist chooses another. */
export const DEFAULT_MINUTES = 120;
/** The shortest and the longest appointment that the API takes. */
export const MINUTES_RANGE = { min: 5, max: 24 * 60 };

/** The fields as typed: `YYYY-MM-DD`, `HH:MM`, and a whole number of minutes. */
const TIME_FIELDS = {
  date: z.string().check(z.refine(isDate, 'Pick a day')),
  time: z.string().check(z.regex(/^\d\d:\d\d$/, 'Pick a time')),
  minutes: z
    .string()
    .check(z.refine(isDuration, 'Must be a whole number of minutes, from 5 to 1440')),
};
const TimeFieldsSchema = z.object(TIME_FIELDS);
export type TypedTime = z.output<typeof TimeFieldsSchema>;

/** The fields of a time, with its checks, and of a note to the client. */
export function timeSchema(zone: StudioZone, { mustLieAhead }: { mustLieAhead: boolean }) {
  const fields = z.object({ ...TIME_FIELDS, note: trimmedText(2000) });
  const schema = fields.check(refuseSkippedTime(zone));
  return mustLieAhead ? schema.check(refusePastTime(zone)) : schema;
}
export type TimeForm = z.output<ReturnType<typeof timeSchema>>;

/** Refuses a time that the clocks skip. On a date that the studio's offsets do not cover, only the server knows it. */
function refuseSkippedTime(zone: StudioZone) {
  return z.refine<TypedTime>(
    (typed) =>
      !isComplete(typed) || !coversDate(zone, typed.date) || resolveTypedTime(zone, typed) !== null,
    { path: ['time'], error: 'Clocks skip this time on that day. Please pick another.' },
  );
}

function refusePastTime(zone: StudioZone) {
  return z.refine<TypedTime>(
    (typed) => {
      const range = resolveTypedTime(zone, typed);
      return range === null || range.start > serverNow();
    },
    { path: ['time'], error: 'Must lie in the future' },
  );
}

/**
 * The instants of a typed time, `end` excluded. null while a field is missing or wrong, for a clock
 * time that a change to summer time skips, and on a date that the studio's offsets do not cover.
 */
export function resolveTypedTime(zone: StudioZone, typed: TypedTime): TimeRange | null {
  if (!isComplete(typed) || !coversDate(zone, typed.date)) return null;
  return resolveStudioTime(zone, readTypedTime(typed));
}

/** Parses a typed time whose fields are valid. */
export function readTypedTime({ date, time, minutes }: TypedTime): StudioTime {
  return { date, time, minutes: Number(minutes) };
}

/** The initial values of the fields for a time; its `end` is excluded. */
export function toTypedTime(zone: StudioZone, range: TimeRange): TypedTime {
  const { date, time, minutes } = toStudioTime(zone, range);
  return { date, time, minutes: String(minutes) };
}

/**
 * The initial values for an appointment without a time: the next hour that the studio is open,
 * or 10:00 if it is always closed.
 * @param from not before this date
 */
export function defaultTime(
  { schedule, studio }: CurrentArtist,
  minutes: number,
  from?: LocalDate,
): TypedTime {
  // `nextOpenHour` looks for a start after an instant. From a minute before midnight, it may be midnight.
  const after = from ? resolveWallTime(studio, from, 0).instant - MINUTE_MS : serverNow();
  const start = nextOpenHour(schedule, studio, after);
  return toTypedTime(studio, { start, end: start + minutes * MINUTE_MS });
}

function isDuration(typed: string): boolean {
  const { min, max } = MINUTES_RANGE;
  return /^\d{1,4}$/.test(typed) && Number(typed) >= min && Number(typed) <= max;
}

function isComplete(typed: TypedTime): boolean {
  return TimeFieldsSchema.safeParse(typed).success;
}

/** The form of a new appointment, in the studio's `zone`. The fields in `client` count for a new client only. */
export function newAppointmentSchema(zone: StudioZone, currency: string) {
  return z
    .object({
      ...TIME_FIELDS,
      who: z.enum(['new', 'known']),
      client_id: z.string(),
      client_name: z.string(),
      client: z.object({
        first_name: trimmedText(100),
        last_name: trimmedText(100),
        email: trimmedText(254),
        phone_number: trimmedText(40),
        pronouns: trimmedText(50),
      }),
      ...detailFields(currency),
      customer_notes: trimmedText(5000),
    })
    .check(
      refuseSkippedTime(zone),
      z.refine(({ who, client_id }) => who === 'new' || client_id !== '', {
        path: ['client_id'],
        error: 'Pick a client, or enter a new one',
      }),
      z.refine(
        ({ who, client }) =>
          who === 'known' || `${client.first_name}${client.last_name}${client.email}` !== '',
        { path: ['client', 'first_name'], error: 'A name or an email is required' },
      ),
      ({ value: { who, client }, issues }) => {
        if (who === 'known') return;
        const errors = {
          email: client.email === '' ? null : emailError(client.email),
          phone_number: client.phone_number === '' ? null : phoneError(client.phone_number),
        };
        for (const [field, message] of Object.entries(errors))
          if (message !== null)
            issues.push({ code: 'custom', path: ['client', field], input: client, message });
      },
    );
}
export type NewAppointmentForm = z.output<ReturnType<typeof newAppointmentSchema>>;

/** The initial values of the form of a new appointment, without its time. */
export const BLANK_APPOINTMENT = {
  who: 'new',
  client_id: '',
  client_name: '',
  client: { first_name: '', last_name: '', email: '', phone_number: '', pronouns: '' },
  service_id: '',
  design_id: '',
  price: { kind: '', amount: '', amount_to: '' },
  note: '',
  private_notes: '',
  private_version: 0,
  customer_notes: '',
} as const;
