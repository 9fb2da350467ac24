import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import PostalMime, { type Email } from 'postal-mime';
import { inject, onTestFinished } from 'vitest';
import type { Confirmation } from '#contract/appointment.ts';
import type { AppointmentFormInput } from '#contract/appointment_form.ts';
import type { ArtistSelf } from '#contract/artist.ts';
import type { Availability } from '#contract/availability.ts';
import type { Service } from '#contract/service.ts';
import { createApp } from '#server/app.ts';
import { type Clears, openClears } from '#server/database/clears.ts';
import { type Database, errorCode, openDatabase } from '#server/database/connect.ts';
import { openReads, type Reads } from '#server/database/reads.ts';
import { findSiteAsset } from '#server/database/site_assets.ts';
import { createEdge } from '#server/edge/edge.ts';
import { createPageCache } from '#server/edge/page_cache.ts';
import type { TagPurge } from '#server/edge/purge.ts';
import { createFront } from '#server/front.ts';
import { createDiskStore } from '#server/images/disk_store.ts';
import { createSharpCardDrawer } from '#server/images/sharp_card_drawer.ts';
import { createSharpEncoder } from '#server/images/sharp_encoder.ts';
import type { ImageStore } from '#server/images/store.ts';
import { openWorkshop } from '#server/jobs/boss.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import { createOutbox } from '#server/mail/outbox.ts';
import { createAfterwards } from '#server/operations/afterwards.ts';
import { createFinisher } from '#server/operations/finish_pictures.ts';
import { createHandlers } from '#server/operations/jobs.ts';
import type { Parts } from '#server/operations/parts.ts';
import { createPurging } from '#server/operations/purging.ts';
import { ensureSuperuser } from '#server/operations/superuser.ts';
import { sweep } from '#server/operations/sweep.ts';
import type { PaymentProvider } from '#server/payments/provider.ts';
import { createMailboxLimit, createMailLimit } from '#server/rate_limit.ts';
import type { Site } from '#server/site.ts';
import { databaseUrl } from './cluster.ts';
import { openDrain } from './drain.ts';
import { listen } from './listen.ts';
import { openDaily, ROSA } from './rosa.ts';

/** What a call answered. */
export interface Answer<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

interface CallOptions {
  readonly token?: string | undefined;
  readonly json?: unknown;
  readonly form?: Record<string, string>;
  readonly multipart?: FormData;
  /** Sent as it is, under the headers given. */
  readonly raw?: string | Uint8Array<ArrayBuffer> | ReadableStream;
  readonly headers?: Record<string, string>;
  readonly address?: string;
}

/** A whole API of its own, on a database of its own, for one test. */
export interface Studio {
  readonly database: Database;
  readonly databaseUrl: string;
  /** Everything that was logged, in order. */
  readonly logged: readonly string[];
  /** Where pictures are kept, and where files are while their call is judged. */
  readonly folders: { readonly media: string; readonly uploads: string };
  /** Once the pictures that were sent are there in every format. */
  finished(): Promise<void>;
  /** Finishes pictures that were left behind, as a start does. */
  sweep(): void;
  /** Every route that is mounted, as `get /api/v1/services/{service_id}`. */
  readonly routes: readonly string[];
  /** Tags of what was cleared so far, in order. */
  readonly cleared: readonly string[];
  /** Serves it on a port, with a page cache in front; answers its address. */
  serve(setup?: ServeSetup): Promise<URL>;
  /** Calls `GET /services` and the like, below `/api/v1`. */
  call<T = unknown>(what: string, options?: CallOptions): Promise<Answer<T>>;
  /** A new artist who takes bookings, with their token. */
  artist(changes?: ArtistSetup): Promise<TestArtist>;
  /** The token of whoever runs the place. */
  superuser(): Promise<string>;
  /** Does every job that is due, and what that brings about. */
  work(): Promise<void>;
  /** Does what the clock brings about every minute, as if it were `at`; now unless given. */
  minute(at?: number): Promise<void>;
  /** The mails that were sent so far, in order, once all that is to be sent is. */
  mails(): Promise<Email[]>;
  /** The mails of `mails` with this in their subject. */
  mailsAbout(subject: string | RegExp): Promise<Email[]>;
  /** A second server on the same database, with connections of its own. */
  another(): Promise<Studio>;
}

