import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { refuse } from '#domain/refusal.ts';
import { openDatabase } from '#server/database/connect.ts';
import { change } from '#server/operations/change.ts';
import type { Context } from '#server/operations/context.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addAppointment, addArtist } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

const invalidates: readonly string[] = [];

test.each(['calendar', 'artist'] as const)(
  'changes with the lock %s of one artist run one at a time, across servers',
  async (lock) => {
    const { database, databaseUrl } = await openTestApp();
    const { context } = await openTestContext({ database });
    const otherServer = { ...context, database: openDatabase(databaseUrl, 5) };
    const { id: artistId } = await addArtist(database);
    let running = 0;
    let maxRunning = 0;
    const work = async ({ database }: Pick<Context, 'database'>) => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      // Long enough for the others to begin, if they could.
      await sql`SELECT pg_sleep(0.1)`.execute(database);
      running -= 1;
    };
    const servers = [context, otherServer, context, otherServer, context, otherServer];
    await Promise.all(
      servers.map((server) => change(server, { lock, artistId, invalidates }, work)),
    );
    await otherServer.database.destroy();
    expect(maxRunning).toBe(1);
  },
);

test.each(['calendar', 'artist'] as const)(
  'the lock %s of one artist does not block another artist’s',
  async (lock) => {
    const { context, database, artist: one } = await openArtistContext();
    const other = await addArtist(database);
    const order: string[] = [];
    await change(context, { lock, artistId: one.id, invalidates }, async () => {
      await change(context, { lock, artistId: other.id, invalidates }, async () => {
        order.push('other');
      });
      order.push('one');
    });
    expect(order).toEqual(['other', 'one']);
  },
);

test('the time passed to the work never goes back from one change to the next', async () => {
  const { context, artist } = await openArtistContext();
  const times: number[] = [];
  const scope = { lock: 'calendar', artistId: artist.id, invalidates } as const;
  const work = async (_context: unknown, now: number) => {
    times.push(now);
  };
  await Promise.all([1, 2, 3, 4].map(() => change(context, scope, work)));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test('an overlap that the database refuses becomes time_taken, and nothing is saved', async () => {
  const { context, database, artist } = await openArtistContext();
  await addAppointment(database, artist);
  const scope = { lock: 'calendar', artistId: artist.id, invalidates } as const;
  const booking = change(context, scope, async ({ database }) => {
    await addAppointment(database, artist, { lastName: 'Second' });
  });
  await expect(booking).rejects.toMatchObject({ reason: 'time_taken' });
  const rows = await database
    .selectFrom('appointments')
    .select('last_name')
    .where('artist_id', '=', artist.id)
    .execute();
  expect(rows).toEqual([{ last_name: 'Quint' }]);
});

test.each(['40P01', '40001'])(
  'work that fails with %s is retried three times, then refused as busy',
  async (code) => {
    const { context } = await openArtistContext();
    let attempts = 0;
    const failing = change(context, { invalidates }, async ({ database }) => {
      attempts += 1;
      const raise = `DO $$ BEGIN RAISE EXCEPTION 'In the way' USING ERRCODE = '${code}'; END $$`;
      await sql.raw(raise).execute(database);
    });
    await expect(failing).rejects.toMatchObject({ reason: 'busy' });
    expect(attempts).toBe(4);
  },
);

test('other errors are thrown without a retry, and do not block the next change', async () => {
  const { context, artist } = await openArtistContext();
  let attempts = 0;
  const scope = { lock: 'calendar', artistId: artist.id, invalidates } as const;
  const failing = change(context, scope, async () => {
    attempts += 1;
    throw new Error('A bug');
  });
  const next = change(context, scope, async () => 'done');
  await expect(failing).rejects.toThrow('A bug');
  expect([attempts, await next]).toEqual([1, 'done']);
});

test('tags are invalidated after the commit and before the response', async () => {
  const { context, database, artist } = await openArtistContext();
  const order: string[] = [];
  const invalidate = async (tags: readonly string[]) => {
    const { about_me } = await database
      .selectFrom('artists')
      .select('about_me')
      .where('id', '=', artist.id)
      .executeTakeFirstOrThrow();
    order.push(`${tags} invalidated, committed: ${about_me}`);
  };
  const response = await change(
    { ...context, invalidate },
    { invalidates: (result: string) => ['artist:one', `designs:${result}`] },
    async ({ database }) => {
      await database
        .updateTable('artists')
        .set({ about_me: 'Swallows' })
        .where('id', '=', artist.id)
        .execute();
      return 'two';
    },
  );
  expect([...order, response]).toEqual([
    'artist:one,designs:two invalidated, committed: Swallows',
    'two',
  ]);
});

test.each([refuse('not_found'), new Error('A bug')])(
  'a change whose work throws invalidates nothing: %s',
  async (error) => {
    const { context, invalidatedTags } = await openArtistContext();
    const scope = { invalidates: ['artist:one'] };
    await expect(change(context, scope, () => Promise.reject(error))).rejects.toBe(error);
    expect(invalidatedTags).toEqual([]);
  },
);

test('a change whose commit failed invalidates its tags, because it may have been committed', async () => {
  const { context, invalidatedTags } = await openArtistContext();
  const scope = { invalidates: ['artist:one'] };
  const losing = change(context, scope, async ({ database }) => {
    const endConnection = sql`SELECT pg_terminate_backend(pg_backend_pid())`;
    await endConnection.execute(database).catch(() => {});
  });
  await expect(losing).rejects.toThrow();
  expect(invalidatedTags).toEqual(['artist:one']);
});
