import type { KyselyTransactionLike } from 'pg-boss';

/** Work that is done after the answer, by whichever server comes to it. */
type Job =
  /** Sends a mail, by its id. */
  | { readonly kind: 'mail'; readonly id: string }
  /** Handles what the card provider told, by the id of a stored event. */
  | { readonly kind: 'payment'; readonly id: string }
  /** Ends what someone who is gone would go on paying, by their id at the card provider. */
  | { readonly kind: 'leaver'; readonly id: string }
  /** Purges caches in front of us, by the tags, with commas between them. */
  | { readonly kind: 'purge'; readonly id: string };

export type JobKind = Job['kind'];

/** Where jobs wait for a server. */
export interface Jobs {
  /** Adds jobs within a transaction: they are there once it commits, and never without it. */
  add(transaction: KyselyTransactionLike, jobs: readonly Job[]): Promise<void>;
}

/** What a job comes to. Whatever a handler throws is tried again later. */
export interface JobHandlers {
  /** @param id of the job */
  readonly run: Readonly<Record<JobKind, (id: string) => Promise<void>>>;
  /** A job that was tried as often as it may be. */
  readonly givenUp: Readonly<Record<JobKind, (id: string) => Promise<void>>>;
  /** Every minute, by one server at a time. */
  readonly everyMinute: () => Promise<void>;
  /** Once a day, by one server at a time. */
  readonly everyDay: () => Promise<void>;
}

/** Jobs that this process works on too. */
export interface Workshop extends Jobs {
  /** Begins to work. */
  work(handlers: JobHandlers): Promise<void>;
  /** Takes no more, waits for what is under way, and lets go of the database. */
  stop(): Promise<void>;
}
