import * as z from 'zod/mini';
import { MAIL_KINDS, MAIL_STATUSES } from '#domain/mail.ts';
import { Email, Id, namedObject, PageQuery, TimestampOutput } from './common.ts';

/** A mail to the artist or one of their clients, as the artist sees it. */
export const OutgoingMail = namedObject('SentMail', {
  id: Id,
  appointment_id: z.nullable(Id),
  kind: z.enum(MAIL_KINDS),
  hours_ahead: z.nullable(z.int()).check(z.describe('For a reminder: how long before the start')),
  recipient: z.enum(['client', 'artist']),
  address: z.string(),
  status: z
    .enum(MAIL_STATUSES)
    .check(
      z.describe(
        '`queued` is being sent or retried, `failed` is no longer retried, `dropped` was no longer true when its turn came',
      ),
    ),
  failure: z
    .nullable(z.string())
    .check(z.describe('Why it failed, or why it has not been sent yet')),
  can_send_again: z
    .boolean()
    .check(z.describe('Whether its content is still true, and it is not being sent')),
  created_at: TimestampOutput,
  settled_at: z
    .nullable(TimestampOutput)
    .check(z.describe('When it was sent, failed for good or was dropped')),
});
export type OutgoingMail = z.output<typeof OutgoingMail>;

/** Lists the artist's mails, the newest first. */
export const MailQuery = z.object({
  ...PageQuery.shape,
  appointment_id: z.optional(Id),
  status: z.optional(z.enum(MAIL_STATUSES)),
});
export type MailQuery = z.output<typeof MailQuery>;

/** Sends a mail again, with current data. */
export const ResendMail = z
  .strictObject({
    email: z
      .optional(Email)
      .check(z.describe("The client's correct address, used for later mails too")),
  })
  .check(z.meta({ id: 'SendAgain' }));
export type ResendMail = z.output<typeof ResendMail>;
