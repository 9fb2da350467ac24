import type { KyselyTransactionLike } from 'pg-boss';
import * as z from 'zod/mini';

/**
 * The kinds of work that any of our servers does later, with the data that a job of the kind stores beside it.
 * Stored jobs may be older or newer than the code: never change a field, only add other forms.
 */
const JOB_DATA = {
  /** Sends a stored mail; `id` is the mail's. `job` identifies the job, if it is not the mail's first. */
  mail: z.object({ kind: z.literal('mail'), id: z.string(), job: z.optional(z.string()) }),
  /** Queues a mail with a link for a new password, if an account has this email. */
  password_recovery: z.object({
    kind: z.literal('password_recovery'),
    email: z.string(),
    occasion: z.string(),
  }),
  /** Queues a mail with the links of a client's appointments, if the email has any with the artist. */
  links: z.object({
    kind: z.literal('links'),
    artistId: z.string(),
    email: z.string(),
    network: z.string(),
    occasion: z.string(),
  }),
  /** Handles a stored event of the payment provider; `id` is the event's. */
  payment: z.object({ kind: z.literal('payment'), id: z.string() }),
  /** Cancels the subscriptions of a deleted account; `id` is the provider's customer id. */
  cancel_subscription: z.object({ kind: z.literal('cancel_subscription'), id: z.string() }),
  /** Purges the pages with these cache tags from the CDNs. */
  purge: z.object({ kind: z.literal('purge'), tags: z.readonly(z.array(z.string())) }),
  /** Adds AVIF files to an uploaded image. */
  encode_avif: z.object({ kind: z.literal('encode_avif'), imageId: z.string() }),
  /** Makes the file of an export. */
  export: z.object({ kind: z.literal('export'), exportId: z.string() }),
} as const;

export type JobKind = keyof typeof JOB_DATA;

export const JOB_KINDS: readonly JobKind[] = z.keyof(z.object(JOB_DATA)).options;

export type JobData = { readonly [Kind in JobKind]: z.output<(typeof JOB_DATA)[Kind]> };

/** The type lets a function that is generic in `Kind` parse data of that kind. */
const SCHEMAS: { readonly [Kind in JobKind]: z.ZodMiniType<JobData[Kind]> } = JOB_DATA;

/** Parses the stored data of a job, which lack the kind: it is the name of the queue. */
export function parseJobData<Kind extends JobKind>(kind: Kind, stored: unknown) {
  const schema: z.ZodMiniType<JobData[Kind]> = SCHEMAS[kind];
  return z.safeParse(schema, Object.assign({}, stored, { kind }));
}

export type Job = JobData[JobKind] & {
  /** Jobs of a higher priority run before others of their kind; 0 unless set. */
  readonly priority?: number;
};

/** The jobs of all servers, which are stored in the database. */
export interface JobQueue {
  /**
   * Inserts jobs in the caller's transaction, so that they exist once the transaction commits. An error comes with its
   * next statement.
   */
  enqueue(transaction: KyselyTransactionLike, jobs: readonly Job[]): Promise<void>;
  /**
   * Deletes the jobs that mail the links of appointments with this artist to these emails (in lower
   * case), and finished jobs that hold one of the emails for another reason.
   */
  deleteJobsWithEmail(
    transaction: KyselyTransactionLike,
    artistId: string,
    emails: readonly string[],
  ): Promise<void>;
}

/** Tasks of a server for backups, if its settings enable them. The names are those of the queues. */
export interface BackupHandlers {
  /** Called once a night, on one of the servers that have it; called again later if it throws. */
  readonly backup?: ScheduledHandler;
  /** Called every minute, on one of the servers that have it at a time. */
  readonly erasure_log?: ScheduledHandler;
}

/** @param signal aborted when the server stops */
type ScheduledHandler = (signal: AbortSignal) => Promise<void>;

/** What a server does with jobs. `data` is as stored, by any version of the code. */
export interface JobHandlers extends BackupHandlers {
  /**
   * Runs a job; called again later if it throws. A job may run twice, so that must be harmless.
   * @param signal aborted when the server stops, or when another server may have taken over the job
   */
  readonly run: (kind: JobKind, data: unknown, signal: AbortSignal) => Promise<void>;
  /** Called for a job whose attempts have all failed; called again later if it throws. */
  readonly giveUp: (kind: JobKind, data: unknown) => Promise<void>;
  /** Called every minute, on one server at a time. */
  readonly minute: ScheduledHandler;
  /** Called once a day, on one server at a time. */
  readonly day: ScheduledHandler;
}

/** A queue whose jobs this process can run too. */
export interface JobRunner extends JobQueue {
  /** @param isBusy while it returns true, jobs wait: mails for at most five seconds, others for one */
  start(handlers: JobHandlers, isBusy: () => boolean): Promise<void>;
  /**
   * Takes no more jobs, waits for the running ones, and closes the connections. Jobs that take too
   * long are interrupted or abandoned; they run again, on any server.
   */
  stop(): Promise<void>;
}
