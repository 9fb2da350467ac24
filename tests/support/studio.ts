import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { onTestFinished } from 'vitest';
import { requestService, type ServiceRequestInput } from '#client/appointments.ts';
import { connect, type Http } from '#client/http.ts';
import { readServiceAvailability } from '#client/services.ts';
import type { Confirmation } from '#contract/appointment.ts';
import type { AppointmentFormInput } from '#contract/appointment_form.ts';
import { NEW_BOOKING_RANGE } from '#domain/booking_range.ts';
import { NEW_SCHEDULE } from '#domain/schedule.ts';
import { createApp } from '#server/app.ts';
import { findCredentials, insertArtist } from '#server/database/artists.ts';
import { type Clears, openClears } from '#server/database/clears.ts';
import type { Database } from '#server/database/connect.ts';
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
import type { Mailer } from '#server/mail/mailer.ts';
import { createOutbox } from '#server/mail/outbox.ts';
import { createAfterwards } from '#server/operations/afterwards.ts';
import { createFinisher, type PictureFinisher } from '#server/operations/finish_pictures.ts';
import { createHandlers } from '#server/operations/jobs.ts';
import { signToken } from '#server/operations/login.ts';
import type { Parts } from '#server/operations/parts.ts';
import { createPurging } from '#server/operations/purging.ts';
import { sweep } from '#server/operations/sweep.ts';
import type { PaymentProvider } from '#server/payments/provider.ts';
import { createMailboxLimit, createMailLimit } from '#server/rate_limit.ts';
import type { Site } from '#server/site.ts';
import { type Answer, type CallOptions, callOver } from './calls.ts';
import { listen } from './listen.ts';
import { type ArtistSetup, newArtist, PASSWORD_HASH, type TestArtist } from './new_artist.ts';
import { ROSA } from './rosa.ts';
import { connectTo, copyDatabase, type TestDatabase } from './test_database.ts';

/** The API as one test sees it: only what happened during that test was logged, cleared or mailed. */
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
  /** For the functions of `client`; as a visitor unless a token is given. */
  http(token?: string): Http;
  /** Calls `GET /services` and the like, below `/api/v1`: what `client` has no way to send. */
  call<T = unknown>(what: string, options?: CallOptions & FromWhere): Promise<Answer<T>>;
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

interface FromWhere {
  /** Of the client, as rate limits count it. */
  readonly address?: string;
}

