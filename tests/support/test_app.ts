import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Email } from 'postal-mime';
import { onTestFinished } from 'vitest';
import type * as z from 'zod/mini';
import { call } from '#client/call.ts';
import { createHttpTransport } from '#client/http.ts';

import type { Confirmation, ServiceRequest } from '#contract/appointment.ts';
import type { Availability } from '#contract/availability.ts';
import type { Transport } from '#contract/endpoint.ts';
import { bookService } from '#contract/endpoints.ts';
import { type ContextOverrides, openContext } from '#server/context.ts';
import { findCredentials, insertArtist } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import type { BuiltSite } from '#server/http/site.ts';
import { JOB_KINDS, type JobKind } from '#server/jobs/jobs.ts';
import { enqueueMissingAvif } from '#server/operations/studio/encode_avif.ts';
import { runTasks } from '#server/operations/tasks/recurring_tasks.ts';
import { createTokenKeys } from '#server/operations/token_keys.ts';
import { readConfig } from '#server/settings/config.ts';
import { createAccessToken } from './access_token.ts';
import { type ApiResponse, type CallOptions, callApi, expectOk, monthQuery } from './call_api.ts';
import { inTransaction } from './in_transaction.ts';
import { listenForTest } from './listen.ts';
import { type ArtistOptions, newArtist, PASSWORD_HASH, type TestArtist } from './new_artist.ts';
import { readOutbox } from './outbox.ts';
import { recordLog, silentLog } from './recorded_log.ts';
import { FILLED_FORM } from './sample_people.ts';
import { createDatabaseCopy, createTestDatabase, type TestDatabase } from './test_database.ts';

/** The application of one test. Its logs, invalidated tags and mails are those of this test only. */
export interface TestApp {
  readonly database: Database;
  readonly databaseUrl: string;
  /** All log lines so far, in order, but those of served requests. */
  readonly logged: readonly string[];
  /** The folders of stored pictures and of uploads in progress. */
  readonly folders: { readonly media: string; readonly uploads: string };
  /** Enqueues the encoding of pictures without AVIF files, as a start does. */
  enqueueMissingAvif(): Promise<void>;
  /** All routes, as `get /api/v1/services/{service_id}`. */
  readonly routes: readonly string[];
  /** The tags that were invalidated so far, in order. */
  readonly invalidatedTags: readonly string[];
  /** Serves the app on a port, with its pages if `site` is given. Returns its URL. */
  serve(site?: BuiltSite): Promise<URL>;
  /** A transport that sends requests, without a token those of a visitor. */
  http(token?: string): Transport;
  /** A transport that calls the routes directly, as pages of our own server do. */
  direct(token?: string): Transport;
  /** Calls an operation such as `GET /services`, also in ways that `client` cannot. */
  call<T = unknown>(
    operation: string,
    options?: CallOptions & ClientAddress,
  ): Promise<ApiResponse<T>>;
  /** Creates an artist who takes bookings, and logs them in. */
  newArtist(changes?: ArtistOptions): Promise<TestArtist>;
  superuserToken(): Promise<string>;
  /** Runs all due jobs of these kinds, by default of all, and the jobs that they enqueue. */
  runJobs(...kinds: JobKind[]): Promise<void>;
  /** Makes the failed jobs due that wait for a retry, and runs them. */
  retryFailedJobs(): Promise<void>;
  /** Runs the minutely tasks as of `at`, by default now. */
  runMinutelyTasks(at?: number): Promise<void>;
  /** Sends the queued mails, then returns all mails so far, in order. */
  mails(): Promise<Email[]>;
  /** The mails of `mails` with a matching subject. */
  mailsAbout(subject: string | RegExp): Promise<Email[]>;
  /** The mails of `mails` to this address. */
  mailsTo(address: string): Promise<Email[]>;
  /** A second server on the same database, with its own connections. */
  openSecondServer(): Promise<TestApp>;
}

interface ClientAddress {
  /** The client's IP address, for rate limits. */
  readonly address?: string;
}

type Overrides = Pick<
  ContextOverrides,
  'images' | 'mailer' | 'payments' | 'cdns' | 'clock' | 'servesPages'
>;

interface TestAppOptions extends Overrides {
  /** By default, all lines but those of served requests are in `logged`. */
  readonly log?: Logger;
  /**
   * `shared` (default): the database of all tests of this worker; read only rows of your own
   * artists. `own`: an empty database for this test alone, for counts of all rows, sweeps and
   * names that must be free. Otherwise the URL of a database.
   */
  readonly database?: 'shared' | 'own' | URL;
  readonly rateLimit?: boolean;
  /** Origins whose pages may call the API from a browser. */
  readonly allowedOrigins?: readonly string[];
  /** The URL of a replica, for public reads. */
  readonly readUrl?: string;
  readonly siteUrl?: string;
}

