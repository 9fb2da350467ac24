import { expect, test } from 'vitest';
import { DAY_MS } from '#domain/time/time.ts';
import { deleteOlderThan } from '#server/database/in_batches.ts';
import * as events from '#server/database/security_events.ts';
import { countSecurityEvents, listSecurityEvents } from '#server/operations/accounts/sessions.ts';
import { addArtist } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const PAGE = { skip: 0, limit: 10 };

test('an event is found by its kind and time, counted by day and week, and deleted when it is old', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const { id: artistId } = await addArtist(database);
  const now = Date.now();
  for (const days of [0, 2, 8]) {
    await events.insertSecurityEvent(database, { artist_id: artistId, kind: 'password_reset' });
    await database
      .updateTable('security_events')
      .set({ happened_at: new Date(now - days * DAY_MS) })
      .where('happened_at', '>', new Date(now - 1000))
      .where('id', '=', (eb) =>
        eb.selectFrom('security_events').select((b) => b.fn.max('id').as('id')),
      )
      .execute();
  }
  await events.insertSecurityEvent(database, { kind: 'account_deleted' });
  const has = (since: number) =>
    events.hasSecurityEvent(database, artistId, ['password_reset', 'email_changed'], since);
  expect(await has(now - DAY_MS)).toBe(true);
  expect(await events.hasSecurityEvent(database, artistId, ['email_changed'], 0)).toBe(false);
  const { data: counts } = await countSecurityEvents({ database });
  expect(counts).toContainEqual({ kind: 'password_reset', last_day: 1, last_seven_days: 2 });
  expect(counts).toContainEqual({ kind: 'account_deleted', last_day: 1, last_seven_days: 1 });
  await deleteOlderThan(database, 'security_events', 'happened_at', now - DAY_MS);
  expect((await listSecurityEvents({ database }, artistId, PAGE)).count).toBe(1);
});
