import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { DAY_MS } from '#domain/time.ts';
import type { Benchmark } from './benchmark.ts';
import { bookOverHttp, generateBookings } from './bookings.ts';
import type { ChildServer } from './child_server.ts';
import { compareLatencies, timeAlternately } from './rounds.ts';
import { openSandbox } from './sandbox.ts';

const APPOINTMENTS_PER_ARTIST = 100;
/** The calls go to this many artists, one after the other. */
const SAMPLED_ARTISTS = 10;

export const manyArtists: Benchmark = {
  name: 'many-artists',
  title: 'the same calls with 100,000 artists and 10 million appointments',
  baseline: 'with 10 artists and 1,000 appointments',
  target: { atMost: 1.25 },
  method:
    'Median latency of one client who asks one thing after the other, of both servers by turns: the calls of the artist page, an availability month, the artist’s list and schedule, a request and its confirmation. The ratio is the worst of the calls’.',
  async measure(scale) {
    const artists = scale === 'full' ? 100_000 : 2_000;
    await using manyPlace = await openSandbox();
    await using fewPlace = await openSandbox();
    await using many = await manyPlace.serve();
    await using few = await fewPlace.serve();
    const start = performance.now();
    await fill(await manyPlace.databaseUrl(), artists, APPOINTMENTS_PER_ARTIST);
    const filled = (performance.now() - start) / 1000;
    await fill(await fewPlace.databaseUrl(), SAMPLED_ARTISTS, APPOINTMENTS_PER_ARTIST);

    const clientsOfMany = await sampleArtists(many, manyPlace, artists);
    const clientsOfFew = await sampleArtists(few, fewPlace, SAMPLED_ARTISTS);
    const measured = compareLatencies(
      await timeAlternately(
        // Warmed up, each connection has prepared its statements, and pages are read from disk.
        { rounds: scale === 'full' ? 40 : 10, warmUp: 10 },
        () => callAllOf(clientsOfMany),
        () => callAllOf(clientsOfFew),
      ),
    );
    return {
      ...measured,
      notes: [
        ...measured.notes,
        `Filling ${artists} artists with ${artists * APPOINTMENTS_PER_ARTIST} appointments took ${filled.toFixed(0)} s.`,
      ],
    };
  },
};

/** Adds so many artists, each with `appointments` appointments. */
export async function fill(
  databaseUrl: string,
  artists: number,
  appointments: number,
): Promise<void> {
  const sql = await readFile(join(import.meta.dirname, 'many_artists.sql'), 'utf8');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const filled = sql
      .replaceAll(':artists', String(artists))
      .replaceAll(':each', String(appointments));
    // One by one: together they would be one transaction, in which nothing can be vacuumed.
    for (const statement of filled.split(';\n')) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** An artist's studio, as its clients and the artist call it. */
interface SampledArtist {
  readonly url: string;
  readonly username: string;
  readonly serviceId: string;
  readonly token: string;
  readonly slots: ReturnType<typeof generateBookings>;
}

/** Some artists, spread over all. */
async function sampleArtists(
  { url }: ChildServer,
  place: { databaseUrl(): Promise<string> },
  artists: number,
): Promise<SampledArtist[]> {
  const client = new pg.Client({ connectionString: await place.databaseUrl() });
  await client.connect();
  try {
    const { rows } = await client.query<{ username: string; service_id: string }>(
      `SELECT username, services.id AS service_id
       FROM artists JOIN services ON services.artist_id = artists.id WHERE username = ANY ($1)`,
      [
        Array.from(
          { length: SAMPLED_ARTISTS },
          (_, one) => `artist-${1 + one * (artists / SAMPLED_ARTISTS)}`,
        ),
      ],
    );
    return await Promise.all(
      rows.map(async ({ username, service_id: serviceId }) => ({
        url,
        username,
        serviceId,
        token: await logIn(url, username),
        // A year ahead, where nothing is booked yet.
        slots: generateBookings(serviceId, Math.ceil(Date.now() / DAY_MS + 365) * DAY_MS, 60),
      })),
    );
  } finally {
    await client.end();
  }
}

/** Logs in an artist of the demo or of `many_artists.sql`. */
export async function logIn(url: string, username: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/login/access-token`, {
    method: 'POST',
    body: new URLSearchParams({ username: `${username}@example.com`, password: 'tattoo-demo' }),
  });
  const { access_token }: { access_token: string } = await response.json();
  return access_token;
}

type Timed = [name: string, milliseconds: number];

async function callAllOf(studios: readonly SampledArtist[]): Promise<Timed[]> {
  const took: Timed[] = [];
  for (const studio of studios) took.push(...(await callAll(studio)));
  return took;
}

/** Every call once; the milliseconds that each took. */
async function callAll(studio: SampledArtist): Promise<Timed[]> {
  const { url, username, serviceId, token, slots } = studio;
  const now = new Date();
  const month = `year=${now.getUTCFullYear()}&month=${now.getUTCMonth() + 1}`;
  const later = new Date(now.getTime() + 7 * DAY_MS);
  const read = async (path: string) => {
    // The token bypasses the cache.
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/api/v1${path}`, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} is answered ${response.status}`);
  };
  const calls: [string, () => Promise<void>][] = [
    ['artist', () => read(`/users/artist/${username}`)],
    ['designs', () => read(`/designs/${username}/available`)],
    ['availability month', () => read(`/services/${serviceId}/availability?${month}`)],
    ['appointments', () => read('/appointments?limit=20')],
    [
      'schedule',
      () => read(`/appointments/schedule?start=${now.toISOString()}&end=${later.toISOString()}`),
    ],
    ['request + confirm', () => bookOverHttp(url, username, slots.next().value)],
  ];
  const took: Timed[] = [];
  for (const [name, call] of calls) {
    const start = performance.now();
    await call();
    took.push([name, performance.now() - start]);
  }
  return took;
}
