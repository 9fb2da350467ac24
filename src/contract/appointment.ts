import * as z from 'zod/mini';
import { APPOINTMENT_STATUSES, ARTIST_STATUSES, LOCATIONS, SIZES } from '#domain/appointment.ts';
import { AppointmentForm, Phone } from './appointment_form.ts';
import { Studio } from './artist.ts';
import { clientDetails } from './client.ts';
import {
  AnyInstant,
  Email,
  Id,
  Instant,
  LAST_MINUTE,
  line,
  optionalLine,
  PageQuery,
  Search,
  ShownInstant,
} from './common.ts';
import { Design } from './design.ts';
import { Service } from './service.ts';

const End = Instant.check(z.meta({ description: LAST_MINUTE }));
const ShownEnd = z.nullable(ShownInstant).check(z.meta({ description: LAST_MINUTE }));

const Note = z
  .nullable(z.string())
  .check(
    z.meta({ description: 'What the artist wrote to the client with declining or cancelling' }),
  );

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
    note: Note,
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
    blocked_until: z
      .nullable(ShownInstant)
      .check(
        z.meta({ description: 'The last minute kept free for it, the buffer after it included' }),
      ),
    status: z.enum(APPOINTMENT_STATUSES),
    confirmed: z.boolean(),
    version: z.int().check(z.meta({ description: 'Grows with every change; see PATCH' })),
    client: z.object(clientDetails),
    service: z.nullable(Service),
    design: z.nullable(Design),
    location: z.nullable(z.enum(LOCATIONS)),
    size: z.nullable(z.enum(SIZES)),
    customer_notes: z.nullable(z.string()),
    note: Note,
    created_at: ShownInstant,
  })
  .check(z.meta({ id: 'Appointment' }));
export type Appointment = z.output<typeof Appointment>;

/** Which of the artist's appointments, and in which order. */
export const AppointmentQuery = z.object({
  ...PageQuery.shape,
  status: z.optional(z.enum(APPOINTMENT_STATUSES)),
  search: Search.check(z.meta({ description: "Part of the client's name or email" })),
  when: z
    .optional(z.enum(['upcoming', 'past']))
    .check(z.meta({ description: 'Only those whose time has not ended yet, or has' })),
  order: z._default(z.enum(['newest', 'soonest', 'latest']), 'newest').check(
    z.meta({
      description:
        '`newest` asked for first; `soonest` start first, `latest` start first, those without a time last',
    }),
  ),
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
    note: z
      .optional(line(2000))
      .check(z.meta({ description: 'To the client, with `declined` or `cancelled`' })),
    version: z.optional(z.int()),
  })
  .check(
    z.refine(isInOrder, TIMES_GO_TOGETHER),
    z.refine(({ start, status }) => (start === undefined) !== (status === undefined), {
      path: ['status'],
      error: 'Either start and end, or status, is required',
    }),
    z.refine(({ note, status }) => !note || status === 'declined' || status === 'cancelled', {
      path: ['note'],
      error: 'A note goes with declining or cancelling',
    }),
    z.meta({ id: 'AppointmentChanges' }),
  );
export type AppointmentChanges = z.output<typeof AppointmentChanges>;
