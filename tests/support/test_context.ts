import type { Mail } from '#server/mail/mailer.ts';
import { createBackgroundTasks } from '#server/operations/background_tasks.ts';
import type { Context } from '#server/operations/context.ts';
import { openTestApp } from './test_app.ts';

/** What an operation did beside the database. */
export interface TestContext {
  readonly context: Context;
  /** Tags that were cleared, in order. */
  readonly invalidatedTags: string[];
  readonly logs: string[];
  /** Jobs that were added, as `mail <id>`; none of them is done. */
  readonly jobs: string[];
  readonly mails: Mail[];
  /** Files of the image store, as `<image id>/400.webp`. */
  readonly files: Map<string, Uint8Array>;
}

/**
 * What operations act on: the real database, and stand-ins that record what they are asked. The
 * database is the one that the worker's tests share, unless another is given.
 */
export async function openTestContext(changes: Partial<Context> = {}): Promise<TestContext> {
  const database = changes.database ?? (await openTestApp()).database;
  const cleared: string[] = [];
  const logged: string[] = [];
  const jobs: string[] = [];
  const mails: Mail[] = [];
  const files = new Map<string, Uint8Array>();
  const log = (line: string) => logged.push(line);
  const unused = () => Promise.reject(new Error('This test does not use it'));
  const context: Context = {
    database,
    readFromReplica: (work) => work(database),
    images: {
      put: async ({ imageId, width, format }, bytes) => {
        files.set(`${imageId}/${width}.${format}`, bytes);
      },
      read: async ({ imageId, width, format }) => {
        const bytes = files.get(`${imageId}/${width}.${format}`);
        if (!bytes) throw new Error('There is no such file');
        return bytes;
      },
      remove: async (imageId) => {
        for (const name of files.keys()) if (name.startsWith(`${imageId}/`)) files.delete(name);
      },
      urlOf: ({ imageId, width, format }) => `/media/${imageId}/${width}.${format}`,
    },
    encoder: { validate: unused, encode: unused, encodeAvif: unused },
    avifConverter: {
      add: () => {},
      sweep: () => {},
      adopt: () => {},
      idle: async () => {},
      stop: async () => {},
    },
    shareCards: { render: unused },
    uploadFolder: '',
    invalidate: async (tags) => {
      cleared.push(...tags);
    },
    mailer: {
      send: async (mail) => {
        mails.push(mail);
      },
      close: () => {},
    },
    takeMailQuota: async () => true,
    spendMailQuota: async () => {},
    jobs: {
      enqueue: async (_transaction, added) => {
        jobs.push(...added.map(({ kind, id }) => `${kind} ${id}`));
      },
    },
    payments: undefined,
    site: { productName: 'Linework', siteUrl: 'http://linework.test' },
    backgroundTasks: createBackgroundTasks(log),
    confirmationTerms: { holdMinutes: 30, offerHours: 72 },
    log,
    tokenSecret: new TextEncoder().encode('a secret that only tests know'),
    ...changes,
  };
  return { context, invalidatedTags: cleared, logs: logged, jobs, mails, files };
}
