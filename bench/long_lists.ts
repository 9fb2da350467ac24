import { callAsArtist, logIn } from './api.ts';
import type { Benchmark } from './benchmark.ts';
import { runSqlFile } from './database.ts';
import { compareLatencies, timeAlternately, timeCalls } from './rounds.ts';
import { openSandbox } from './sandbox.ts';

/** Each client has four appointments. */
const OTHER_CLIENTS = 2475;

/** The lists of the studio, as its pages ask for them. */
const LISTS = {
  requests: '/appointments?status=requested',
  upcoming: '/appointments?status=confirmed&when=upcoming&order=soonest',
  unmarked: '/appointments?status=confirmed&when=past&order=latest',
  past: '/appointments?when=past&order=latest',
  'all, the newest first': '/appointments?',
  'all, the soonest first': '/appointments?order=soonest',
  'all that match a search': '/appointments?search=rosa',
  offered: '/appointments?status=offered&order=soonest',
  clients: '/clients?',
  'clients that match a search': '/clients?search=rosa',
  messages: '/users/me/messages?',
  mails: '/mails?',
} as const;

export const longLists: Benchmark = {
  name: 'long-lists',
  title: 'lists and counts of a studio with 10,000 appointments, 2,500 clients and 40,000 mails',
  baseline: 'what they may take: 1.5 times as long as with 100 appointments, or 25 ms longer',
  target: { atMost: 1 },
  method:
    'Median latency of one artist who asks one thing after the other, of both artists by turns: 25 rows of each list, and how many there are. The yardstick is what the list may take, the longer of both bounds. The ratio is the worst of the lists’.',
  async measure(scale) {
    await using place = await openSandbox();
    await using server = await place.serve();
    const databaseUrl = await place.databaseUrl();
    await runSqlFile(databaseUrl, 'many_artists.sql', { artists: 2, each: 100 });
    const clients = { measured: 1, others: OTHER_CLIENTS, mails: 16 * OTHER_CLIENTS };
    await runSqlFile(databaseUrl, 'busy_artist.sql', { ...clients, messages: 2000 });
    const [long, short] = [
      await logIn(server.url, 'artist-1'),
      await logIn(server.url, 'artist-2'),
    ];
    const { ours, baseline } = await timeAlternately(
      { rounds: scale === 'full' ? 40 : 10, warmUp: 6 },
      () => readAll(server.url, long),
      () => readAll(server.url, short),
    );
    const allowed = new Map(
      [...baseline].map(([list, took]) => [list, took.map((ms) => Math.max(1.5 * ms, ms + 25))]),
    );
    return compareLatencies({ ours, baseline: allowed });
  },
};

/** Reads each list once; the milliseconds that each took. */
async function readAll(url: string, token: string) {
  const lists = Object.entries(LISTS).map(([name, path]) => {
    return [name, () => callAsArtist(url, token, `GET ${path}&limit=25`)] as const;
  });
  return timeCalls(lists);
}
