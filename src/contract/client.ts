import * as z from 'zod/mini';
import { PREFERRED_CONTACTS } from '#domain/appointments/appointment_choices.ts';
import { MAX_CLIENT_NOTES_LENGTH } from '#domain/requests/list_limits.ts';
import { Phone } from './appointment_form.ts';
import {
  Email,
  Id,
  MAX_PRONOUNS_LENGTH,
  namedObject,
  optionalChoice,
  PageQuery,
  SearchText,
  TimestampOutput,
  trimmedText,
} from './common.ts';
import { DataRequest } from './data_request.ts';
import { optionalName } from './names.ts';

/** The client's fields in both a client record and an appointment. */
export const clientDetails = {
  id: Id,
  first_name: z.nullable(z.string()),
  last_name: z.nullable(z.string()),
  pronouns: z.nullable(z.string()),
  email: z.nullable(z.string()),
  phone_number: z.nullable(z.string()),
  preferred_contact: z.nullable(z.enum(PREFERRED_CONTACTS)),
};

/** The names and pronouns of a client, as they are entered. */
export const clientNames = {
  first_name: optionalName(),
  last_name: optionalName(),
  pronouns: optionalName(MAX_PRONOUNS_LENGTH),
};

/** A person who has booked or requested appointments; the same email means the same client. */
export const ClientRecord = namedObject('Client', {
  ...clientDetails,
  notes: z.string().check(z.describe('Only the artist sees them')),
  version: z.int().check(z.describe('Counts the changes of the notes')),
  email_failed_at: z
    .nullable(TimestampOutput)
    .check(z.describe('Since when mail to the client fails')),
  erased_at: z
    .nullable(TimestampOutput)
    .check(z.describe('When the personal data were erased; the appointments stay without them')),
  appointment_count: z
    .int()
    .check(z.describe('How many were booked: confirmed, completed and missed ones')),
  last_appointment: z
    .nullable(TimestampOutput)
    .check(z.describe('Start of the last confirmed one that has begun')),
  next_appointment: z
    .nullable(TimestampOutput)
    .check(z.describe('Start of the next confirmed one')),
  other_emails: z
    .array(z.string())
    .check(
      z.describe('Of clients who were merged into this one; who books with one is this client'),
    ),
  last_merge: z
    .nullable(
      z.object({
        id: Id,
        client: z.object({
          first_name: z.nullable(z.string()),
          last_name: z.nullable(z.string()),
          email: z.nullable(z.string()),
        }),
        undo_until: TimestampOutput,
      }),
    )
    .check(z.describe('The last client merged into this one, while it can be undone')),
  data_requests: z
    .array(DataRequest)
    .check(z.describe('What the client has asked for about their data, the oldest first')),
  created_at: TimestampOutput,
});
export type ClientRecord = z.output<typeof ClientRecord>;

export const ClientQuery = z.object({
  ...PageQuery.shape,
  search: SearchText.check(
    z.describe('Part of a name or email, or of a phone number in any spelling'),
  ),
});
export type ClientQuery = z.output<typeof ClientQuery>;

/** Fields left out keep their value. The texts in the client's appointments do not change. */
export const ClientChanges = z.strictObject({
  ...z.partial(z.object(clientNames)).shape,
  email: z.optional(z.nullable(Email)),
  phone_number: z.optional(Phone),
  preferred_contact: z.optional(optionalChoice(PREFERRED_CONTACTS)),
  notes: z.optional(trimmedText(MAX_CLIENT_NOTES_LENGTH)),
  version: z
    .optional(z.int())
    .check(z.describe('That of the notes that the artist has seen; newer ones are a 409')),
});
export type ClientChanges = z.output<typeof ClientChanges>;

/** The client who is merged into the one of the path, and hidden. */
export const ClientMergeInput = z.strictObject({ client_id: Id });
export type ClientMergeInput = z.output<typeof ClientMergeInput>;

export const ClientMergeResult = namedObject('ClientMerge', {
  id: Id,
  client: ClientRecord,
  undo_until: TimestampOutput,
});
export type ClientMergeResult = z.output<typeof ClientMergeResult>;