interface StudioSetup {
  readonly rateLimit?: boolean;
  /** Sites whose pages may call from a browser. */
  readonly allowedOrigins?: readonly string[];
  /** Where the database is; a fresh one unless given. */
  readonly databaseUrl?: string;
  /** A replica of it, for public reads once it is served. */
  readonly readUrl?: string;
  /** Where pictures are kept; a folder of its own unless given. */
  readonly images?: ImageStore;
  /** Who sends the mails; they are written into a folder unless given. */
  readonly mailer?: Mailer;
  /** Who artists pay through; billing is off unless given. */
  readonly payments?: PaymentProvider;
  /** What stands in front of it; nothing unless given. */
  readonly purge?: TagPurge;
}

interface ServeSetup {
  /** Its pages; the API alone unless given. */
  readonly site?: Site;
  readonly cacheBytes?: number;
  readonly clock?: () => number;
}

interface ArtistSetup {
  readonly username?: string;
  readonly scheduling_type?: 'service' | 'managed' | null;
  readonly time_zone?: string;
  /** Sent to `me/schedule`; every day from 00:00 to 24:00 with no notice unless given. */
  readonly schedule?: Record<string, unknown>;
  /** Minutes of their one service. */
  readonly duration?: number;
}

export interface TestArtist {
  readonly self: ArtistSelf;
  readonly username: string;
  readonly password: string;
  readonly token: string;
  readonly service: Service;
}

export const PASSWORD = 'correct horse';

const encoder = createSharpEncoder();
const cards = createSharpCardDrawer();

const ALWAYS_OPEN = openDaily('00:00', '24:00');

/** A client's form, all of it filled in. */
export const FILLED_FORM = {
  location: 'arms',
  size: 'small',
  customer_notes: 'A swallow, please.',
  ...ROSA,
} satisfies AppointmentFormInput;

