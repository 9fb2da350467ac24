import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addAppointment, addArtist, withRollback } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const MIGRATION = 'src/server/database/migrations/0008_entered_appointments.sql';

test('an upgrade takes policy and deposit from what only the artist entered', async () => {
  const { database } = await openTestApp();
  await withRollback(database, async (transaction) => {
    const artist = await addArtist(transaction);
    const add = async (start: number, ...events: (readonly [actor: string, what: string])[]) => {
      const id = await addAppointment(transaction, artist, { start });
      for (const [actor, what] of events)
        await sql`INSERT INTO appointment_events (appointment_id, actor, what, to_status)
          VALUES (${id}, ${actor}, ${what}, 'confirmed')`.execute(transaction);
      return id;
    };
    const entered = ['artist', 'entered'] as const;
    const ids = [
      await add(0, entered, ['artist', 'moved']),
      await add(1e8, entered, ['client', 'moved']),
      await add(2e8, ['client', 'confirmed']),
    ];
    const terms = { booking_policy: 'No refunds.', deposit: { amount: 5000, currency: 'USD' } };
    await transaction.updateTable('appointments').set(terms).where('id', 'in', ids).execute();
    await sql.raw(await readFile(MIGRATION, 'utf8')).execute(transaction);
    const after = await transaction
      .selectFrom('appointments')
      .select(['booking_policy', 'deposit'])
      .where('id', 'in', ids)
      .orderBy(sql`array_position(${ids}::uuid[], id)`)
      .execute();
    expect(after).toEqual([{ booking_policy: null, deposit: null }, terms, terms]);
  });
});
