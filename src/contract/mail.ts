import * as z from 'zod/mini';
import { MAIL_BUDGETS, MAIL_KINDS, SHOWN_MAIL_STATUSES } from '#domain/mail/mail.ts';
import {
  Email,
  Id,
  listPageOf,
  namedInput,
  namedObject,
  PageQuery,
  requiredSecret,
  TimestampOutput,
} from './common.ts';

/** A mail to the artist or one of their clients, as the artist sees it. */
export const OutgoingMail = namedObject('SentMail', {
  id: Id,
  appointment_id: z.nullable(Id),
  kind: z.enum(MAIL_KINDS),
  hours_ahead: z.nullable(z.int()).check(z.describe('For a reminder: how long before the start')),
  recipient: z.enum(['client', 'artist']),
  address: z.string(),
  status: z
    .enum(SHOWN_MAIL_STATUSES)
    .check(
      z.describe(
        '`queued` is being sent or retried, `saved` was only written to a file, because the server has no mail server, `failed` is no longer retried, `dropped` was no longer true when its turn came, or its recipient stopped such mail',
      ),
    ),
  failure: z
    .nullable(z.string())
    .check(
      z.describe(
        'Why it failed or has not been sent yet, or why it was dropped although what it says is still so',
      ),
    ),
  waits_until: z
    .nullable(TimestampOutput)
    .check(
      z.describe(
        'Until when it waits, because there were too many mails, a change of the studio can still be undone or the client can still confirm; else null',
      ),
    ),
  waits_for: z
    .nullable(z.enum(MAIL_BUDGETS))
    .check(
      z.describe(
        'Whose limit of mails is reached: that of the `mailbox` or of the `artist`; null while it waits for something else',
      ),
    ),
  can_send_again: z
    .boolean()
    .check(
      z.describe(
        'Whether its content is still true, it is not being sent, and no newer mail says the same',
      ),
    ),
  created_at: TimestampOutput,
  settled_at: z
    .nullable(TimestampOutput)
    .check(z.describe('When it was sent or saved, failed for good or was dropped')),
});
export type OutgoingMail = z.output<typeof OutgoingMail>;

export const MailList = z.extend(listPageOf(OutgoingMail), {
  sends_mail: z
    .boolean()
    .check(z.describe('false while the server has no mail server, and only saves mail as files')),
});
export type MailList = z.output<typeof MailList>;

export const MailQuery = z.object({
  ...PageQuery.shape,
  appointment_id: z.optional(Id),
  status: z.optional(z.enum(SHOWN_MAIL_STATUSES)),
});
export type MailQuery = z.output<typeof MailQuery>;

/** Sends a mail again, with current data. */
export const ResendMail = namedInput('SendAgain', {
  email: z
    .optional(Email)
    .check(z.describe("The client's correct address, used for later mails too")),
});
export type ResendMail = z.output<typeof ResendMail>;

/** From the link in every mail to a client. */
const StopToken = requiredSecret('Token is required');
export const MailStopQuery = z.object({ token: StopToken });

const StoppedMail = z
  .enum(['nothing', 'artist', 'everyone'])
  .check(z.describe('Whose mail to this address is stopped'));

/** Whose mail to an address its owner has stopped. */
export const MailStopState = namedObject('MailStop', {
  artist_name: z.nullable(z.string()).check(z.describe('null when the account was deleted')),
  stopped: StoppedMail,
});
export type MailStopState = z.output<typeof MailStopState>;

export const MailStopChange = z.strictObject({ token: StopToken, stopped: StoppedMail });
export type MailStopChange = z.output<typeof MailStopChange>;
