import * as z from 'zod/mini';
import { Email, Id, namedObject, TimestampOutput } from './common.ts';

/** A warning of unusually many requests whose senders did not prove their email. */
export const BookingAlarm = namedObject('BookingAlarm', {
  id: Id,
  since: TimestampOutput,
  raised_at: TimestampOutput,
  bookings: z
    .int()
    .check(z.describe('Open requests and appointments of the batch whose email is not proven')),
  confirmed: z.int().check(z.describe('How many of them are confirmed')),
  networks: z.int().check(z.describe('From how many networks they came')),
});
export type BookingAlarm = z.output<typeof BookingAlarm>;

export const CurrentAlarm = namedObject('CurrentAlarm', { alarm: z.nullable(BookingAlarm) });
export type CurrentAlarm = z.output<typeof CurrentAlarm>;

/** How many appointments and requests of a warning were cancelled. */
export const CancelledBatch = namedObject('CancelledBatch', { cancelled: z.int() });
export type CancelledBatch = z.output<typeof CancelledBatch>;

/** A sender whose requests and messages the artist does not accept. */
export const BlockedSender = namedObject('BlockedSender', {
  id: Id,
  kind: z.enum(['email', 'network']),
  value: z
    .string()
    .check(
      z.describe('A hint such as r•••@example.com, or 203.•••: only a hash of the sender is kept'),
    ),
  created_at: TimestampOutput,
});
export type BlockedSender = z.output<typeof BlockedSender>;

export const NewBlockedSender = z.union([
  z.strictObject({ email: Email }),
  z.strictObject({ network_of_appointment: Id }),
]);
export type NewBlockedSender = z.output<typeof NewBlockedSender>;
