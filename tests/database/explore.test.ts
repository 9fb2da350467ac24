import { type RawBuilder, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { GRACE_MS, TRIAL_MS } from '#domain/accounts/subscription.ts';
import { EXPLORE_CHOICES_FROM } from '#domain/studio/explore.ts';
import { type Database, openDatabase } from '#server/database/connect.ts';
import * as explore from '#server/database/explore.ts';
import { createDatabaseCopy } from '#support/test_database.ts';

const ARTISTS = 20_000;
const LAST_ID = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
const HALF_HOUR_MS = 30 * 60_000;
/** Blocks of 8 kB. A list has 25 rows, each in a block of its own at worst; then the index. */
const MAX_BLOCKS = 60;
/** Blocks of artists and studios: those of the newest artists, whose cities and styles are offered. */
const MAX_BLOCKS_OF_ARTISTS = 10 * EXPLORE_CHOICES_FROM;

const TABLES = ['explore_listings', 'explore_styles', 'artists', 'studios'];

/** How many blocks of the lists, and of artists and studios, were read so far, with their indexes. */
async function countBlockReads(database: Database) {
  await sql`SELECT pg_stat_force_next_flush()`.execute(database);
  const { rows } = await sql<{ ofLists: number; ofArtists: number }>`
    SELECT sum(blocks) FILTER (WHERE is_list)::int AS "ofLists", sum(blocks) FILTER (WHERE NOT is_list)::int AS "ofArtists"
    FROM (SELECT relname LIKE 'explore%' AS is_list, heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit AS blocks
      FROM pg_statio_user_tables WHERE relname = any(${TABLES})) AS tables
  `.execute(database);
  return rows[0] ?? { ofLists: Number.NaN, ofArtists: Number.NaN };
}

test.for<[string, RawBuilder<unknown>]>([
  ['most artists have no subscription', sql`CASE WHEN n % 10 = 0 THEN 'infinity' END`],
  ['most artists have a subscription', sql`CASE WHEN n % 1000 > 0 THEN 'infinity' END`],
  [
    'some payments are overdue',
    sql`CASE n % 3 WHEN 0 THEN 'infinity' WHEN 1 THEN now() - n % 5 * interval '1 day' END`,
  ],
])('a list of Explore reads few blocks when %s', { timeout: 60_000 }, async ([, paidUntil]) => {
  // PostgreSQL counts the reads of all its processes, each up to ten seconds late. So nobody else may
  // read the table: a database that no test has used, one connection, no autovacuum.
  const database = openDatabase(await createDatabaseCopy(), 1);
  onTestFinished(() => database.destroy());
  for (const table of TABLES)
    await sql`ALTER TABLE ${sql.table(table)} SET (autovacuum_enabled = false)`.execute(database);
  await sql`SET session_replication_role = replica`.execute(database);
  await sql`
    INSERT INTO explore_listings
    SELECT gen_random_uuid(), date_trunc('milliseconds', now() - n * interval '30 minutes'),
      CASE WHEN n % 1000 = 0 THEN 'rare' WHEN n % 3 = 0 THEN 'portland' ELSE 'new york' END,
      (${paidUntil})::timestamptz
    FROM generate_series(1, ${sql.lit(ARTISTS)}) n
  `.execute(database);
  await sql`
    INSERT INTO explore_styles
    SELECT artist_id, style, city, created_at, paid_until FROM explore_listings,
      unnest(CASE WHEN hashtext(artist_id::text) % 1000 = 0 THEN '{Tribal}' ELSE '{Realism,Anime}'::text[] END) style
  `.execute(database);
  await sql`
    INSERT INTO studios (id, name, address_one, city, state, zip_code, time_zone)
    SELECT artist_id, 'The Studio', '', city, '', '', 'America/New_York' FROM explore_listings
  `.execute(database);
  await sql`
    INSERT INTO artists (id, studio_id, username, email, mailbox, full_name, password_hash)
    SELECT artist_id, artist_id, artist_id, artist_id, artist_id, 'An Artist', '' FROM explore_listings
  `.execute(database);
  await sql`VACUUM ANALYZE explore_listings, explore_styles, artists, studios`.execute(database);
  let before = await countBlockReads(database);
  const expectFewBlocks = async (what: string, load: () => Promise<unknown>, max = MAX_BLOCKS) => {
    // After five runs, PostgreSQL may plan a statement once for all parameters.
    for (let run = 0; run < 7; run += 1) {
      await load();
      const blocks = await countBlockReads(database);
      expect(blocks.ofLists - before.ofLists, what).toBeLessThan(max);
      expect(blocks.ofArtists - before.ofArtists, what).toBeLessThan(MAX_BLOCKS_OF_ARTISTS);
      before = blocks;
    }
  };
  const now = Date.now();
  const billing = { trialsAfter: now - TRIAL_MS, paidAfter: now - GRACE_MS };
  const middle = { createdAt: now - (ARTISTS / 2) * HALF_HOUR_MS, artistId: LAST_ID };
  const choices = [undefined, 'Anime', 'Tribal', 'Scratch'].flatMap((style) =>
    [undefined, 'Portland', 'rare', 'nowhere'].map((city) => ({ city, style })),
  );
  await expectFewBlocks('cities', () => explore.listCities(database));
  await expectFewBlocks('styles', () => explore.listStyles(database));
  for (const choice of choices) {
    const what = `${choice.style}, ${choice.city}`;
    await expectFewBlocks(`closings, ${what}`, () =>
      explore.findNextClosings(database, choice, billing),
    );
    for (const after of [undefined, middle]) {
      const filter = { ...choice, after, limit: 25 };
      const from = `${what}, ${after ? 'middle' : 'start'}`;
      await expectFewBlocks(`all, ${from}`, () => explore.listOpenArtists(database, filter, null));
      // Two lists: those in their trial, and those with a subscription.
      await expectFewBlocks(
        `open, ${from}`,
        () => explore.listOpenArtists(database, filter, billing),
        2 * MAX_BLOCKS,
      );
      await expectFewBlocks(`closed, ${from}`, () =>
        explore.listClosedArtists(database, filter, billing),
      );
    }
  }
});