const ORIGIN = 'http://linework.test';
/** The `SECRET_KEY` of the applications. */
export const TEST_SECRET_KEY = 'a secret that only tests know';
/** Signs the tokens of the applications. */
export const TOKEN_KEYS = createTokenKeys(new TextEncoder().encode(TEST_SECRET_KEY));

/**
 * Opens the application for the current test. Calls with the same database in one test return the
 * same application, unless they have other options.
 */
export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { database = 'shared', ...rest } = options;
  if (database instanceof URL) return openSecondApp(database.href, rest);
  const slot = database === 'own' ? await takeOwnDatabase() : await openSharedDatabase();
  if (Object.keys(rest).length > 0) return openOn(slot.database, rest);
  if (!slot.app) {
    slot.app = openOn(slot.database, {});
    onTestFinished(async ({ task }) => {
      slot.app = undefined;
      if (!hasPassed(task)) sharedDatabase = undefined;
      await slot.database.deleteJobs();
    });
  }
  return slot.app;
}

/** A database of this worker, and the application of the running test on it. */
interface DatabaseSlot {
  readonly database: TestDatabase;
  app: Promise<TestApp> | undefined;
}

let sharedDatabase: Promise<DatabaseSlot> | undefined;
const emptyDatabases: DatabaseSlot[] = [];

async function newDatabase(): Promise<DatabaseSlot> {
  return { database: createTestDatabase(await createDatabaseCopy(), silentLog), app: undefined };
}

function openSharedDatabase(): Promise<DatabaseSlot> {
  sharedDatabase ??= newDatabase();
  return sharedDatabase;
}

async function takeOwnDatabase(): Promise<DatabaseSlot> {
  const slot = emptyDatabases.pop() ?? (await newDatabase());
  onTestFinished(async ({ task }) => {
    if (!hasPassed(task)) return;
    if (await slot.database.deleteAllRows()) emptyDatabases.push(slot);
    else await slot.database.close();
  });
  return slot;
}

/** A test that failed may still be running, after a timeout. */
function hasPassed({ result }: { readonly result?: { readonly state: string } | undefined }) {
  return result?.state === 'pass';
}

/** Opens an application with its own connections. */
async function openSecondApp(url: string, options: Options): Promise<TestApp> {
  const logged: string[] = [];
  const database = createTestDatabase(url, recordLog(logged));
  onTestFinished(() => database.close());
  return openOn(database, options);
}

type Options = Omit<TestAppOptions, 'database'>;

