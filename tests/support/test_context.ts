import { readFile } from 'node:fs/promises';
import { DEFAULT_RETENTION } from '#domain/retention.ts';
import type { Job } from '#server/jobs/jobs.ts';
import type { Mail } from '#server/mail/mailer.ts';
import { NO_METRICS } from '#server/metrics/metrics.ts';
import type { Context } from '#server/operations/context.ts';
import { createTokenKeys } from '#server/operations/token_keys.ts';
import { createUploadSpace } from '#server/upload_space.ts';
import { recordLog } from './recorded_log.ts';
import { openTestApp } from './test_app.ts';

/**
 * A context with a real database and recording fakes. By default the database is the one that all
 * tests of the worker share.
 */
export async function openTestContext(changes: Partial<Context> = {}) {
  const database = changes.database ?? (await openTestApp()).database;
  const invalidatedTags: string[] = [];
  const logged: string[] = [];
  /** The enqueued jobs. They never run. */
  const jobs: Job[] = [];
  const mails: Mail[] = [];
  /** The files of the image store, by names such as `<image id>/400.webp`. */
  const files = new Map<string, Uint8Array>();
  const unused = () => Promise.reject(new Error('Not available in this test'));
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
    exportFiles: {
      put: async (id, path) => {
        files.set(`${id}.zip`, await readFile(path));
      },
      async *read(id) {
        const bytes = files.get(`${id}.zip`);
        if (!bytes) throw new Error('There is no such file');
        yield bytes;
      },
      remove: async (id) => {
        files.delete(`${id}.zip`);
      },
    },
    encoder: { validate: unused, encode: unused, encodeAvif: unused, encodeSquareJpeg: unused },
    uploadSpace: createUploadSpace(),
    shareCards: { render: unused },
    uploadFolder: '',
    invalidate: async (tags) => {
      invalidatedTags.push(...tags);
    },
    mailer: {
      send: async (mail) => {
        mails.push(mail);
      },
      close: () => {},
    },
    mailDeliveries: new Map(),
    hasLimitsPerTime: false,
    refusedEvents: new Map(),
    jobs: {
      enqueue: async (_transaction, added) => {
        jobs.push(...added);
      },
      deleteJobsWithEmail: async () => {},
    },
    payments: undefined,
    site: {
      productName: 'Linework',
      siteUrl: 'http://linework.test',
      apiUrl: 'http://linework.test',
      senderEmail: 'no-reply@linework.test',
    },
    retention: DEFAULT_RETENTION,
    confirmationDeadlines: { holdMinutes: 30, offerHours: 72 },
    log: recordLog(logged),
    metrics: NO_METRICS,
    noteArtist: () => {},
    recordError: () => {},
    server: {
      readVersion: async () => '1.2.3',
      readDisk: async () => ({ freeBytes: 250, totalBytes: 1000 }),
      runDoctor: async () => [],
    },
    tokenKeys: createTokenKeys(new TextEncoder().encode('a secret that only tests know')),
    ...changes,
  };
  return { context, invalidatedTags, logs: logged, jobs, mails, files };
}
