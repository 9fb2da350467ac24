// `npm run bench:rush -- <folder>`: bookings a second of this program, by turns with another checkout of it in the
// folder, built and with its packages. 50 clients book with one artist, then with 20 at once; prints rates and ratios.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SECOND_MS } from '#domain/time/time.ts';
import { type BookingRequest, bookOverHttp, runClients } from './bookings.ts';
import { stopAll } from './child_server.ts';
import { type FilledArtist, runSqlFile, sampleArtists, waitForMails } from './database.ts';
import { measureAlternately, median, medianRatio, percentile } from './rounds.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';

const CLIENTS = 50;
const SHARED_ARTISTS = 20;
/** Each round with one artist has another one, because bookings take longer the more an artist has. */
const ROUNDS = 5;
const APPOINTMENTS_PER_ARTIST = 50;
const LONGEST_DELIVERY_MS = 120 * SECOND_MS;

/** A program with its artists; the rates and the slowest bookings of its rounds. */
interface Side {
  readonly url: string;
  readonly databaseUrl: string;
  readonly artists: FilledArtist[];
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopAll);
const [folder] = parseArgs({ allowPositionals: true }).positionals;
if (folder === undefined) {
  console.error('Usage: npm run bench:rush -- <folder of another checkout>');
  process.exit(2);
}
await using ownPlace = await openSandbox();
await using otherPlace = await openSandbox(resolve(folder));
await using ownServer = await ownPlace.serve();
await using otherServer = await otherPlace.serve();
const ours = await openSide(ownPlace, ownServer.url);
const others = await openSide(otherPlace, otherServer.url);
await compare('one artist', 300, (side) => side.artists.splice(0, 1));
await compare(`${SHARED_ARTISTS} artists`, 600, (side) => side.artists.slice(-SHARED_ARTISTS));

async function openSide(place: Sandbox, url: string): Promise<Side> {
  const databaseUrl = await place.databaseUrl();
  const all = SHARED_ARTISTS + ROUNDS + 1;
  await runSqlFile(databaseUrl, 'many_artists.sql', {
    artists: all,
    each: APPOINTMENTS_PER_ARTIST,
  });
  return { url, databaseUrl, artists: await sampleArtists(databaseUrl, { sampled: all, all }) };
}

/** @param choose the artists of a round; it is called once for each round of each side */
async function compare(
  name: string,
  bookings: number,
  choose: (side: Side) => readonly FilledArtist[],
): Promise<void> {
  const slowest = new Map<Side, number[]>([
    [ours, []],
    [others, []],
  ]);
  const measure = async (side: Side) => {
    const { rate, slow } = await book(side, choose(side), bookings);
    slowest.get(side)?.push(slow);
    // They would slow the next round.
    await waitForMails(side.databaseUrl, LONGEST_DELIVERY_MS);
    return rate;
  };
  const rounds = await measureAlternately(
    ROUNDS,
    () => measure(ours),
    () => measure(others),
  );
  const [rate, otherRate] = [rounds.ours, rounds.baseline].map((rates) => median(rates).toFixed(1));
  const [slow, otherSlow] = [...slowest.values()].map((all) => median(all.slice(1)).toFixed(0));
  console.log(
    `${name}: ${rate} bookings a second against ${otherRate}, ${medianRatio(rounds).toFixed(2)} times as many`,
  );
  console.log(`  one in twenty took longer than ${slow} ms, against ${otherSlow} ms`);
}

/** @returns the bookings a second, and the milliseconds that 95 % of them did not exceed */
async function book(
  { url }: Side,
  artists: readonly FilledArtist[],
  bookings: number,
): Promise<{ readonly rate: number; readonly slow: number }> {
  const owners = new Map<BookingRequest, string>();
  for (let number = 0; number < bookings; number += 1) {
    const artist = artists[number % artists.length];
    if (artist) owners.set(artist.slots.next().value, artist.username);
  }
  const times: number[] = [];
  const seconds = await runClients(CLIENTS, [...owners.keys()], async (wish) => {
    const start = performance.now();
    await bookOverHttp(url, owners.get(wish) ?? '', wish);
    times.push(performance.now() - start);
  });
  return { rate: bookings / seconds, slow: percentile(times, 0.95) };
}
