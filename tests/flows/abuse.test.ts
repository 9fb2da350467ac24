import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { CancelledBatch, CurrentAlarm } from '#contract/abuse.ts';
import type { Confirmation } from '#contract/appointment.ts';
import { HOUR_MS } from '#domain/time/time.ts';
import { raiseBookingAlarm } from '#server/database/booking_limits.ts';
import { hashMailbox } from '#server/database/hashed_keys.ts';
import { deleteOldCountedMails } from '#server/database/mail_budgets.ts';
import { loadMailChecks } from '#server/database/mail_checks.ts';
import * as waits from '#server/database/mail_waits.ts';
import { markMailboxProven } from '#server/database/mailboxes.ts';
import { findMail } from '#server/database/mails.ts';
import { cancelAlarmedBookings } from '#server/operations/booking/abuse.ts';
import { admitMail } from '#server/operations/mail/mail_admission.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { bookAs } from '#support/limited_app.ts';
import { PASSWORD, type TestArtist } from '#support/new_artist.ts';
import { solve } from '#support/proof_of_work.ts';
import { FILLED_FORM, listSlots, openTestApp, type TestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

const ROSA = 'rosa@gmail.com';

/** Sends a request to an artist who sets the times, with a proof of work if one is asked for. */
async function ask(
  app: TestApp,
  artist: TestArtist,
  address: string,
  email: string,
): Promise<number> {
  const send = (headers: Record<string, string>) =>
    app.call<Confirmation>(`POST /appointments/request/design?username=${artist.username}`, {
      json: { ...FILLED_FORM, email },
      address,
      headers,
    });
  const first = await send({});
  return first.status === 429 ? (await send(await solve(first.body))).status : first.status;
}

async function listMailsTo(app: TestApp, address: string) {
  return app.database
    .selectFrom('mails')
    .select(['id', 'status'])
    .where('address', '=', address)
    .orderBy('created_at')
    .execute();
}

/** Two mails to Rosa about requests to two artists; the first waits until now. */
async function openWithWaitingMail() {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const first = await app.newArtist({ scheduling_type: 'managed' });
  const second = await app.newArtist({ scheduling_type: 'managed' });
  await ask(app, first, '198.51.1.1', ROSA);
  await ask(app, second, '198.51.2.1', ROSA);
  const [waiting, carrier] = await listMailsTo(app, ROSA);
  if (!waiting || !carrier) throw new Error('There are too few mails');
  const now = Date.now();
  const wait = (until: number) =>
    waits.updateMailWait(app.database, waiting.id, {
      mailbox: hashMailbox(ROSA),
      until,
      budget: 'mailbox',
    });
  await wait(now - 1);
  /** Decides about the second mail, as an attempt to send it does. Returns the mails that it tells. */
  const admit = async (at: number) => {
    const mail = await findMail(app.database, carrier.id);
    if (!mail) throw new Error('The mail is gone');
    const [checked] = await loadMailChecks(app.database, [mail]);
    if (!checked) throw new Error('The mail is gone');
    const included = await app.database
      .transaction()
      .execute((transaction) =>
        admitMail({ database: transaction, hasLimitsPerTime: true }, checked, at),
      );
    return included ?? [];
  };
  return { app, first, second, waiting, carrier, now, wait, admit };
}

test('a merged mail is reported although the mail server is down for more than a day', async () => {
  const { app, now, admit } = await openWithWaitingMail();
  expect(await admit(now)).toHaveLength(2);
  await deleteOldCountedMails(app.database, now + HOUR_MS);
  expect(await admit(now + 25 * HOUR_MS)).toHaveLength(2);
});

test('a mail whose wait is not over is merged into no other', async () => {
  const { now, wait, admit } = await openWithWaitingMail();
  await wait(now + 1);
  expect(await admit(now)).toHaveLength(1);
});

test('cancelling a batch loses no mail of another artist', async () => {
  const { app, second, waiting, now, admit } = await openWithWaitingMail();
  await inTransaction(app.database, waits.wakeDueMails, now);
  await admit(now);
  const since = now - HOUR_MS;
  const alarm = await inTransaction(app.database, raiseBookingAlarm, second.self.id, since, now);
  const { context } = await openTestContext({ database: app.database });
  await cancelAlarmedBookings(context, second.self.id, alarm.id);
  await app.runMinutelyTasks(now + HOUR_MS);
  await app.runJobs();
  const sent = (await listMailsTo(app, ROSA)).find(({ id }) => id === waiting.id);
  expect(sent?.status).toBe('sent');
});

test('a mail is woken once after its wait, and again if it began to wait while its mailbox was proven', async () => {
  const { app, first, waiting, now, wait } = await openWithWaitingMail();
  await app.database.transaction().execute(async (confirming) => {
    // The transaction of the confirmation begins, and then waits for a lock.
    await sql`SELECT now()`.execute(confirming);
    expect(await inTransaction(app.database, waits.wakeDueMails, Date.now())).toEqual([waiting.id]);
    expect(await inTransaction(app.database, waits.wakeDueMails, Date.now())).toEqual([]);
    await wait(now + 24 * HOUR_MS);
    await markMailboxProven(confirming, ROSA, first.self.id, now);
  });
  expect(await inTransaction(app.database, waits.wakeDueMails, now + 48 * HOUR_MS)).toContain(
    waiting.id,
  );
});

test('of fifty parallel requests of one network, three pass without a proof of work', async () => {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      app.call(`POST /appointments/request/design?username=${artist.username}`, {
        json: { ...FILLED_FORM, email: `s${n}@example.com` },
        address: '203.0.113.6',
      }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
});

test('a request that must bring a proof of work invalidates no cache', async () => {
  const { app, artist } = await openArtistApp({ database: 'own', rateLimit: true });
  const slots = await listSlots(app, artist);
  const book = async (nth: number) => {
    const slot = slots[nth];
    if (!slot) throw new Error('The artist has fewer slots');
    return (await bookAs(app, artist, slot, { address: '192.0.2.1' })).status;
  };
  expect([await book(4), await book(6), await book(8)]).toEqual([201, 201, 201]);
  const before = app.invalidatedTags.length;
  expect(await book(10)).toBe(429);
  expect(app.invalidatedTags).toHaveLength(before);
});

test('an account cannot mail strangers by changing its email again and again', async () => {
  const { app, artist } = await openArtistApp({ database: 'own', rateLimit: true });
  const statuses: number[] = [];
  for (let n = 0; n < 7; n += 1) {
    const json = { email: `victim-${n}@example.com`, current_password: PASSWORD };
    statuses.push((await app.call('PATCH /users/me', { token: artist.token, json })).status);
    await app.runJobs('mail');
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect(await app.mailsAbout(/confirm your email/i)).toHaveLength(5);
});

test('the mail of an alarm does not wait behind a full budget', async () => {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  for (let n = 0; n < 31; n += 1)
    await app.call(`POST /users/artist/${artist.username}/contact`, {
      json: { name: 'Pest', email: 'pest@example.com', message: 'Hello' },
      address: `203.0.${n % 3}.9`,
    });
  await app.runJobs();
  for (let n = 0; n < 20; n += 1) await ask(app, artist, `198.51.${n}.1`, `i${n}@example.com`);
  expect(await app.mailsAbout(/unusually many/)).toHaveLength(1);
}, 60_000);

test('an alarm ends after a day: it neither silences the next one nor takes later clients along', async () => {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const { token } = artist;
  const loadAlarm = async () =>
    (await app.call<CurrentAlarm>('GET /users/me/booking-alarm', { token })).body.alarm;
  for (let n = 0; n < 20; n += 1) await ask(app, artist, `198.51.${n}.1`, `a${n}@example.com`);
  expect(await loadAlarm()).toMatchObject({ bookings: 20 });
  await sql`UPDATE appointments SET counted_at = counted_at - interval '2 days'`.execute(
    app.database,
  );
  await sql`UPDATE booking_alarms
    SET since = since - interval '2 days', until = until - interval '2 days', raised_at = raised_at - interval '2 days'`.execute(
    app.database,
  );
  expect(await loadAlarm()).toBeNull();
  for (let n = 30; n < 90; n += 1) await ask(app, artist, `198.51.${n}.1`, `b${n}@example.com`);
  const alarm = await loadAlarm();
  const path = `POST /users/me/booking-alarm/${alarm?.id}/cancel`;
  const { body } = await app.call<CancelledBatch>(path, { token });
  expect(body).toEqual({ cancelled: alarm?.bookings });
  const left = await app.database
    .selectFrom('appointments')
    .select('id')
    .where('status', '=', 'requested')
    .execute();
  expect(left).toHaveLength(20);
}, 120_000);
