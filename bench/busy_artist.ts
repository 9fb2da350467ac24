import { callAsArtist, logIn } from './api.ts';
import type { Benchmark } from './benchmark.ts';
import type { ChildServer } from './child_server.ts';
import { queryRows, runSqlFile } from './database.ts';
import { compareLatencies, timeAlternately, timeCalls } from './rounds.ts';
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
    await runSqlFile(databaseUrl, 'many_artists.sql', { artists: 2, each: 0 });
    const measured = (rounds + WARM_UP) * CLIENTS_PER_ROUND;
    const numbers = { measured, others: 5000, mails: 180_000, messages: 20_000 };
    await runSqlFile(databaseUrl, 'busy_artist.sql', numbers);
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
  const rows = await queryRows<{ id: string }>(
    databaseUrl,
    `SELECT clients.id FROM clients JOIN artists ON artists.id = artist_id
     WHERE username = $1 AND clients.email LIKE 'measured-%'`,
    [username],
  );
  return { url, token: await logIn(url, username), clientIds: rows.map(({ id }) => id) };
}

function callAll({ url, token, clientIds }: Studio) {
  const [erased, kept, merged] = clientIds.splice(0, CLIENTS_PER_ROUND);
  const body = { client_id: merged };
  return timeCalls([
    ['erase', () => callAsArtist(url, token, `POST /clients/${erased}/erase`)],
    ['merge', () => callAsArtist(url, token, `POST /clients/${kept}/merge`, body)],
  ]);
}
