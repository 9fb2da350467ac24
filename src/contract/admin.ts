/** The data and actions of superusers on the operator's page. */
import * as z from 'zod/mini';
import { ADMIN_ACTION_KINDS } from '#domain/accounts/admin_action.ts';
import { MAIL_KINDS } from '#domain/mail/mail.ts';
import { Id, namedObject, PageQuery, SearchText, TimestampOutput } from './common.ts';

/** An account, as far as an operator needs it to help its owner. */
export const AdminArtist = namedObject('AdminArtist', {
  id: Id,
  username: z.string(),
  full_name: z.string(),
  email: z.string(),
  email_proven: z.boolean(),
  is_active: z.boolean(),
  is_superuser: z.boolean(),
  inactive_since: z
    .nullable(TimestampOutput)
    .check(z.describe('null while it is active, and if it was deactivated over a year ago')),
  last_login_at: z
    .nullable(TimestampOutput)
    .check(z.describe('null if there was none within a year')),
  created_at: TimestampOutput,
});
export type AdminArtist = z.output<typeof AdminArtist>;

/** A link with which its artist chooses a new password, to be handed over by hand. */
export const RecoveryLink = namedObject('RecoveryLink', {
  url: z.string().check(z.describe('It is shown only in this answer, and works once')),
  expires_at: TimestampOutput,
});
export type RecoveryLink = z.output<typeof RecoveryLink>;

/** A mail of any artist that was not delivered. */
export const FailedMail = namedObject('FailedMail', {
  id: Id,
  kind: z.enum(MAIL_KINDS),
  recipient: z.enum(['client', 'artist']),
  address: z.string().check(z.describe("A client's is shortened to its first letter and domain")),
  status: z
    .enum(['failed', 'queued'])
    .check(z.describe('`failed` is no longer retried, `queued` is tried again by itself')),
  failure: z.string().check(z.describe('Why it was not delivered')),
  artist: z.object({ id: Id, username: z.string() }),
  can_send_again: z
    .boolean()
    .check(z.describe('Whether it failed, is still true, and no newer mail says the same')),
  created_at: TimestampOutput,
  settled_at: z.nullable(TimestampOutput).check(z.describe('When it failed for good')),
});
export type FailedMail = z.output<typeof FailedMail>;

/** A queue of jobs, which any server works on. */
export const JobQueueState = namedObject('JobQueueState', {
  queue: z.string(),
  waiting: z.int(),
  retrying: z.int().check(z.describe('Jobs that failed, and wait for their next attempt')),
  running: z.int(),
  failed: z.int().check(z.describe('Jobs whose attempts have all failed within the last hour')),
  oldest_at: z
    .nullable(TimestampOutput)
    .check(z.describe('Since when the oldest job waits that could run now; null for none')),
  last_error: z.nullable(
    z.object({
      happened_at: TimestampOutput,
      name: z.string(),
      code: z.nullable(z.string()),
      message: z.string(),
    }),
  ),
});
export type JobQueueState = z.output<typeof JobQueueState>;

/** An error that no client should be able to cause. It holds no personal data. */
export const ServerError = namedObject('ServerError', {
  id: z.string(),
  happened_at: TimestampOutput,
  request_id: z.nullable(z.string()).check(z.describe('null for an error of a job')),
  route: z
    .string()
    .check(
      z.describe('The method and the pattern of the route; of a job the word `job` and its queue'),
    ),
  status: z.nullable(z.int()).check(z.describe('Of the answer; null for an error of a job')),
  name: z.string().check(z.describe('The class of the error')),
  code: z.nullable(z.string()).check(z.describe('SQLSTATE of PostgreSQL, or code of Node')),
  message: z.string().check(z.describe('Without values')),
  stack: z.string(),
});
export type ServerError = z.output<typeof ServerError>;

export const ServerErrorQuery = z.extend(PageQuery, { search: SearchText });
export type ServerErrorQuery = z.output<typeof ServerErrorQuery>;

/** The server that answers, and the parts that it shares with others. */
export const ServerState = namedObject('ServerState', {
  versions: z.object({
    program: z.string(),
    node: z.string(),
    postgres: z.string(),
    migration: z.string().check(z.describe('The newest migration of the database')),
  }),
  sends_mail: z
    .boolean()
    .check(z.describe('false if mails are only saved as files, because `SMTP_URL` is not set')),
  disk: z
    .object({ free_bytes: z.int(), total_bytes: z.int() })
    .check(z.describe('Of the folder `DATA_DIR`')),
  backup: z
    .nullable(
      z.object({
        file: z.string(),
        bytes: z.int(),
        seconds: z.int(),
        finished_at: TimestampOutput,
        is_old: z.boolean().check(z.describe('Whether it is older than 26 hours')),
      }),
    )
    .check(z.describe('The last backup; null if none was made')),
  troubles: z
    .object({
      failed_mails: z.int().check(z.describe('Mails that are no longer retried')),
      new_failed_mails: z.int().check(z.describe('Of these, those of the last 24 hours')),
      retried_mails: z.int().check(z.describe('Queued mails whose last attempt failed')),
      failed_jobs: z.int().check(z.describe('As `failed` of the queues of jobs')),
      errors: z.int().check(z.describe('Of the last 14 days')),
      new_errors: z.int().check(z.describe('Of the last 24 hours')),
    })
    .check(z.describe("How much needs the operator's attention")),
});
export type ServerState = z.output<typeof ServerState>;

/** One line of the doctor's list (`npm run doctor`). */
export const DoctorFinding = namedObject('DoctorFinding', {
  part: z.string(),
  status: z.enum(['ok', 'warning', 'error']),
  message: z.string(),
  advice: z.nullable(z.string()).check(z.describe('What to do; null for `ok`')),
});
export type DoctorFinding = z.output<typeof DoctorFinding>;

/** Something that a superuser did. */
export const AdminAction = namedObject('AdminAction', {
  id: z.string(),
  happened_at: TimestampOutput,
  superuser: z.nullable(z.string()).check(z.describe('Username; null if the account was deleted')),
  kind: z.enum(ADMIN_ACTION_KINDS),
  artist: z
    .nullable(z.string())
    .check(z.describe('Username of the artist it is about; null if the account was deleted')),
  detail: z
    .nullable(z.string())
    .check(z.describe('Of a mail its kind, of a changed account the names of the changed fields')),
});
export type AdminAction = z.output<typeof AdminAction>;
