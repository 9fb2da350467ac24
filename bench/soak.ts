// `npm run bench:soak`: bookings at half of the highest rate for SOAK_MINUTES (30), with page views and reads beside
// them. Fails after an error, a lost or repeated mail, or when memory grows. `-- --rate 20` sets the bookings a second.
// `-- --kill` kills the server at half-time: every acknowledged booking must be stored, and its mails sent.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { MINUTE_MS, SECOND_MS } from '#domain/time/time.ts';
import { freePort } from '#support/free_port.ts';
import { buildIfChanged } from '../scripts/build.ts';
import { bookOverHttp, confirmSlot, type Reply, requestSlot } from './bookings.ts';
import { BROWSER_HEADERS } from './cached_page.ts';
import { type ChildServer, stopAll } from './child_server.ts';
import {
  type FilledArtist,
  queryRows,
  runSqlFile,
  sampleArtists,
  waitForMails,
} from './database.ts';
import { openMailCounter } from './mail_counter.ts';
import { getRaw } from './raw_http.ts';
import { GARBAGE_COLLECTION_OPTIONS, readMegabytes, residentMegabytes } from './resident_memory.ts';
import { percentile, slope } from './rounds.ts';
import { openSandbox } from './sandbox.ts';

const ARTISTS = 40;
const CLIENTS = 50;
/** For each booking. */
const CACHED_VIEWS = 5;
/** One of so many bookings comes with a page that is not cached; each reads a month, which bookings invalidate. */
const UNCACHED_EVERY = 10;
const MAX_SAMPLES = 30;
const SAMPLES_PER_MINUTE = 12;
const START_EVERY_MS = 20;
const MAX_GROWTH = 1;
/** Memory still grows in the first minutes, while V8 compiles and connections prepare their statements. */
const SHORTEST_MINUTES_FOR_GROWTH = 10;
const LONGEST_DELIVERY_MS = 30 * MINUTE_MS;
const RETRY_MS = 200;
/** A killed server is ready again by then. */
const LONGEST_RETRY_MS = MINUTE_MS;

/** What the load has seen since the last line of the table. */
interface Seen {
  readonly bookings: number[];
  readonly views: number[];
}

const options = { rate: { type: 'string' }, kill: { type: 'boolean', default: false } } as const;
const { values } = parseArgs({ options });
const minutes = Number(process.env['SOAK_MINUTES'] ?? 30);
const sampleCount = Math.min(MAX_SAMPLES, Math.ceil(minutes * SAMPLES_PER_MINUTE));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopAll);
buildIfChanged();

