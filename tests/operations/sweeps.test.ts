import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runTasks } from '#server/operations/tasks/recurring_tasks.ts';
import { openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

const ID = 'gen_random_uuid()';
const OLD = `'2020-01-01'::timestamptz`;

/** By table, rows that were old enough in 2020, numbered `n`. */
const OLD_ROWS: Readonly<Record<string, string>> = {
  sessions: `(artist_id, last_used_at) SELECT ${ID}, ${OLD}`,
  rate_limits: `(key, expire) SELECT n, 0`,
  counted_mails: `(mail_id, mailbox, source, is_link_needed, is_for_safety, counted_at)
    SELECT ${ID}, '', '', true, true, ${OLD}`,
  password_recoveries: `(token_hash, artist_id, expires_at) SELECT n::text::bytea, ${ID}, ${OLD}`,
  passkey_challenges: `(challenge, expires_at) SELECT n, ${OLD}`,
  email_changes: `(artist_id, old_email, new_email, can_be_undone, requested_at)
    SELECT ${ID}, '', '', true, ${OLD}`,
  client_email_changes: `(appointment_id, old_email, new_email, requested_at)
    SELECT ${ID}, '', '', ${OLD}`,
  security_events: `(kind, happened_at) SELECT '', ${OLD}`,
  admin_actions: `(kind, happened_at) SELECT '', ${OLD}`,
  server_errors: `(route, name, message, stack, happened_at) SELECT '', '', '', '', ${OLD}`,
  studio_changes: `(artist_id, undo_until, studio_before, studio_known, moved_times, mail_ids,
    replaced_mail_ids) SELECT ${ID}, ${OLD}, '{}', '{}', '[]', '{}', '{}'`,
  client_merges: `(artist_id, client_id, merged_id, merged_at, client_before, client_after,
    appointment_ids, client_ids, data_request_ids)
    SELECT ${ID}, ${ID}, ${ID}, ${OLD}, '{}', '{}', '{}', '{}', '{}'`,
  exports: `(artist_id, state, created_at) SELECT ${ID}, 'failed', ${OLD}`,
  mails: `(artist_id, sender_id, cause, notice, address, source, status, settled_at, created_at)
    SELECT ${ID}, ${ID}, n, '{}', '', '', 'sent', ${OLD}, ${OLD}`,
  messages: `(artist_id, name, email, mailbox, message, network, created_at)
    SELECT ${ID}, '', '', '', '', '::/56', ${OLD}`,
  payment_events: `(id, happened_at, customer, event, received_at, handled_at)
    SELECT n, ${OLD}, '', '{}', ${OLD}, ${OLD}`,
  site_assets: `(name, bytes, last_used_at) SELECT n, '', ${OLD}`,
  appointments: `(artist_id, studio_id, client_id, status, network, location, counted_at,
    created_at, updated_at)
    SELECT ${ID}, ${ID}, ${ID}, 'cancelled', '::/56', 'arms', ${OLD}, ${OLD}, ${OLD}`,
};
const TABLES = Object.keys(OLD_ROWS);

/** Fills the tables with so many old rows; no statement may change more than 1,000 of a table. */
async function openFilledContext(rows: number) {
  const { database } = await openTestApp({ database: 'own' });
  await database.transaction().execute(async (transaction) => {
    const run = (text: string) => sql.raw(text).execute(transaction);
    // Neither triggers nor foreign keys ask for the artists of the rows.
    await run('SET LOCAL session_replication_role = replica');
    onTestFinished(async () => {
      await sql`DROP FUNCTION refuse_large_change CASCADE`.execute(database);
    });
    await run(`CREATE FUNCTION refuse_large_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM changed) > 1000 THEN RAISE 'Too many rows of %', TG_TABLE_NAME; END IF;
      RETURN NULL; END $$`);
    for (const [table, row] of Object.entries(OLD_ROWS)) {
      await run(`INSERT INTO ${table} ${row} FROM generate_series(1, ${rows}) AS n`);
      for (const change of ['DELETE', 'UPDATE'])
        await run(`CREATE TRIGGER refuse_large_${change} AFTER ${change} ON ${table}
          REFERENCING OLD TABLE AS changed EXECUTE FUNCTION refuse_large_change()`);
    }
  });
  const count = async (table: string) => {
    const isOld = table === 'appointments' ? 'num_nonnulls(network, location) > 0' : 'true';
    const { rows: old } = await sql.raw(`SELECT FROM ${table} WHERE ${isOld}`).execute(database);
    return old.length;
  };
  return { ...(await openTestContext({ database })), database, count };
}

test('old rows are deleted in batches, so that no statement reaches the time limit', async () => {
  const { context, count, logs } = await openFilledContext(2100);
  await runTasks(context, 'minute', Date.now());
  await runTasks(context, 'day', Date.now());
  expect(logs.filter((line) => line.includes('failed'))).toEqual([]);
  expect(await Promise.all(TABLES.map(count))).toEqual(TABLES.map(() => 0));
});

test.each([
  ['counted_mails', 'minute'],
  ['messages', 'day'],
] as const)('while the sweep of %s waits for a lock, all others go on', async (locked, period) => {
  const { context, database, count } = await openFilledContext(1);
  const lock = await database.startTransaction().execute();
  await sql`LOCK TABLE ${sql.table(locked)}`.execute(lock);
  const tasks = runTasks(context, period, Date.now());
  const last = period === 'day' ? 'payment_events' : 'exports';
  try {
    await expect.poll(() => count(last)).toBe(0);
  } finally {
    await lock.rollback().execute();
    await tasks;
  }
  expect(await count(locked)).toBe(0);
});

test('a task that takes longer than a minute delays no task of the next one, and is not begun twice', async () => {
  const { context, database, count } = await openFilledContext(1);
  await sql`INSERT INTO removed_images VALUES (gen_random_uuid())`.execute(database);
  const { promise: removed, resolve } = Promise.withResolvers<void>();
  const remove = vi.fn(() => removed);
  const slow = { ...context, images: { ...context.images, remove } };
  const first = runTasks(slow, 'minute', Date.now());
  await expect.poll(() => remove.mock.calls.length).toBe(1);
  await sql`INSERT INTO rate_limits (key, expire) VALUES ('old', 0)`.execute(database);
  await runTasks(slow, 'minute', Date.now());
  expect(await count('rate_limits')).toBe(0);
  expect(remove).toHaveBeenCalledOnce();
  resolve();
  await first;
});
