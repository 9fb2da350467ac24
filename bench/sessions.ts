import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Benchmark } from './benchmark.ts';
import type { ChildServer } from './child_server.ts';
import { fill, logIn } from './many_artists.ts';
import { getRaw } from './raw_http.ts';
import { compareLatencies, timeAlternately } from './rounds.ts';
import { openSandbox } from './sandbox.ts';

const ARTISTS = 10_000;
/** 'artist-2' has 200 sessions beside one million of others. */
const ACCOUNTS = [
  ['1 session', 'artist-1'],
  ['200 sessions', 'artist-2'],
] as const;

export const sessions: Benchmark = {
  name: 'sessions',
  title: 'a call of an artist (`GET /users/me`) with 1,000,000 sessions',
  baseline: 'with no sessions but those of the callers',
  target: { atMost: 1.2 },
  method:
    'Median latency of one client who asks one thing after the other, of both servers by turns. Both databases have 10,000 artists. One caller has one session, another 200, of which half have ended; at the yardstick each has one. The ratio is the worst of both.',
  async measure(scale) {
    await using manyPlace = await openSandbox();
    await using fewPlace = await openSandbox();
    await using many = await manyPlace.serve();
    await using few = await fewPlace.serve();
    for (const place of [manyPlace, fewPlace]) await fill(await place.databaseUrl(), ARTISTS, 0);
    await addSessions(await manyPlace.databaseUrl(), scale === 'full' ? 100 : 10);
    const [tokensOfMany, tokensOfFew] = [await logInAll(many), await logInAll(few)];
    return compareLatencies(
      await timeAlternately(
        { rounds: scale === 'full' ? 1000 : 200, warmUp: 100 },
        () => timeCalls(many, tokensOfMany),
        () => timeCalls(few, tokensOfFew),
      ),
    );
  },
};

async function addSessions(databaseUrl: string, each: number): Promise<void> {
  const sql = await readFile(join(import.meta.dirname, 'sessions.sql'), 'utf8');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // One by one: VACUUM cannot run in a transaction with others.
    for (const statement of sql.replaceAll(':each', String(each)).split(';\n'))
      await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The tokens of the accounts, by what they have. */
async function logInAll({ url }: ChildServer): Promise<[name: string, token: string][]> {
  const tokens: [string, string][] = [];
  for (const [name, username] of ACCOUNTS) tokens.push([name, await logIn(url, username)]);
  return tokens;
}

async function timeCalls(
  { url }: ChildServer,
  tokens: readonly (readonly [name: string, token: string])[],
): Promise<[name: string, milliseconds: number][]> {
  const took: [string, number][] = [];
  for (const [name, token] of tokens) {
    const start = performance.now();
    const { status } = await getRaw(`${url}/api/v1/users/me`, { Authorization: `Bearer ${token}` });
    took.push([name, performance.now() - start]);
    if (status !== 200) throw new Error(`/users/me is answered ${status}`);
  }
  return took;
}
