import type { Availability } from '#contract/availability.ts';
import type { Benchmark } from './benchmark.ts';
import { startServer } from './child_server.ts';
import { queryRows } from './database.ts';
import { compareUnderLoad } from './load.ts';
import { openSandbox } from './sandbox.ts';

/** Responses to requests with a token are never cached; a public call ignores the token. */
const UNCACHED_HEADERS = { Authorization: 'Bearer none' };
const CONNECTIONS = 50;

export const availabilityMonth: Benchmark = {
  name: 'availability',
  title: 'availability month over HTTP, uncached',
  baseline: 'bare `pg` running one indexed query behind `node:http`',
  target: { atLeast: 0.55 },
  method: `Answers per second on ${CONNECTIONS} connections, a demo artist’s next month with two appointments a day; past the cache by an \`Authorization\` header. The query reads what keeps the artist’s time in that month.`,
  async measure(scale) {
    await using place = await openSandbox();
    await using server = await place.serve();
    const databaseUrl = await place.databaseUrl();
    const { year, month } = nextMonth(new Date());
    const { artistId, serviceId } = await fillMonth(databaseUrl, year, month);
    await using bare = await startServer('bench/baselines/availability_query.ts', {
      DATABASE_URL: databaseUrl,
      ARTIST_ID: artistId,
      FROM: new Date(Date.UTC(year, month - 1, -1)).toISOString(),
      UNTIL: new Date(Date.UTC(year, month, 3)).toISOString(),
    });
    const url = `${server.url}/api/v1/services/${serviceId}/availability?year=${year}&month=${month}`;
    const { data }: Availability = await (await fetch(url)).json();
    if (data.length === 0) throw new Error('The month has no slots');

    const how = {
      connections: CONNECTIONS,
      seconds: scale === 'full' ? 4 : 2,
      headers: UNCACHED_HEADERS,
    };
    return await compareUnderLoad(
      scale === 'full' ? 7 : 3,
      { ...how, url, pid: server.pid },
      { ...how, url: bare.url, pid: bare.pid },
    );
  },
};

function nextMonth(now: Date): { year: number; month: number } {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  return { year: first.getUTCFullYear(), month: first.getUTCMonth() + 1 };
}

/** Two appointments a day beside those that the demo has. */
async function fillMonth(databaseUrl: string, year: number, month: number) {
  const [found] = await queryRows<{ artist_id: string; service_id: string }>(
    databaseUrl,
    `SELECT artists.id AS artist_id, services.id AS service_id
     FROM artists JOIN services ON services.artist_id = artists.id
     WHERE username = 'ana' AND is_available AND services.deleted_at IS NULL
     ORDER BY duration_minutes LIMIT 1`,
  );
  if (!found) throw new Error('The demo has no services');
  await queryRows(
    databaseUrl,
    `WITH
       me AS (SELECT * FROM artists WHERE id = $1),
       client AS (INSERT INTO clients (artist_id) SELECT id FROM me RETURNING id),
       starts AS (
         SELECT day + hour * interval '1 hour' AS start
         FROM generate_series($2::timestamptz, $2::timestamptz + interval '29 days', '1 day') day,
           unnest(ARRAY[16, 19]) hour),
       booked AS (
         INSERT INTO appointments (artist_id, studio_id, client_id, status, customer_notes)
         SELECT me.id, me.studio_id, client.id, 'confirmed', start FROM me, client, starts
         RETURNING id, artist_id, studio_id, customer_notes::timestamptz AS start)
     INSERT INTO appointment_times (appointment_id, artist_id, studio_id, during, blocked, occupies)
     SELECT id, artist_id, studio_id, tstzrange(start, start + interval '1 hour'),
       tstzrange(start, start + interval '75 minutes'), true FROM booked
     ON CONFLICT DO NOTHING`,
    [found.artist_id, new Date(Date.UTC(year, month - 1, 1))],
  );
  await queryRows(databaseUrl, 'ANALYZE');
  return { artistId: found.artist_id, serviceId: found.service_id };
}
