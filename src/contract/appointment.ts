import * as z from 'zod/mini';
import {
  APPOINTMENT_STATUSES,
  ARTIST_STATUSES,
  LOCATIONS,
  PREFERRED_CONTACTS,
  SIZES,
} from '#domain/appointment.ts';
import { AppointmentForm, Phone } from './appointment_form.ts';
import { Studio } from './artist.ts';
import {
  AnyInstant,
  Email,
  Id,
  Instant,
  LAST_MINUTE,
  optionalLine,
  PageQuery,
  ShownInstant,
} from './common.ts';
import { Design } from './design.ts';
import { Service } from './service.ts';

const End = Instant.check(z.meta({ description: LAST_MINUTE }));
const ShownEnd = z.nullable(ShownInstant).check(z.meta({ description: LAST_MINUTE }));

/** Books one of the listed times of a service. */
export const ServiceRequest = z
  .strictObject({
    ...AppointmentForm.shape,
    service_id: Id,
    design_id: z.nullish(Id),
    start: Instant,
    end: End,
  })
  .check(z.meta({ id: 'ServiceRequest' }));
export type ServiceRequest = z.output<typeof ServiceRequest>;

/** Asks an artist who sets the time themselves. */
export const DesignRequest = z
  .strictObject({ ...AppointmentForm.shape, design_id: z.nullish(Id) })
  .check(z.meta({ id: 'DesignRequest' }));
export type DesignRequest = z.output<typeof DesignRequest>;

/** Whoever holds the id sees this, so it is no more than the confirmation page shows. */
export const Confirmation = z
  .object({
    id: Id,
    start: z.nullable(ShownInstant),
    end: ShownEnd,
    confirmed: z.boolean(),
    status: z.enum(APPOINTMENT_STATUSES),
    client: z.object({ first_name: z.nullable(z.string()) }),
    design: z.nullable(Design),
    service: z.nullable(Service),
    user: z.object({ username: z.string(), full_name: z.string(), studio: Studio }),
  })
  .check(z.meta({ id: 'Confirmation' }));
export type Confirmation = z.output<typeof Confirmation>;

/** The artist's view. */
export const Appointment = z
  .object({
    id: Id,
    start: z.nullable(ShownInstant),
    end: ShownEnd,
    status: z.enum(APPOINTMENT_STATUSES),
    confirmed: z.boolean(),
    version: z.int().check(z.meta({ description: 'Grows with every change; see PATCH' })),
    client: z.object({
      id: Id,
      first_name: z.nullable(z.string()),
      last_name: z.nullable(z.string()),
      pronouns: z.nullable(z.string()),
      email: z.nullable(z.string()),
      phone_number: z.nullable(z.string()),
      preferred_contact: z.nullable(z.enum(PREFERRED_CONTACTS)),
    }),
    service: z.nullable(Service),
    design: z.nullable(Design),
    location: z.nullable(z.enum(LOCATIONS)),
    size: z.nullable(z.enum(SIZES)),
    customer_notes: z.nullable(z.string()),
    created_at: ShownInstant,
  })
  .check(z.meta({ id: 'Appointment' }));
export type Appointment = z.output<typeof Appointment>;

export const AppointmentQuery = z.object({
  ...PageQuery.shape,
  status: z.optional(z.enum(APPOINTMENT_STATUSES)),
});
export type AppointmentQuery = z.output<typeof AppointmentQuery>;

/** Everything that touches the time from `start` to `end`, the last minute inside. */
export const ScheduleQuery = z.object({ start: AnyInstant, end: AnyInstant }).check(
  z.refine(({ start, end }) => Date.parse(start) <= Date.parse(end), {
    path: ['end'],
    error: 'Must not be before the start',
  }),
);
export type ScheduleQuery = z.output<typeof ScheduleQuery>;

const NewClient = z
  .strictObject({
    first_name: optionalLine(100),
    last_name: optionalLine(100),
    email: z.nullish(Email),
    phone_number: Phone,
    pronouns: optionalLine(50),
  })
  .check(
    z.refine(({ first_name, last_name, email }) => Boolean(first_name || last_name || email), {
      path: ['first_name'],
      error: 'A name or an email is required',
    }),
  );

const TIMES_GO_TOGETHER = { path: ['end'], error: 'The end must not be before the start' };

function isInOrder({ start, end }: { start?: string | undefined; end?: string | undefined }) {
  if (start === undefined || end === undefined) return start === end;
  const length = Date.parse(end) - Date.parse(start);
  return length >= 0 && length < LONGEST_MS;
}
const LONGEST_MS = 31 * 24 * 60 * 60_000;

/** An appointment that the artist enters: opening hours and notice do not bind, an overlap does. */
export const NewAppointment = z
  .strictObject({
    client: z.optional(NewClient),
    client_id: z.optional(Id),
    service_id: z.nullish(Id),
    design_id: z.nullish(Id),
    start: Instant,
    end: End,
    customer_notes: optionalLine(5000),
  })
  .check(
    z.refine(isInOrder, TIMES_GO_TOGETHER),
    z.refine(({ client, client_id }) => (client === undefined) !== (client_id === undefined), {
      path: ['client'],
      error: 'Either client or client_id is required',
    }),
    z.meta({ id: 'NewAppointment' }),
  );
export type NewAppointment = z.output<typeof NewAppointment>;

/** Either new times or a new status; `version` guards against overwriting another change. */
export const AppointmentChanges = z
  .strictObject({
    start: z.optional(Instant),
    end: z.optional(End),
    status: z.optional(z.enum(ARTIST_STATUSES)),
    version: z.optional(z.int()),
  })
  .check(
    z.refine(isInOrder, TIMES_GO_TOGETHER),
    z.refine(({ start, status }) => (start === undefined) !== (status === undefined), {
      path: ['status'],
      error: 'Either start and end, or status, is required',
    }),
    z.meta({ id: 'AppointmentChanges' }),
  );
export type AppointmentChanges = z.output<typeof AppointmentChanges>;
