import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { MailData } from '#domain/mail/mail.ts';
import { HOUR_MS } from '#domain/time/time.ts';
import { openDatabase } from '#server/database/connect.ts';
import { insertMails } from '#server/database/mails.ts';
import { deliverMail } from '#server/operations/mail/deliver_mail.ts';
import { addAppointment, addArtist, createAppointmentFacts, NOON } from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

const LONG_QUEUE = 500;

test('mails that are sent together read no whole table, nor the whole queue: a long queue does not slow them', async () => {
  const app = await openTestApp({ database: 'own' });
  const queueMails = async (count: number) => {
    const artist = await addArtist(app.database);
    const facts = createAppointmentFacts(artist, await addAppointment(app.database, artist));
    const notices = Array.from({ length: count }, (_, version): MailData => {
      return { kind: 'booked', appointment: { ...facts, version } };
    });
    return inTransaction(app.database, insertMails, { notices });
  };
  const ids = [...(await queueMails(1)), ...(await queueMails(1))];
  await queueMails(LONG_QUEUE);
  await sql`ANALYZE mails`.execute(app.database);
  await using database = openDatabase(app.databaseUrl, 1);
  const { context } = await openTestContext({ database, hasLimitsPerTime: true });
  await Promise.all(ids.map((id) => deliverMail(context, id, NOON - 24 * HOUR_MS)));
  // pg has prepared each statement of the deliveries.
  const { rows } = await sql<{ statement: string }>`
    SELECT statement FROM pg_prepared_statements WHERE statement ~ 'mails'`.execute(database);
  expect(rows.length).toBeGreaterThan(5);
  await sql`SET enable_seqscan = off`.execute(database);
  for (const { statement } of rows) {
    const plan = await sql`EXPLAIN (GENERIC_PLAN, VERBOSE) ${sql.raw(statement)}`.execute(database);
    const text = JSON.stringify(plan.rows, null, 1);
    expect.soft(text).not.toMatch(/Seq Scan|mails_queued|hashed/);
  }
});
