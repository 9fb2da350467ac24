import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Benchmark } from './benchmark.ts';
import type { ChildServer } from './child_server.ts';
import { fill } from './many_artists.ts';
import { compareLatencies, timeAlternately } from './rounds.ts';
import { openSandbox } from './sandbox.ts';

const CLIENTS = 50;
/** Requests of one client, one after the other. */
const ALONE = 20;
const ARTISTS = 50;
/** Enough that each artist is asked in one round only, by one side. */
const ALL_ARTISTS = 3000;
const WITHOUT_LOCK = new URL('baselines/without_calendar_lock.ts', import.meta.url).href;

export const designRequests: Benchmark = {
  name: 'design-requests',
  title: 'a request for a design, 50 clients at once, with the lock of the artist’s calendar',
  baseline: 'the same program without this lock',
  // On a busy machine the program compared with itself differs by half.
  target: 'none',
  method:
    'Each of 50 clients sends one request after the other, all to one artist, or to 50 artists in turn; mails included. `alone` is the median latency of one client. `time` is that of all requests divided by their number, the inverse of the requests per second; `p95` the latency that 95 % of them stay below, both medians of the rounds. Two servers on one database answer by turns, each time to artists without earlier requests, and once all mails are sent. The yardstick locks only the artist’s row, as the program did before clients could be merged and erased. The ratio is the worst of the figures’.',
  async measure(scale) {
    await using place = await openSandbox();
    await using ours = await place.serve();
    const databaseUrl = await place.databaseUrl();
    await fill(databaseUrl, ALL_ARTISTS, 0);
    await offerDesigns(databaseUrl);
    const settings = { DATABASE_URL: databaseUrl, SECRET_KEY: 'secret of a benchmark' };
    await using yardstick = await place.serve(settings, ['--import', WITHOUT_LOCK]);
    const usernames = listUsernames();
    const requests = scale === 'full' ? 100 : 50;
    return compareLatencies(
      await timeAlternately(
        { rounds: scale === 'full' ? 12 : 5, warmUp: 3 },
        () => requestDesigns(ours, databaseUrl, usernames, requests),
        () => requestDesigns(yardstick, databaseUrl, usernames, requests),
      ),
    );
  },
};

/** Lets the artists of `many_artists.sql` take requests without a time. */
async function offerDesigns(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `UPDATE artists SET scheduling_type = 'managed', email_proven_at = now()
     WHERE username LIKE 'artist-%'`,
  );
  await client.end();
}

/** Waits until the mails of earlier requests are sent. */
async function waitForJobs(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const due = `SELECT FROM pgboss.job WHERE state IN ('created', 'retry', 'active') AND start_after <= now()`;
    while ((await client.query(due)).rowCount !== 0) await sleep(200);
  } finally {
    await client.end();
  }
}

/** Names of artists of `many_artists.sql`, each once. */
function* listUsernames(): Generator<string, never> {
  for (let nth = 1; ; nth += 1) yield `artist-${nth}`;
}

async function requestDesigns(
  server: ChildServer,
  databaseUrl: string,
  usernames: Generator<string, never>,
  requests: number,
): Promise<[name: string, milliseconds: number][]> {
  const took: [string, number][] = [];
  await waitForJobs(databaseUrl);
  for (let nth = 0; nth < ALONE; nth += 1)
    took.push(['alone', await requestDesign(server, usernames.next().value)]);
  for (const [name, artists] of [
    ['one artist', 1],
    [`${ARTISTS} artists`, ARTISTS],
  ] as const) {
    const asked = Array.from({ length: artists }, () => usernames.next().value);
    const left = Array.from({ length: requests }, (_, nth) => asked[nth % artists] ?? '');
    const latencies: number[] = [];
    await waitForJobs(databaseUrl);
    const start = performance.now();
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let username = left.pop(); username; username = left.pop())
          latencies.push(await requestDesign(server, username));
      }),
    );
    took.push([`time, ${name}`, (performance.now() - start) / requests]);
    const sorted = latencies.toSorted((a, b) => a - b);
    took.push([`p95, ${name}`, sorted[Math.floor(requests * 0.95)] ?? Number.NaN]);
  }
  return took;
}

/** Sends a request as the form does; the milliseconds until the answer. */
async function requestDesign({ url }: ChildServer, username: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${url}/api/v1/appointments/request/design?username=${username}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
    body: JSON.stringify({
      ...{ first_name: 'Rosa', email: `client-${randomUUID()}@example.com`, location: 'arms' },
      customer_notes: 'A swallow, please.',
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`A request is answered ${response.status} ${text}`);
  return performance.now() - start;
}
