import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { builtOnce, builtOnceFor } from '#server/database/built_once.ts';
import { addArtist } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

test('a query is built once, and runs with its fixed values and the value of each run', async () => {
  const { database } = await openTestApp();
  const [ana, ben] = [await addArtist(database), await addArtist(database)];
  let builds = 0;
  const find = builtOnce((kysely, username) => {
    builds += 1;
    return kysely
      .selectFrom('artists')
      .select(['id', sql<string>`${username}::text || ${'!'}`.as('shout')])
      .where('username', '=', username)
      .where('is_active', '=', true);
  });
  expect(await find(database, ana.username)).toEqual({ id: ana.id, shout: `${ana.username}!` });
  expect(await find(database, ben.username)).toEqual({ id: ben.id, shout: `${ben.username}!` });
  expect(await find(database, 'nobody')).toBeUndefined();
  expect(builds).toBe(1);
});

test('each run of a query replaces all its values, and instants that it passes on as dates', async () => {
  const { database } = await openTestApp();
  const shift = builtOnceFor({ name: 'the name', now: -1 }, (kysely, { name, now }) =>
    kysely.selectNoFrom([
      sql<string>`${name}::text || ${name}::text`.as('twice'),
      sql<boolean>`${new Date(now)}::timestamptz > ${new Date(0)}::timestamptz`.as('isLater'),
    ]),
  );
  expect(await shift(database, { name: 'a', now: 1 })).toEqual({ twice: 'aa', isLater: true });
  expect(await shift(database, { name: 'b', now: -9 })).toEqual({ twice: 'bb', isLater: false });
});
