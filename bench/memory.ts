import type { Benchmark } from './benchmark.ts';
import { queryRows } from './database.ts';
import { GARBAGE_COLLECTION_OPTIONS, residentMegabytes } from './resident_memory.ts';
import { openSandbox } from './sandbox.ts';
import { openTaskWorker } from './task_worker.ts';
import type { VisitTask } from './visitors.ts';

const VISITORS = 50;
const CACHE_MB = 64;
/** With 1,000, malloc grows by another 30 MB later, whatever the size of the cache. */
const WARM_UP_VIEWS = 10_000;

export const memory: Benchmark = {
  name: 'memory',
  title: 'memory of the server after 100,000 page views over 5,000 artists, less that at rest',
  baseline: 'the page cache’s bound',
  // 25 MB on top: the tables of so many entries, and memory that malloc keeps.
  target: { atMost: 1.39 },
  method: `Resident memory of the server’s process once garbage is collected: after ${WARM_UP_VIEWS} views of one page past the cache, when V8 and malloc have what they need for this load, and after the views, of which a few artists get the most; \`PAGE_CACHE_MB\` is ${CACHE_MB}.`,
  async measure(scale) {
    const [artists, views] = scale === 'full' ? [5000, 100_000] : [500, 5000];
    await using place = await openSandbox();
    const settings = { PAGE_CACHE_MB: String(CACHE_MB) };
    await using server = await place.serve(settings, GARBAGE_COLLECTION_OPTIONS);
    await addArtists(await place.databaseUrl(), artists);
    await using visitors = openTaskWorker<VisitTask, void>('visitors.ts');
    const look = (paths: string[]) => visitors.run({ url: server.url, visitors: VISITORS, paths });

    await look(new Array<string>(WARM_UP_VIEWS).fill('/ana/?uncached=1'));
    const before = await residentMegabytes(server);
    await look(
      Array.from({ length: views }, (_, view) => `/artist-${popularArtist(view, artists)}/`),
    );
    const after = await residentMegabytes(server);
    const grown = after - before;
    return {
      ratio: grown / CACHE_MB,
      ours: `${grown.toFixed(0)} MB`,
      baseline: `${CACHE_MB} MB`,
      notes: [`${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after.`],
    };
  },
};

/** Spread over all artists, and most often on the first ones; the same in every run. */
function popularArtist(view: number, artists: number): number {
  const spread = (view * 0.618_033_988_75) % 1;
  return Math.floor(spread ** 3 * artists) + 1;
}

/** Artists like the demo's, with designs of their own. */
async function addArtists(databaseUrl: string, count: number): Promise<void> {
  await queryRows(
    databaseUrl,
    `WITH added AS (
       INSERT INTO artists (username, email, mailbox, full_name, password_hash, about_me,
         scheduling_type, studio_id)
       SELECT 'artist-' || n, 'artist-' || n || '@example.com', 'artist-' || n || '@example.com',
         'Artist ' || n, '', about_me, scheduling_type, studio_id
       FROM artists, generate_series(1, $1::int) n WHERE username = 'ana'
       RETURNING id),
     hours AS (
       INSERT INTO schedules
       SELECT added.id, weekly, slot_interval_minutes, buffer_minutes, minimum_notice_minutes,
         booking_range
       FROM added, schedules JOIN artists ON artists.id = artist_id WHERE username = 'ana')
     INSERT INTO designs (artist_id, image_id, name, description, status, position)
     SELECT added.id, image_id, name, description, status, position
     FROM added, designs JOIN artists ON artists.id = artist_id WHERE username = 'ana'`,
    [count],
  );
  await queryRows(databaseUrl, 'ANALYZE');
}
