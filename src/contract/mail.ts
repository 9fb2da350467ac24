import * as z from 'zod/mini';
import { MAIL_KINDS, MAIL_STATUSES } from '#domain/mail.ts';
import { Email, Id, PageQuery, TimestampOutput } from './common.ts';

/** A mail that was sent for the artist, or is to be, as they see it. */
export const OutgoingMail = z
  .object({
    id: Id,
    appointment_id: z.nullable(Id),
    kind: z.enum(MAIL_KINDS),
    hours_ahead: z
      .nullable(z.int())
      .check(z.meta({ description: 'Of a reminder: how long before the start' })),
    recipient: z.enum(['client', 'artist']),
    address: z.string(),
    status: z.enum(MAIL_STATUSES).check(
      z.meta({
        description:
          '`queued` is being sent or tried again, `failed` was given up, `dropped` was no longer true when its turn came',
      }),
    ),
    failure: z
      .nullable(z.string())
      .check(z.meta({ description: 'Why it failed, or why it has not been sent yet' })),
    can_send_again: z
      .boolean()
      .check(z.meta({ description: 'Whether what it says is still so, and it is not on its way' })),
    created_at: TimestampOutput,
    settled_at: z
      .nullable(TimestampOutput)
      .check(z.meta({ description: 'When it was sent, given up or dropped' })),
  })
  .check(z.meta({ id: 'SentMail' }));
export type OutgoingMail = z.output<typeof OutgoingMail>;

/** Which of the artist's mails, the newest first. */
export const MailQuery = z.object({
  ...PageQuery.shape,
  appointment_id: z.optional(Id),
  status: z.optional(z.enum(MAIL_STATUSES)),
});
export type MailQuery = z.output<typeof MailQuery>;

/** Sends a mail once more, as things are now. */
export const ResendMail = z
  .strictObject({
    email: z
      .optional(Email)
      .check(z.meta({ description: "A client's right address, kept for what is sent later, too" })),
  })
  .check(z.meta({ id: 'SendAgain' }));
export type ResendMail = z.output<typeof ResendMail>;
