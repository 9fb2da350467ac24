import type { Logger } from 'pino';
import type { ConfirmationDeadlines } from '#domain/appointments/appointment.ts';
import type { Retention } from '#domain/retention.ts';
import type { Database, Transaction } from '#server/database/connect.ts';
import type { Finding } from '#server/doctor/finding.ts';
import type { ExportStore } from '#server/images/export_store.ts';
import type { ImageStore } from '#server/images/image_store.ts';
import type { PictureEncoder } from '#server/images/picture_encoder.ts';
import type { ShareCardRenderer } from '#server/images/share_card_renderer.ts';
import type { JobQueue } from '#server/jobs/jobs.ts';
import type { Site } from '#server/mail/mail_content.ts';
import type { CalendarAttachment, Mailer } from '#server/mail/mailer.ts';
import type { Metrics } from '#server/metrics/metrics.ts';
import type { PaymentProvider } from '#server/payments/payment_provider.ts';
import type { TokenKeys } from './token_keys.ts';

/** The artist who uploads, for the limits of uploads. */
export interface Uploader {
  readonly id: string;
  readonly isEmailProven: boolean;
}

/** Counts the bytes of uploads on the disk. */
export interface UploadSpace {
  /** Begins an upload, whose bytes are then added. */
  readonly open: (uploader: Uploader) => UploadReservation;
}

/** The space that one upload takes. */
export interface UploadReservation {
  /**
   * Reserves space for more bytes, before they are written.
   * @throws Refusal `uploads_full`
   */
  readonly add: (bytes: number) => void;
  /** Call this after the upload's files were deleted. */
  readonly release: () => void;
}

/** The facts to record about a mail that a mail server has accepted, or that was saved as a file. */
export interface SentMail {
  readonly status: 'sent' | 'saved';
  /** Null for a mail of a deleted account. */
  readonly artistId: string | null;
  readonly address: string;
  readonly calendarMethod: CalendarAttachment['method'] | undefined;
}

/** Where an error happened, for the operator's page. */
export type ErrorPlace =
  | {
      readonly requestId: string;
      /** The method and the pattern of the route, never a path. */
      readonly route: string;
      /** Of the answer. */
      readonly status: number;
    }
  | { readonly queue: string };

/** The state of the answering server for the operator's page. */
export interface ServerInspection {
  readonly readVersion: () => Promise<string>;
  /** Of the disk of `DATA_DIR`. */
  readonly readDisk: () => Promise<{ readonly freeBytes: number; readonly totalBytes: number }>;
  /** Checks every part of the server, which takes up to 20 seconds. */
  readonly runDoctor: () => Promise<readonly Finding[]>;
}

/** The resources and settings that the functions of this folder use. */
export interface Context {
  readonly database: Database;
  /**
   * Runs reads for cacheable responses on a replica of the database; on `database` if there is no
   * replica, if it fails, or while it lacks a change that has invalidated cached responses.
   */
  readonly readFromReplica: <T>(work: (database: Database) => Promise<T>) => Promise<T>;
  readonly images: ImageStore;
  readonly exportFiles: ExportStore;
  readonly encoder: PictureEncoder;
  readonly shareCards: ShareCardRenderer;
  /** Receives the files of requests; a file is deleted at the end of its request. */
  readonly uploadFolder: string;
  readonly uploadSpace: UploadSpace;
  /**
   * Removes the responses with these tags, such as `artist:<id>`, from all caches. Afterwards this
   * process serves none of them, and other servers and CDNs have been notified. Never rejects.
   */
  readonly invalidate: (tags: readonly string[]) => Promise<void>;
  readonly mailer: Mailer;
  /** By mail id: mails that this process is sending, or has sent but not yet recorded as sent. */
  readonly mailDeliveries: Map<string, 'sending' | SentMail>;
  /** False with `RATE_LIMIT=off`, which turns off every limit per time. */
  readonly hasLimitsPerTime: boolean;
  /** By limit and causer: until when this process refuses them, so that no flood reaches the database. */
  readonly refusedEvents: Map<string, number>;
  readonly jobs: JobQueue;
  /** Charges artists for using the site. Undefined while billing is off: all take bookings then. */
  readonly payments: PaymentProvider | undefined;
  readonly site: Site;
  /** How long clients have to confirm a time. */
  readonly confirmationDeadlines: ConfirmationDeadlines;
  /** How long personal data are kept. */
  readonly retention: Retention;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Names the artist of the call in the log's lines about its request. */
  readonly noteArtist: (artistId: string) => void;
  /** Records an error for the operator, later: it returns at once, and never throws. */
  readonly recordError: (error: unknown, place: ErrorPlace) => void;
  readonly server: ServerInspection;
  readonly tokenKeys: TokenKeys;
}

/** A context inside a change, whose `database` is the transaction. */
export type InChange<C> = Omit<C, 'database'> & { readonly database: Transaction };
