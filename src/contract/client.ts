import * as z from 'zod/mini';
import { PREFERRED_CONTACTS } from '#domain/appointment.ts';
import { Phone } from './appointment_form.ts';
import {
  Email,
  Id,
  line,
  optionalChoice,
  optionalLine,
  PageQuery,
  Search,
  ShownInstant,
} from './common.ts';

/** Who a client is, beside an appointment too. */
export const clientDetails = {
  id: Id,
  first_name: z.nullable(z.string()),
  last_name: z.nullable(z.string()),
  pronouns: z.nullable(z.string()),
  email: z.nullable(z.string()),
  phone_number: z.nullable(z.string()),
  preferred_contact: z.nullable(z.enum(PREFERRED_CONTACTS)),
};

/** Someone who has asked for an appointment or has one, merged by email. */
export const Client = z
  .object({
    ...clientDetails,
    notes: z.string().check(z.meta({ description: 'Seen by the artist alone' })),
    email_failed_at: z
      .nullable(ShownInstant)
      .check(z.meta({ description: 'Since when mail to them does not arrive' })),
    appointment_count: z.int(),
    last_appointment: z
      .nullable(ShownInstant)
      .check(z.meta({ description: 'Start of the last confirmed one that has begun' })),
    next_appointment: z
      .nullable(ShownInstant)
      .check(z.meta({ description: 'Start of the next confirmed one' })),
    created_at: ShownInstant,
  })
  .check(z.meta({ id: 'Client' }));
export type Client = z.output<typeof Client>;

export const ClientQuery = z.object({
  ...PageQuery.shape,
  search: Search.check(z.meta({ description: 'Part of a name, email or phone number' })),
});
export type ClientQuery = z.output<typeof ClientQuery>;

/** Fields left out keep their value. What clients wrote with their appointments stays as it is. */
export const ClientChanges = z.strictObject({
  first_name: z.optional(optionalLine(100)),
  last_name: z.optional(optionalLine(100)),
  pronouns: z.optional(optionalLine(50)),
  email: z.optional(z.nullable(Email)),
  phone_number: z.optional(Phone),
  preferred_contact: z.optional(optionalChoice(PREFERRED_CONTACTS)),
  notes: z.optional(line(10_000)),
});
export type ClientChanges = z.output<typeof ClientChanges>;