/** Opens a studio for the test that runs; it is gone when the test ends. */
export async function openStudio({
  rateLimit = false,
  allowedOrigins = ['http://localhost:4321'],
  databaseUrl: given,
  readUrl,
  images: givenImages,
  mailer: givenMailer,
  payments,
  purge,
}: StudioSetup = {}): Promise<Studio> {
  const url = given ?? (await emptyDatabase());
  const database = openDatabase(url);
  const folder = await mkdtemp(join(tmpdir(), 'linework-media-'));
  const folders = { media: join(folder, 'media'), uploads: join(folder, 'uploads') };
  await Promise.all(Object.values(folders).map((path) => mkdir(path)));
  const logged: string[] = [];
  const log = (line: string) => logged.push(line);
  const images = givenImages ?? createDiskStore(folders.media, '');
  const cleared: string[] = [];
  let clears: Clears | undefined;
  const workshop = whenNeeded(() => openWorkshop(url, log));
  const jobs: Jobs = { add: async (...added) => (await workshop.open()).add(...added) };
  const purging = createPurging({
    clearOurs: async (tags) => {
      cleared.push(...tags);
      await clears?.clear(tags);
    },
    purge,
    database,
    jobs,
    log,
  });
  const { clear } = purging;
  let reads: Reads | undefined;
  const finisher = createFinisher({ database, images, encoder, clear, log }, [10, 10]);
  const afterwards = createAfterwards(log);
  const outbox = join(folder, 'outbox');
  const parts: Parts = {
    database,
    read: (work) => (reads ? reads.read(work) : work(database)),
    images,
    encoder,
    finisher,
    cards,
    uploads: folders.uploads,
    clear,
    log,
    mailer: givenMailer ?? createOutbox(outbox, 'Linework <no-reply@linework.test>', log),
    mayMail: rateLimit ? createMailLimit() : async () => true,
    spendMailbox: rateLimit ? createMailboxLimit() : async () => {},
    jobs,
    payments,
    site: { productName: 'Linework', siteUrl: 'http://linework.test' },
    afterwards,
    terms: { holdMinutes: 30, offerHours: 72 },
    secret: new TextEncoder().encode('a secret that only tests know'),
  };
  const handlers = createHandlers(parts, purging);
  const worker = whenNeeded(() => openDrain(url, handlers));
  const work = async () => {
    await afterwards.idle();
    await (await worker.open()).drain();
  };
  const mails = async () => {
    await work();
    return readMails(outbox);
  };
  const app = createApp(parts, { productName: 'Linework', allowedOrigins, rateLimit }, log);
  onTestFinished(async () => {
    await finisher.stop();
    await afterwards.idle();
    await purging.stop();
    await reads?.stop();
    await clears?.stop();
    await worker.stop();
    await workshop.stop();
    await database.destroy();
    await rm(folder, { recursive: true, force: true });
    if (given === undefined) await giveBack(url);
  });

  const call = async <T>(what: string, options: CallOptions = {}): Promise<Answer<T>> => {
    const [method = 'GET', path = '/'] = what.split(' ');
    const response = await app.fetch(toRequest(method, path, options), {
      address: options.address ?? '192.0.2.1',
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: readAnswer(response, text),
    };
  };
  return {
    database,
    databaseUrl: url,
    logged,
    folders,
    finished: () => finisher.idle(),
    sweep: () => finisher.sweep(),
    routes: app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`),
    cleared,
    async serve({ site, cacheBytes = 16 * 1024 * 1024, clock = Date.now } = {}) {
      const cache = createPageCache(cacheBytes);
      clears = await openClears({ database, url, cache, log });
      reads = openReads({ primary: database, url: readUrl, upTo: clears.upTo, log });
      const edge = createEdge(cache, clock, log, purge?.hints);
      const mediaFolder = folders.media;
      const findAsset = (name: string) => findSiteAsset(database, name);
      return listen(createFront({ app, mediaFolder, site, findAsset, edge, allowedOrigins, log }));
    },
    call,
    artist: (setup = {}) => signUpArtist(call, setup),
    superuser: () => logInAsSuperuser(database, call),
    work,
    minute: (at = Date.now()) => sweep(parts, at),
    mails,
    mailsAbout: async (subject) => (await mails()).filter((mail) => mail.subject?.match(subject)),
    another: () =>
      openStudio({
        rateLimit,
        databaseUrl: url,
        ...(readUrl && { readUrl }),
        ...(payments && { payments }),
      }),
  };
}

/** What is opened once somebody needs it: some studios have no database. */
function whenNeeded<T extends { stop(): Promise<void> }>(openOne: () => Promise<T>) {
  let opened: Promise<T> | undefined;
  return {
    open() {
      opened ??= openOne();
      return opened;
    },
    async stop() {
      await (await opened)?.stop();
    },
  };
}

/** Databases of tests that have ended, emptied: copying one takes longer than most tests. */
const givenBack: string[] = [];

/** A database that nobody else uses, already migrated. */
async function emptyDatabase(): Promise<string> {
  return givenBack.pop() ?? copyDatabase();
}

/** Empties the database for the next test, unless its tables are not what they were. */
async function giveBack(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Tables refer to one another in circles.
    await client.query('SET session_replication_role = replica');
    await client.query(TABLES.map((table) => `DELETE FROM ${table}`).join(';'));
    givenBack.push(url);
  } catch (error) {
    if (errorCode(error) !== UNDEFINED_TABLE) throw error;
  } finally {
    await client.end();
  }
}
const UNDEFINED_TABLE = '42P01';
const TABLES = [
  'pgboss.job',
  'mails',
  'reminder_sweep',
  'payment_events',
  'subscriptions',
  'billing',
  'removed_images',
  'password_recoveries',
  'messages',
  'appointment_times',
  'appointments',
  'clients',
  'designs',
  'images',
  'services',
  'schedule_exceptions',
  'schedules',
  'artists',
  'places',
  'site_assets',
];

async function copyDatabase(): Promise<string> {
  const cluster = inject('cluster');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: cluster });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name} TEMPLATE migrated STRATEGY wal_log`);
  } finally {
    await client.end();
  }
  return `${databaseUrl(cluster, name)}`;
}

