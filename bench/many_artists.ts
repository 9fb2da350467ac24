import { DAY_MS } from '#domain/time/time.ts';
import { callAsArtist, logIn } from './api.ts';
import type { Benchmark } from './benchmark.ts';
import { bookOverHttp } from './bookings.ts';
import type { ChildServer } from './child_server.ts';
import { type FilledArtist, runSqlFile, sampleArtists } from './database.ts';
import { compareLatencies, type Timed, timeAlternately, timeCalls } from './rounds.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';

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
    const each = APPOINTMENTS_PER_ARTIST;
    await runSqlFile(await manyPlace.databaseUrl(), 'many_artists.sql', { artists, each });
    const filled = (performance.now() - start) / 1000;
    const sampled = { artists: SAMPLED_ARTISTS, each };
    await runSqlFile(await fewPlace.databaseUrl(), 'many_artists.sql', sampled);

    const clientsOfMany = await openStudios(many, manyPlace, artists);
    const clientsOfFew = await openStudios(few, fewPlace, SAMPLED_ARTISTS);
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

/** An artist's studio, as its clients and the artist call it. */
interface SampledArtist extends FilledArtist {
  readonly url: string;
  readonly token: string;
}

async function openStudios(
  { url }: ChildServer,
  place: Sandbox,
  all: number,
): Promise<SampledArtist[]> {
  const sampled = SAMPLED_ARTISTS;
  const artists = await sampleArtists(await place.databaseUrl(), { sampled, all });
  return Promise.all(
    artists.map(async (artist) => ({ ...artist, url, token: await logIn(url, artist.username) })),
  );
}

async function callAllOf(studios: readonly SampledArtist[]): Promise<Timed[]> {
  const took: Timed[] = [];
  for (const studio of studios) took.push(...(await callAll(studio)));
  return took;
}

/** Every call once; the milliseconds that each took. */
function callAll({ url, username, serviceId, token, slots }: SampledArtist): Promise<Timed[]> {
  const now = new Date();
  const month = `year=${now.getUTCFullYear()}&month=${now.getUTCMonth() + 1}`;
  const later = new Date(now.getTime() + 7 * DAY_MS);
  const schedule = `/appointments/schedule?start=${now.toISOString()}&end=${later.toISOString()}`;
  const read = (path: string) => callAsArtist(url, token, `GET ${path}`);
  return timeCalls([
    ['artist', () => read(`/users/artist/${username}`)],
    ['designs', () => read(`/designs/${username}/available`)],
    ['availability month', () => read(`/services/${serviceId}/availability?${month}`)],
    ['appointments', () => read('/appointments?limit=20')],
    ['schedule', () => read(schedule)],
    ['request + confirm', () => bookOverHttp(url, username, slots.next().value)],
  ]);
}
