import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Benchmark } from './benchmark.ts';
import type { ChildServer } from './child_server.ts';
import { fill, logIn } from './many_artists.ts';
import { compareLatencies, timeAlternately } from './rounds.ts';
import { openSandbox } from './sandbox.ts';

const WARM_UP = 5;
/** Each round erases one client, and merges two. */
const CLIENTS_PER_ROUND = 3;

export const busyArtist: Benchmark = {
  name: 'busy-artist',
  title:
    'erasing and merging clients of an artist with 200,000 mails, 20,000 appointments and 20,000 messages',
  baseline: 'of an artist with some 200 mails and 100 appointments',
  target: { atMost: 3 },
  method:
    'Median latency of one artist who asks one thing after the other, of both artists by turns. Each client who is erased or merged has one appointment and two mails. The artist’s calendar is locked for no longer than the call. The ratio is the worst of the calls’.',
  async measure(scale) {
    const rounds = scale === 'full' ? 40 : 15;
    await using place = await openSandbox();
    await using server = await place.serve();
    const databaseUrl = await place.databaseUrl();
    await fill(databaseUrl, 2, 0);
    const measured = (rounds + WARM_UP) * CLIENTS_PER_ROUND;
    await addClients(databaseUrl, { measured, others: 5000, mails: 180_000, messages: 20_000 });
    const [busy, quiet] = [
      await openStudio(server, databaseUrl, 'artist-1'),
      await openStudio(server, databaseUrl, 'artist-2'),
    ];
    return compareLatencies(
      await timeAlternately(
        { rounds, warmUp: WARM_UP },
        () => callAll(busy),
        () => callAll(quiet),
      ),
    );
  },
};

/** Adds the clients of `busy_artist.sql`: `measured` ones to both artists, and all others to the busy one. */
export async function addClients(
  databaseUrl: string,
  numbers: Readonly<Record<'measured' | 'others' | 'mails' | 'messages', number>>,
): Promise<void> {
  const sql = await readFile(join(import.meta.dirname, 'busy_artist.sql'), 'utf8');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const filled = Object.entries(numbers).reduce(
      (text, [name, number]) => text.replaceAll(`:${name}`, String(number)),
      sql,
    );
    // One by one: VACUUM cannot run in a transaction with others.
    for (const statement of filled.split(';\n')) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** An artist, with the clients that no round has used yet. */
interface Studio {
  readonly url: string;
  readonly token: string;
  /** The ids of the clients to erase and to merge. */
  readonly clientIds: string[];
}

async function openStudio(
  { url }: ChildServer,
  databaseUrl: string,
  username: string,
): Promise<Studio> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      `SELECT clients.id FROM clients JOIN artists ON artists.id = artist_id
       WHERE username = $1 AND clients.email LIKE 'measured-%'`,
      [username],
    );
    return { url, token: await logIn(url, username), clientIds: rows.map(({ id }) => id) };
  } finally {
    await client.end();
  }
}

async function callAll(studio: Studio): Promise<[name: string, milliseconds: number][]> {
  const [erased, kept, merged] = studio.clientIds.splice(0, CLIENTS_PER_ROUND);
  return [
    ['erase', await time(studio, `/clients/${erased}/erase`)],
    ['merge', await time(studio, `/clients/${kept}/merge`, { client_id: merged })],
  ];
}

/** Posts to the API; the milliseconds until the answer. */
async function time({ url, token }: Studio, path: string, body?: object): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  const took = performance.now() - start;
  if (!response.ok) throw new Error(`${path} is answered ${response.status}`);
  return took;
}