function toRequest(
  method: string,
  path: string,
  { token, json, form, multipart, raw, headers }: CallOptions,
): Request {
  const type =
    json !== undefined
      ? 'application/json'
      : form !== undefined
        ? 'application/x-www-form-urlencoded'
        : undefined;
  const body =
    json !== undefined
      ? JSON.stringify(json)
      : form !== undefined
        ? new URLSearchParams(form).toString()
        : (multipart ?? raw);
  const known = path.startsWith('/api') || /^\/(healthz|readyz)/.test(path);
  const request = {
    method,
    headers: {
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    // Node asks for it when the body is a stream.
    duplex: 'half',
  };
  return new Request(`http://linework.test${known ? '' : '/api/v1'}${path}`, request);
}

async function signUpArtist(call: Studio['call'], setup: ArtistSetup): Promise<TestArtist> {
  const { username = `artist-${randomUUID().slice(0, 8)}`, scheduling_type = 'service' } = setup;
  const email = `${username}@example.com`;
  await expectOk(
    call('POST /users/signup', {
      json: {
        email,
        full_name: 'An Artist',
        password: PASSWORD,
        confirm_password: PASSWORD,
        username,
        studio_name: 'The Studio',
        address_one: '1 Example Street',
        city: 'New York',
        state: 'NY',
        zip_code: '10001',
        time_zone: setup.time_zone ?? 'America/New_York',
      },
    }),
  );
  const login = await expectOk(
    call<{ access_token: string }>('POST /login/access-token', {
      form: { username: email, password: PASSWORD },
    }),
  );
  const token = login.access_token;
  await expectOk(call('PATCH /users/me', { token, json: { scheduling_type } }));
  await expectOk(call('PATCH /users/me/schedule', { token, json: setup.schedule ?? ALWAYS_OPEN }));
  const service = await expectOk(
    call<Service>('POST /services', {
      token,
      json: { name: 'Flash', duration: setup.duration ?? 60 },
    }),
  );
  const self = await expectOk(call<ArtistSelf>('GET /users/me', { token }));
  return { self, username, password: PASSWORD, token, service };
}

/** The mails of a folder, in the order of their names. */
async function readMails(outbox: string): Promise<Email[]> {
  const names = await readdir(outbox).catch((): string[] => []);
  return Promise.all(
    names.sort().map(async (name) => PostalMime.parse(await readFile(join(outbox, name)))),
  );
}

async function logInAsSuperuser(database: Database, call: Studio['call']): Promise<string> {
  const chief = { email: 'chief@example.com', password: PASSWORD };
  await ensureSuperuser({ database }, chief);
  const login = await expectOk(
    call<{ access_token: string }>('POST /login/access-token', {
      form: { username: chief.email, password: PASSWORD },
    }),
  );
  return login.access_token;
}

/** Nothing, JSON, or text as it is. */
function readAnswer({ headers }: Response, text: string) {
  if (text === '') return undefined;
  return headers.get('Content-Type')?.startsWith('application/json') ? JSON.parse(text) : text;
}

/** The body of a call that must have worked. */
export async function expectOk<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** The slots of the artist's service, of this month and the next, in order. */
export async function listedSlots(studio: Studio, { service }: TestArtist) {
  const now = new Date();
  const months = [0, 1].map(
    (ahead) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)),
  );
  const answers = await Promise.all(
    months.map((month) =>
      expectOk(
        studio.call<Availability>(
          `GET /services/${service.id}/availability?year=${month.getUTCFullYear()}&month=${month.getUTCMonth() + 1}`,
        ),
      ),
    ),
  );
  return answers.flatMap(({ data }) => data).flatMap(({ windows }) => windows);
}

/** One of the listed slots, a day or so ahead unless said otherwise. */
export async function aSlot(studio: Studio, artist: TestArtist, nth = 24) {
  const slot = (await listedSlots(studio, artist))[nth];
  if (slot === undefined) throw new Error('There are not so many slots');
  return slot;
}

/** The instant so many minutes later, or earlier when negative. */
export function minutesAfter(instant: string, minutes: number): string {
  return new Date(Date.parse(instant) + minutes * 60_000).toISOString().replace('.000Z', 'Z');
}

/** A slot of the same length, so many minutes later. */
export function shifted({ start, end }: { start: string; end: string }, minutes: number) {
  return { start: minutesAfter(start, minutes), end: minutesAfter(end, minutes) };
}

/** Asks for a slot of the artist's service. */
export function requestSlot(
  studio: Studio,
  artist: TestArtist,
  slot: { start: string; end: string },
  changes: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answer<Confirmation>> {
  return studio.call(`POST /appointments/request/service?username=${artist.username}`, {
    json: { ...FILLED_FORM, service_id: artist.service.id, design_id: null, ...slot, ...changes },
    headers,
  });
}