await using mails = await openMailCounter();
await using place = await openSandbox();
const settings = { SMTP_URL: mails.url, PORT: String(await freePort()) };
const serve = () => place.serve(settings, GARBAGE_COLLECTION_OPTIONS);
let server = await serve();
await using _server = { [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
const { url } = server;
let databaseUrl = await place.databaseUrl();
await runSqlFile(databaseUrl, 'many_artists.sql', { artists: ARTISTS, each: 0 });
const artists = await sampleArtists(databaseUrl, { sampled: ARTISTS, all: ARTISTS });

/** The ids of the appointments whose confirmation was answered with success. */
const acknowledged: string[] = [];
const errors: string[] = [];
let seen: Seen = { bookings: [], views: [] };
let running = 0;

const rate = values.rate === undefined ? (await measureRate()) / 2 : Number(values.rate);
console.log(`${minutes} minutes with ${rate.toFixed(1)} bookings a second`);
const samples = await soak();
const loadEnd = performance.now();
await waitForMails(databaseUrl, LONGEST_DELIVERY_MS).catch((error) => errors.push(String(error)));
const waited = ((performance.now() - loadEnd) / SECOND_MS).toFixed(0);
console.log(`The last mail was sent ${waited} s after the last booking`);
errors.push(...(await findLost()));
if (!values.kill) judgeGrowth();
console.log(`${acknowledged.length} bookings, ${mails.deliveries.size} mails`);
if (errors.length > 0) {
  console.error(`${errors.length} errors, the first ones:\n${errors.slice(0, 10).join('\n')}`);
  process.exitCode = 1;
}

/** The bookings a second of clients who book without a pause. */
async function measureRate(): Promise<number> {
  const end = performance.now() + Math.min(MINUTE_MS, (minutes * MINUTE_MS) / 5);
  const start = performance.now();
  let made = 0;
  const client = async () => {
    while (performance.now() < end) {
      const artist = nextArtist(made);
      made += 1;
      await bookOverHttp(url, artist.username, artist.slots.next().value);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const highest = (made * SECOND_MS) / (performance.now() - start);
  console.log(`${highest.toFixed(1)} bookings a second by ${CLIENTS} clients without a pause`);
  await waitForMails(databaseUrl, LONGEST_DELIVERY_MS);
  return highest;
}

function nextArtist(number: number): FilledArtist {
  const artist = artists[number % artists.length];
  if (!artist) throw new RangeError('There are no artists');
  return artist;
}

/** @returns the memory of each sample */
async function soak(): Promise<{ minute: number; server: number; database: number }[]> {
  const samples = [];
  const start = performance.now();
  const visits = makeVisits(start);
  let isKilled = !values.kill;
  console.log('minute  booked  95 % of bookings  95 % of pages  mails queued  server  PostgreSQL');
  for (let nth = 1; nth <= sampleCount; nth += 1) {
    const end = start + (nth * minutes * MINUTE_MS) / sampleCount;
    await sleep(Math.max(0, end - performance.now()));
    if (!isKilled && nth >= sampleCount / 2) {
      isKilled = true;
      server = await restart(server);
      // It has started its database again, on another port.
      databaseUrl = await place.databaseUrl();
    }
    const minute = (performance.now() - start) / MINUTE_MS;
    const memory = { minute, server: await residentMegabytes(server), ...(await readDatabase()) };
    samples.push(memory);
    printSample(memory);
    seen = { bookings: [], views: [] };
  }
  await visits;
  return samples;
}

/** Starts visits at the rate, whether or not earlier ones have ended; then waits for all. */
async function makeVisits(start: number): Promise<void> {
  const end = start + minutes * MINUTE_MS;
  for (let number = 0; performance.now() < end; ) {
    const due = ((performance.now() - start) / SECOND_MS) * rate;
    for (; number < due; number += 1) void visit(number);
    await sleep(START_EVERY_MS);
  }
  while (running > 0) await sleep(RETRY_MS);
}

async function restart(killed: ChildServer): Promise<ChildServer> {
  console.log(`The server is killed while ${running} visits go on`);
  killed.process.kill('SIGKILL');
  await killed[Symbol.asyncDispose]();
  return serve();
}

/** The memory that PostgreSQL's connections do not share, and the waiting mails that are still to be sent. */
async function readDatabase() {
  const backends = await queryRows<{ pid: number }>(
    databaseUrl,
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'`,
  );
  const sizes = await Promise.all(backends.map(({ pid }) => readMegabytes(pid, 'RssAnon')));
  const queued = await queryRows(
    databaseUrl,
    `SELECT FROM mails JOIN appointments ON appointments.id = appointment_id
     WHERE mails.status = 'queued' AND NOT (notice->>'kind' = 'hold' AND appointments.status = 'confirmed')`,
  );
  return {
    database: sizes.reduce((sum, size) => sum + size, 0),
    connections: backends.length,
    queued: queued.length,
  };
}

function printSample(
  sample: Readonly<Record<'minute' | 'server' | 'database' | 'connections' | 'queued', number>>,
): void {
  const { minute, server, database, connections, queued } = sample;
  const [booking, view] = [seen.bookings, seen.views].map((all) => percentile(all, 0.95));
  const cells = [
    minute.toFixed(1).padStart(6),
    String(seen.bookings.length).padStart(7),
    `${booking?.toFixed(0)} ms`.padStart(17),
    `${view?.toFixed(0)} ms`.padStart(14),
    String(queued).padStart(13),
    `${server.toFixed(0)} MB`.padStart(7),
    `${database.toFixed(0)} MB on ${connections} connections`,
  ];
  console.log(cells.join(' '));
}

/** A client reads pages and a month of times, and books. */
async function visit(number: number): Promise<void> {
  const artist = nextArtist(number);
  running += 1;
  try {
    await Promise.all([
      book(artist),
      ...(number % UNCACHED_EVERY === 0 ? [view(`/${artist.username}/?uncached=1`)] : []),
      view(`/api/v1/services/${artist.serviceId}/availability?${monthOf(Date.now())}`),
      ...Array.from({ length: CACHED_VIEWS }, () => view(`/${artist.username}/`)),
    ]);
  } catch (error) {
    errors.push(String(error));
  } finally {
    running -= 1;
  }
}

async function book({ username, slots }: FilledArtist): Promise<void> {
  const wish = slots.next().value;
  const start = performance.now();
  const requested = await expectSuccess(() => requestSlot(url, username, wish));
  await expectSuccess(() => confirmSlot(url, requested));
  const { id }: { id: string } = JSON.parse(requested.text);
  acknowledged.push(id);
  seen.bookings.push(performance.now() - start);
}

async function view(path: string): Promise<void> {
  await expectSuccess(async () => {
    const start = performance.now();
    const { status } = await getRaw(url + path, BROWSER_HEADERS);
    seen.views.push(performance.now() - start);
    return { status, text: path };
  });
}

/** With `--kill`, sends again while the server is gone or says that it starts. @throws Error when it is refused */
async function expectSuccess(send: () => Promise<Reply>): Promise<Reply> {
  const end = Date.now() + (values.kill ? LONGEST_RETRY_MS : 0);
  for (;;) {
    const reply = await send().catch((error: unknown) => ({ status: 503, text: String(error) }));
    if (reply.status < 300) return reply;
    if (reply.status !== 503 || Date.now() > end) throw new Error(`${reply.status} ${reply.text}`);
    await sleep(RETRY_MS);
  }
}

function monthOf(instant: number): string {
  const date = new Date(instant);
  return `year=${date.getUTCFullYear()}&month=${date.getUTCMonth() + 1}`;
}

/**
 * Acknowledged bookings that are not stored, or have other mails than one to each side. The client may have got
 * another one before the confirmation.
 */
async function findLost(): Promise<string[]> {
  const rows = await queryRows<{ id: string; status: string; kind: string; mail_id: string }>(
    databaseUrl,
    `SELECT appointments.id, appointments.status, notice->>'kind' AS kind, mails.id AS mail_id
     FROM appointments LEFT JOIN mails ON appointment_id = appointments.id AND mails.status = 'sent'
     WHERE appointments.id = ANY ($1)`,
    [acknowledged],
  );
  const stored = Map.groupBy(rows, ({ id }) => id);
  return acknowledged.flatMap((id) => {
    const facts = (stored.get(id) ?? [])
      .map(({ status, kind, mail_id: mail }) => {
        const times = mails.deliveries.get(mail) ?? 0;
        // A killed server does not know of its last mails that they were sent.
        return `${status}: ${kind} ${times > 1 && values.kill ? 1 : times} times`;
      })
      .toSorted()
      .join(', ');
    const isWhole =
      /^confirmed: booked 1 times, (confirmed: hold 1 times, )?confirmed: new_booking 1 times$/;
    return isWhole.test(facts) ? [] : [`appointment ${id}: ${facts || 'not stored'}`];
  });
}

function judgeGrowth(): void {
  for (const name of ['server', 'database'] as const) {
    const points = samples.slice(sampleCount / 3).map((one) => [one.minute, one[name]] as const);
    const growth = slope(points);
    console.log(`The ${name} grows by ${growth.toFixed(2)} MB a minute, at most ${MAX_GROWTH}`);
    if (growth > MAX_GROWTH && minutes >= SHORTEST_MINUTES_FOR_GROWTH)
      errors.push(`The memory of the ${name} grows`);
  }
}