interface StudioSetup {
  /**
   * `shared`, the database of all tests of this worker, unless given: look only at what belongs to
   * your own artists. `own` is empty and nobody else uses it: for counts of everything, sweeps and
   * names that must not be taken. Any other is an address.
   */
  readonly database?: 'shared' | 'own' | URL;
  readonly rateLimit?: boolean;
  /** Sites whose pages may call from a browser. */
  readonly allowedOrigins?: readonly string[];
  /** A replica of the database, for public reads once it is served. */
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

const ORIGIN = 'http://linework.test';
const SECRET = new TextEncoder().encode('a secret that only tests know');

const encoder = createSharpEncoder();
const cards = createSharpCardDrawer();

/** A client's form, all of it filled in. */
export const FILLED_FORM = {
  location: 'arms',
  size: 'small',
  customer_notes: 'A swallow, please.',
  ...ROSA,
} satisfies AppointmentFormInput;

/**
 * The API for the test that runs. Tests that ask for nothing else share one application; its
 * database keeps the rows of earlier tests, and nothing else is left of them.
 */
export async function openStudio(setup: StudioSetup = {}): Promise<Studio> {
  const { database = 'shared', ...rest } = setup;
  const isUsual = Object.keys(rest).length === 0;
  if (database === 'own') {
    const place = ownPlaces.pop() ?? (await openPlace(connectTo(await copyDatabase(), () => {})));
    onTestFinished(async ({ task }) => {
      if (!isOver(task)) return;
      if (await place.database.empty()) ownPlaces.push(place);
      else await place.close();
    });
    return isUsual ? usual(place) : openApplicationFor(place.database, rest);
  }
  if (database === 'shared') {
    sharedPlace ??= copyDatabase().then((url) => openPlace(connectTo(url, () => {})));
    const place = await sharedPlace;
    return isUsual ? usual(place) : openApplicationFor(place.database, rest);
  }
  return elsewhere(database.href, rest);
}

/** A database of this worker with the application that most tests use on it. */
interface Place {
  readonly database: TestDatabase;
  readonly application: Application;
  /** What the test that runs was given. */
  studio: Studio | undefined;
  close(): Promise<void>;
}

let sharedPlace: Promise<Place> | undefined;
/** Their databases are empty. */
const ownPlaces: Place[] = [];

async function openPlace(database: TestDatabase): Promise<Place> {
  const application = await openApplication(database, {});
  return {
    database,
    application,
    studio: undefined,
    async close() {
      await application.close();
      await database.close();
    },
  };
}

/** The usual application, as new. */
function usual(place: Place): Studio {
  if (!place.studio) {
    place.studio = place.application.begin();
    onTestFinished(async ({ task }) => {
      place.studio = undefined;
      if (!isOver(task)) sharedPlace = undefined;
      await place.application.end();
    });
  }
  return place.studio;
}

/** Whether nothing of a test goes on: one that ran out of time may still be at it. */
function isOver({ result }: { readonly result?: { readonly state: string } | undefined }): boolean {
  return result?.state === 'pass';
}

/** An application of its own for the test that runs. */
async function openApplicationFor(database: TestDatabase, setup: Rest): Promise<Studio> {
  const application = await openApplication(database, setup);
  onTestFinished(async () => {
    await application.end();
    await application.close();
  });
  return application.begin();
}

/** On connections of its own. */
async function elsewhere(url: string, setup: Rest): Promise<Studio> {
  const logged: string[] = [];
  const database = connectTo(url, (line) => logged.push(line));
  onTestFinished(() => database.close());
  return openApplicationFor(database, setup);
}

type Rest = Omit<StudioSetup, 'database'>;

/** The parts of a server, put together once; what they did is told apart by `begin` and `end`. */
interface Application {
  begin(): Studio;
  end(): Promise<void>;
  close(): Promise<void>;
}

/** What one test sees of an application. */
interface Session {
  readonly logged: string[];
  readonly cleared: string[];
  readonly finisher: PictureFinisher;
  clears?: Clears;
  reads?: Reads;
}

async function openApplication(testDatabase: TestDatabase, setup: Rest): Promise<Application> {
  const { rateLimit = false, allowedOrigins = ['http://localhost:4321'], purge } = setup;
  const { database, jobs, url } = testDatabase;
  const folder = await mkdtemp(join(tmpdir(), 'linework-media-'));
  const folders = {
    media: join(folder, 'media'),
    uploads: join(folder, 'uploads'),
    outbox: join(folder, 'outbox'),
  };
  const makeFolders = () => Promise.all(Object.values(folders).map((path) => mkdir(path)));
  await makeFolders();
  const log = (line: string) => session.logged.push(line);
  const images = setup.images ?? createDiskStore(folders.media, '');
  const purging = createPurging({
    clearOurs: async (tags) => {
      session.cleared.push(...tags);
      await session.clears?.clear(tags);
    },
    purge,
    database,
    jobs,
    log,
  });
  const { clear } = purging;
  const newSession = (): Session => ({
    logged: [],
    cleared: [],
    finisher: createFinisher({ database, images, encoder, clear, log }, [10, 10]),
  });
  let session = newSession();
  const afterwards = createAfterwards(log);
  const parts: Parts = {
    database,
    read: (work) => (session.reads ? session.reads.read(work) : work(database)),
    images,
    encoder,
    finisher: {
      add: (imageId) => session.finisher.add(imageId),
      adopt: (...adopted) => session.finisher.adopt(...adopted),
      sweep: () => session.finisher.sweep(),
      idle: () => session.finisher.idle(),
      stop: () => session.finisher.stop(),
    },
    cards,
    uploads: folders.uploads,
    clear,
    log,
    mailer: setup.mailer ?? createOutbox(folders.outbox, 'Linework <no-reply@linework.test>', log),
    mayMail: rateLimit ? createMailLimit() : async () => true,
    spendMailbox: rateLimit ? createMailboxLimit() : async () => {},
    jobs,
    payments: setup.payments,
    site: { productName: 'Linework', siteUrl: ORIGIN },
    afterwards,
    terms: { holdMinutes: 30, offerHours: 72 },
    secret: SECRET,
  };
  const handlers = createHandlers(parts, purging);
  const app = createApp(parts, { productName: 'Linework', allowedOrigins, rateLimit }, log);
  const routes = app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`);
  const over =
    (address: string): typeof fetch =>
    async (...request) =>
      app.fetch(new Request(...request), { address });
  const http = (token = '') =>
    connect(ORIGIN, over(ADDRESS), { token: () => token, refused: () => {} });
  const work = async () => {
    await afterwards.idle();
    await testDatabase.drain(handlers);
  };
  const mails = async () => {
    await work();
    return readMails(folders.outbox);
  };

  function begin(): Studio {
    session = newSession();
    const { logged, cleared, finisher } = session;
    return {
      database,
      databaseUrl: url,
      logged,
      folders,
      finished: () => finisher.idle(),
      sweep: () => finisher.sweep(),
      routes,
      cleared,
      async serve({ site, cacheBytes = 16 * 1024 * 1024, clock = Date.now } = {}) {
        const cache = createPageCache(cacheBytes);
        const clears = await openClears({ database, url, cache, log });
        session.clears = clears;
        session.reads = openReads({
          primary: database,
          url: setup.readUrl,
          upTo: clears.upTo,
          log,
        });
        const edge = createEdge(cache, clock, log, purge?.hints);
        const mediaFolder = folders.media;
        const findAsset = (name: string) => findSiteAsset(database, name);
        return listen(
          createFront({ app, mediaFolder, site, findAsset, edge, allowedOrigins, log }),
        );
      },
      http,
      call: (what, { address = ADDRESS, ...options } = {}) =>
        callOver(over(address), ORIGIN, what, options),
      artist: (changes) => newArtist({ database, secret: SECRET, http }, changes),
      superuser: () => logInAsSuperuser(database),
      work,
      minute: (at = Date.now()) => sweep(parts, at),
      mails,
      mailsAbout: async (subject) => (await mails()).filter((mail) => mail.subject?.match(subject)),
      another: () =>
        elsewhere(url, {
          rateLimit,
          ...(setup.readUrl && { readUrl: setup.readUrl }),
          ...(setup.payments && { payments: setup.payments }),
        }),
    };
  }

  return {
    begin,
    async end() {
      await session.finisher.stop();
      await afterwards.idle();
      await purging.stop();
      await session.reads?.stop();
      await session.clears?.stop();
      await testDatabase.dropJobs();
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder);
      await makeFolders();
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

const ADDRESS = '192.0.2.1';

/** The mails of a folder, in the order of their names. */
async function readMails(outbox: string): Promise<Email[]> {
  const names = await readdir(outbox);
  return Promise.all(
    names.sort().map(async (name) => PostalMime.parse(await readFile(join(outbox, name)))),
  );
}

async function logInAsSuperuser(database: Database): Promise<string> {
  const email = 'chief@example.com';
  const known = await findCredentials(database, email);
  const id =
    known?.id ??
    (await insertArtist(
      database,
      {
        email,
        username: '_superuser',
        full_name: 'Superuser',
        password_hash: PASSWORD_HASH,
        is_superuser: true,
      },
      { name: '', address_one: '', city: '', state: '', zip_code: '', time_zone: 'UTC' },
      NEW_SCHEDULE,
      NEW_BOOKING_RANGE,
    ));
  return signToken(SECRET, id, known?.token_version ?? 1);
}

/** The slots of the artist's service, of this month and the next, in order. */
export async function listedSlots(studio: Studio, { service }: TestArtist) {
  const now = new Date();
  const months = [0, 1].map(
    (ahead) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)),
  );
  const answers = await Promise.all(
    months.map((month) =>
      readServiceAvailability(
        studio.http(),
        service.id,
        month.getUTCFullYear(),
        month.getUTCMonth() + 1,
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

/** A client picks a slot of the artist's service. */
export function pickSlot(
  studio: Studio,
  { username, service }: TestArtist,
  slot: { start: string; end: string },
  changes: Partial<ServiceRequestInput> = {},
): Promise<Confirmation> {
  const request = { ...FILLED_FORM, service_id: service.id, design_id: null, ...slot, ...changes };
  return requestService(studio.http(), username, request, randomUUID());
}

/** As `pickSlot`, with any body and headers; answers whatever comes. */
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
