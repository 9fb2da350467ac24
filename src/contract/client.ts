import * as z from 'zod/mini';
import { PREFERRED_CONTACTS } from '#domain/appointment.ts';
import { Phone } from './appointment_form.ts';
import {
  Email,
  Id,
  optionalChoice,
  optionalText,
  PageQuery,
  SearchText,
  TimestampOutput,
  trimmedText,
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
export const ClientRecord = z
  .object({
    ...clientDetails,
    notes: z.string().check(z.meta({ description: 'Seen by the artist alone' })),
    email_failed_at: z
      .nullable(TimestampOutput)
      .check(z.meta({ description: 'Since when mail to them does not arrive' })),
    appointment_count: z.int(),
    last_appointment: z
      .nullable(TimestampOutput)
      .check(z.meta({ description: 'Start of the last confirmed one that has begun' })),
    next_appointment: z
      .nullable(TimestampOutput)
      .check(z.meta({ description: 'Start of the next confirmed one' })),
    created_at: TimestampOutput,
  })
  .check(z.meta({ id: 'Client' }));
export type ClientRecord = z.output<typeof ClientRecord>;

export const ClientQuery = z.object({
  ...PageQuery.shape,
  search: SearchText.check(z.meta({ description: 'Part of a name, email or phone number' })),
});
export type ClientQuery = z.output<typeof ClientQuery>;

/** Fields left out keep their value. What clients wrote with their appointments stays as it is. */
export const ClientChanges = z.strictObject({
  first_name: z.optional(optionalText(100)),
  last_name: z.optional(optionalText(100)),
  pronouns: z.optional(optionalText(50)),
  email: z.optional(z.nullable(Email)),
  phone_number: z.optional(Phone),
  preferred_contact: z.optional(optionalChoice(PREFERRED_CONTACTS)),
  notes: z.optional(trimmedText(10_000)),
});
export type ClientChanges = z.output<typeof ClientChanges>;
