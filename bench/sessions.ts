import { callAsArtist, logIn } from './api.ts';
import type { Benchmark } from './benchmark.ts';
import type { ChildServer } from './child_server.ts';
import { runSqlFile } from './database.ts';
import { compareLatencies, timeAlternately, timeCalls } from './rounds.ts';
import { openSandbox } from './sandbox.ts';

const FILLED = { artists: 10_000, each: 0 };
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
    for (const place of [manyPlace, fewPlace])
      await runSqlFile(await place.databaseUrl(), 'many_artists.sql', FILLED);
    const each = scale === 'full' ? 100 : 10;
    await runSqlFile(await manyPlace.databaseUrl(), 'sessions.sql', { each });
    const [callsOfMany, callsOfFew] = [await listCalls(many), await listCalls(few)];
    return compareLatencies(
      await timeAlternately(
        { rounds: scale === 'full' ? 1000 : 200, warmUp: 100 },
        () => timeCalls(callsOfMany),
        () => timeCalls(callsOfFew),
      ),
    );
  },
};

/** A call of each account, by the sessions that the account has. */
function listCalls({ url }: ChildServer) {
  return Promise.all(
    ACCOUNTS.map(async ([name, username]) => {
      const token = await logIn(url, username);
      return [name, () => callAsArtist(url, token, 'GET /users/me')] as const;
    }),
  );
}
