import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import * as endpoints from '#contract/endpoints.ts';
import { DEFAULT_RETENTION, retentionCutoffs } from '#domain/retention.ts';
import { DAY_MS } from '#domain/time/time.ts';
import { deleteFinishedMails } from '#server/database/mails.ts';
import { insertPaymentEvent, markPaymentEventHandled } from '#server/database/payment_events.ts';
import { createOutboxMailer } from '#server/mail/outbox_mailer.ts';
import { deleteOldData } from '#server/operations/tasks/retention.ts';
import { silentLog } from '#support/recorded_log.ts';
import { bookSlot, FILLED_FORM, findSlot, openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

const TWO_YEARS = 2 * 366 * DAY_MS;

/** An artist with a confirmed appointment, an open request, a message, mails and payments. */
async function setUp() {
  const app = await openTestApp({ database: 'own' });
  const { database } = app;
  const artist = await app.newArtist();
  const { id } = await bookSlot(app, artist, await findSlot(app, artist));
  await call(app.http(), endpoints.confirmAppointment, { path: { appt_id: id } });
  const managed = await app.newArtist({ scheduling_type: 'managed' });
  const open = await call(app.http(), endpoints.requestDesign, {
    query: { username: managed.username },
    body: FILLED_FORM,
  });
  await call(app.http(), endpoints.sendContactMessage, {
    path: { username: artist.username },
    body: { name: 'Rosa', email: 'rosa@example.com', message: 'Hello' },
  });
  await app.mails();
  for (const [day, kind] of (['created', 'paid', 'updated', 'paid'] as const).entries()) {
    const snapshot = {
      status: 'active',
      currentPeriodEnd: null,
      cancelAtPeriodEnd: false,
    } as const;
    await insertPaymentEvent(database, {
      id: `evt_${day}`,
      happenedAt: Date.now() + day * DAY_MS,
      customer: 'cus_one',
      subscription: 'sub_one',
      data: kind === 'paid' ? { kind } : { kind, snapshot },
    });
    await markPaymentEventHandled(database, `evt_${day}`);
  }
  const outbox = join(app.folders.media, '..', 'outbox');
  const mailer = createOutboxMailer(outbox, 'Linework <no-reply@linework.test>', silentLog);
  const { context, logs } = await openTestContext({ database, mailer });
  const load = (token: string, appt_id: string) =>
    call(app.http(token), endpoints.fetchAppointment, { path: { appt_id } });
  const state = async () => ({
    past: await load(artist.token, id),
    open: await load(managed.token, open.id),
    client: (await call(artist.http, endpoints.listClients)).data[0],
    messages: (await call(artist.http, endpoints.listMessages)).count,
    mails: (await call(artist.http, endpoints.listMails)).count,
    files: (await readdir(outbox)).length,
    payments: await database.selectFrom('payment_events').select('id').orderBy('id').execute(),
  });
  return { context, logs, state };
}

test('two years later, what docs/privacy.md says is gone is gone, and the rest is there', async () => {
  const { context, logs, state } = await setUp();
  const before = await state();
  expect([before.messages, before.mails > 0, before.files > 0]).toEqual([1, true, true]);
  const later = Date.now() + TWO_YEARS + 2 * DAY_MS;
  await deleteOldData(context, later);
  // As the minutely tasks do.
  const { mails } = retentionCutoffs(DEFAULT_RETENTION, later);
  await deleteFinishedMails(context.database, mails);
  const { past, client } = before;
  expect(await state()).toEqual({
    past: {
      ...past,
      ...{ location: null, size: null, customer_notes: null },
      client: {
        ...past.client,
        ...{ email: null, pronouns: null, phone_number: null, preferred_contact: null },
      },
    },
    // An open request is not past, and the client stays until the artist erases them.
    open: before.open,
    client,
    messages: 0,
    mails: 0,
    files: 0,
    // From the last report of the state on.
    payments: [{ id: 'evt_2' }, { id: 'evt_3' }],
  });
  const lines = [
    'Retention: Deleted old messages {"count":1}',
    'Retention: Deleted old payment events {"count":2}',
    'Retention: Deleted old details of appointments {"count":1}',
  ].toSorted();
  // They run side by side.
  expect(logs.toSorted()).toEqual(lines);
  // The next day finds nothing, and says nothing.
  await deleteOldData(context, Date.now() + TWO_YEARS + 3 * DAY_MS);
  expect(logs.toSorted()).toEqual(lines);
});

test('before its time, and with 0 for each setting, nothing is deleted', async () => {
  const { context, logs, state } = await setUp();
  const before = await state();
  await deleteOldData(context, Date.now() + 179 * DAY_MS);
  const retention = {
    appointmentDetailsMonths: 0,
    messagesMonths: 0,
    mailsDays: 0,
    paymentEventsMonths: 0,
  };
  await deleteOldData({ ...context, retention }, Date.now() + 10 * TWO_YEARS);
  expect(await state()).toEqual(before);
  expect(logs).toEqual([]);
});