async function openOn(testDatabase: TestDatabase, options: Options): Promise<TestApp> {
  const { rateLimit = false, allowedOrigins, readUrl, siteUrl = ORIGIN, ...overrides } = options;
  const { database, jobs, url } = testDatabase;
  const folder = await mkdtemp(join(tmpdir(), 'linework-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const folders = { media: join(folder, 'media'), uploads: join(folder, 'uploads') };
  const logged: string[] = [];
  const invalidated: string[] = [];
  const resources = new AsyncDisposableStack();
  onTestFinished(() => resources.disposeAsync());
  const config = readConfig({
    DATABASE_URL: url,
    DATABASE_READ_URL: readUrl,
    DATA_DIR: folder,
    SITE_URL: siteUrl,
    ALLOWED_ORIGINS: allowedOrigins?.join(',') ?? 'http://localhost:4321',
    SECRET_KEY: TEST_SECRET_KEY,
    RATE_LIMIT: rateLimit ? 'on' : 'off',
    PAGE_CACHE_MB: '16',
  });
  const { context, app, connectDirectly, jobHandlers, createHandler } = await openContext(
    config,
    {
      log: recordLog(logged),
      database: { database, url },
      jobs,
      onInvalidate: (tags) => invalidated.push(...tags),
      ...overrides,
    },
    resources,
  );
  const fetchFrom =
    (address: string): typeof fetch =>
    async (...request) =>
      app.fetch(new Request(...request), { clientIp: address });
  const http = (token = '') =>
    createHttpTransport(ORIGIN, {
      fetchRequest: fetchFrom(CLIENT_IP),
      bearer: { getToken: () => token, onUnauthorized: () => {} },
    });
  const runJobs = (...kinds: JobKind[]) =>
    testDatabase.runJobs(jobHandlers, kinds.length > 0 ? kinds : JOB_KINDS);
  const mails = async () => {
    await runJobs();
    return readOutbox(folder);
  };
  return {
    database,
    databaseUrl: url,
    logged,
    folders,
    enqueueMissingAvif: () => enqueueMissingAvif(context),
    routes: app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`),
    invalidatedTags: invalidated,
    serve: (site) => listenForTest(createHandler(site)),
    http,
    direct: (token) =>
      connectDirectly({ clientIp: CLIENT_IP, ...(token !== undefined && { token }) }),
    call: (operation, { address = CLIENT_IP, ...callOptions } = {}) =>
      callApi(fetchFrom(address), ORIGIN, operation, callOptions),
    newArtist: (changes) => newArtist({ database, tokenKeys: TOKEN_KEYS, http }, changes),
    superuserToken: () => logInAsSuperuser(database),
    runJobs,
    async retryFailedJobs() {
      await sql`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`.execute(database);
      await runJobs();
    },
    runMinutelyTasks: (at = Date.now()) => runTasks(context, 'minute', at),
    mails,
    mailsAbout: async (subject) => (await mails()).filter((mail) => mail.subject?.match(subject)),
    mailsTo: async (address) => (await mails()).filter(({ to }) => to?.[0]?.address === address),
    openSecondServer: () =>
      openSecondApp(url, {
        rateLimit,
        ...(readUrl !== undefined && { readUrl }),
        ...(overrides.payments && { payments: overrides.payments }),
      }),
  };
}

export { FILLED_FORM };

const CLIENT_IP = '192.0.2.1';

async function logInAsSuperuser(database: Database): Promise<string> {
  const email = 'chief@example.com';
  const existing = await findCredentials(database, email);
  // An earlier test of this worker may have changed these.
  if (existing)
    await database
      .updateTable('artists')
      .set({ password_hash: PASSWORD_HASH, is_active: true })
      .where('id', '=', existing.id)
      .execute();
  const id =
    existing?.id ??
    (await inTransaction(
      database,
      insertArtist,
      {
        email,
        username: '_superuser',
        full_name: 'Superuser',
        password_hash: PASSWORD_HASH,
        is_superuser: true,
        email_proven_at: new Date(),
      },
      { name: '', address_one: '', city: '', state: '', zip_code: '', time_zone: 'UTC' },
    ));
  return createAccessToken(database, TOKEN_KEYS, id, existing?.token_version);
}

/** The slots of the artist's service, of this month and the next, in order. */
export async function listSlots(app: TestApp, { service }: TestArtist) {
  // West of Greenwich, the studio's month ends up to twelve hours later.
  const now = new Date(Date.now() - 12 * 3_600_000);
  const responses = await Promise.all(
    [0, 1].map((ahead) => {
      const path = `/services/${service.id}/availability?${monthQuery(ahead, now)}`;
      return expectOk(app.call<Availability>(`GET ${path}`));
    }),
  );
  return responses.flatMap(({ data }) => data).flatMap(({ windows }) => windows);
}

/** The nth slot from now, by default about a day ahead. */
export async function findSlot(app: TestApp, artist: TestArtist, nth = 24) {
  const slot = (await listSlots(app, artist))[nth];
  if (slot === undefined) throw new Error('The artist has fewer slots');
  return slot;
}

/** The instant so many minutes later, or earlier when negative. */
export function addMinutes(instant: string, minutes: number): string {
  return new Date(Date.parse(instant) + minutes * 60_000).toISOString().replace('.000Z', 'Z');
}

/** A slot of the same length, so many minutes later. */
export function shiftSlot({ start, end }: { start: string; end: string }, minutes: number) {
  return { start: addMinutes(start, minutes), end: addMinutes(end, minutes) };
}

/** Books a slot of the artist's service as a client. */
export function bookSlot(
  app: TestApp,
  { username, service }: TestArtist,
  slot: { start: string; end: string },
  changes: Partial<z.input<typeof ServiceRequest>> = {},
): Promise<Confirmation> {
  const request = { ...FILLED_FORM, service_id: service.id, design_id: null, ...slot, ...changes };
  return call(app.http(), bookService, {
    query: { username },
    header: { 'idempotency-key': randomUUID() },
    body: request,
  });
}

/** Like `bookSlot`, with any body and headers. Returns the response, also a refusal. */
export function requestSlot(
  app: TestApp,
  artist: TestArtist,
  slot: { start: string; end: string },
  changes: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<ApiResponse<Confirmation>> {
  return app.call(`POST /appointments/request/service?username=${artist.username}`, {
    json: { ...FILLED_FORM, service_id: artist.service.id, design_id: null, ...slot, ...changes },
    headers,
  });
}
