import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { writeProbe } from '#server/operations/readiness.ts';
import { openTestApp } from '#support/test_app.ts';

test('a database that takes writes has one row of the probe, whose time is that of the latest', async () => {
  const { database } = await openTestApp({ database: 'own' });
  await writeProbe(database);
  const first = await database.selectFrom('write_probe').select('written_at').executeTakeFirst();
  await writeProbe(database);
  const rows = await database.selectFrom('write_probe').select('written_at').execute();
  expect(rows).toHaveLength(1);
  expect(rows[0]?.written_at.getTime()).toBeGreaterThanOrEqual(Number(first?.written_at));
});

test('a database that only reads refuses the probe', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const probe = database.transaction().execute(async (transaction) => {
    await sql`SET TRANSACTION READ ONLY`.execute(transaction);
    await writeProbe(transaction);
  });
  await expect(probe).rejects.toMatchObject({ code: '25006' });
});
