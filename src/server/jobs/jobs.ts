import type { KyselyTransactionLike } from 'pg-boss';

/** Work that is done after the response, by any server. */
type Job =
  /** Sends a mail; `id` is the mail's. */
  | { readonly kind: 'mail'; readonly id: string }
  /** Handles an event of the card provider; `id` is the stored event's. */
  | { readonly kind: 'payment'; readonly id: string }
  /** Cancels the subscription of a deleted account; `id` is the customer's at the card provider. */
  | { readonly kind: 'cancel_subscription'; readonly id: string }
  /** Purges CDNs; `id` holds the tags, separated by commas. */
  | { readonly kind: 'purge'; readonly id: string };

export type JobKind = Job['kind'];

/** Where jobs wait for a server. */
export interface JobQueue {
  /** Adds jobs in a transaction: they exist once it commits. */
  enqueue(transaction: KyselyTransactionLike, jobs: readonly Job[]): Promise<void>;
}

/** The work of each kind of job. A handler that throws is called again later. */
export interface JobHandlers {
  readonly run: Readonly<Record<JobKind, (id: string) => Promise<void>>>;
  /** Called with a job whose attempts ran out. */
  readonly deadLetter: Readonly<Record<JobKind, (id: string) => Promise<void>>>;
  /** Called every minute, on one server at a time. */
  readonly everyMinute: () => Promise<void>;
  /** Called once a day, on one server at a time. */
  readonly everyDay: () => Promise<void>;
}

/** A queue whose jobs this process runs too. */
export interface JobRunner extends JobQueue {
  /** Starts to run jobs. */
  start(handlers: JobHandlers): Promise<void>;
  /** Takes no more jobs, waits for those that are running, and closes its connections. */
  stop(): Promise<void>;
}
