import type { Benchmark } from './benchmark.ts';
import { addClients } from './busy_artist.ts';
import { fill, logIn } from './many_artists.ts';
import { compareLatencies, timeAlternately } from './rounds.ts';
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
    await fill(databaseUrl, 2, 100);
    const mails = 16 * OTHER_CLIENTS;
    await addClients(databaseUrl, { measured: 1, others: OTHER_CLIENTS, mails, messages: 2000 });
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
async function readAll(
  url: string,
  token: string,
): Promise<[name: string, milliseconds: number][]> {
  const took: [string, number][] = [];
  for (const [name, path] of Object.entries(LISTS)) {
    const start = performance.now();
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/api/v1${path}&limit=25`, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} is answered ${response.status}`);
    took.push([name, performance.now() - start]);
  }
  return took;
}
