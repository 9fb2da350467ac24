import type { ConfirmationDeadlines } from '#domain/appointment.ts';
import type { Database } from '#server/database/connect.ts';
import type { ImageStore } from '#server/images/image_store.ts';
import type { PictureEncoder } from '#server/images/picture_encoder.ts';
import type { ShareCardRenderer } from '#server/images/share_card_renderer.ts';
import type { JobQueue } from '#server/jobs/jobs.ts';
import type { Site } from '#server/mail/mail_content.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import type { PaymentProvider } from '#server/payments/payment_provider.ts';
import type { BackgroundTasks } from './background_tasks.ts';
import type { PictureFinisher } from './picture_finisher.ts';

/** What operations act on. */
export interface Context {
  readonly database: Database;
  /**
   * Does what only reads, for anyone to see: on a replica where one has all that was cleared, and
   * otherwise, or when it fails there, in the database itself.
   */
  readonly readFromReplica: <T>(work: (database: Database) => Promise<T>) => Promise<T>;
  readonly images: ImageStore;
  readonly encoder: PictureEncoder;
  readonly avifConverter: PictureFinisher;
  /** Draws what is shown where a page is shared. */
  readonly shareCards: ShareCardRenderer;
  /** The folder that files are in while their call is judged. */
  readonly uploadFolder: string;
  /**
   * Ends what caches keep under these tags (cache/policy). Once it resolves, this process hands
   * out nothing of it, and the other servers and the caches in front were told.
   */
  readonly invalidate: (tags: readonly string[]) => Promise<void>;
  readonly mailer: Mailer;
  /** Whether one more mail may go to this artist now, so that nobody can flood a mailbox. */
  readonly takeMailQuota: (artistId: string) => Promise<boolean>;
  /** Counts what visitors have one mailbox sent, and throws once that is too much. */
  readonly spendMailQuota: (call: 'request' | 'contact', email: string) => Promise<void>;
  /** What is to be done after the answer. */
  readonly jobs: JobQueue;
  /** Who artists pay through; undefined while billing is off and everyone takes bookings. */
  readonly payments: PaymentProvider | undefined;
  readonly site: Site;
  readonly backgroundTasks: BackgroundTasks;
  readonly confirmationTerms: ConfirmationDeadlines;
  readonly log: (line: string) => void;
  /** Signs access tokens. */
  readonly tokenSecret: Uint8Array;
}
