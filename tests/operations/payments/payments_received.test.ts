import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAX_PAYMENTS } from '#domain/requests/list_limits.ts';
import { toRfc3339 } from '#domain/time/time.ts';
import { updateArtist } from '#server/database/artists.ts';
import {
  addPayment,
  deletePayment,
  listPayments,
} from '#server/operations/payments/payments_received.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addAppointment, addArtist, NOON } from '#support/database_rows.ts';

const ALL = { first: '2000-01-01', last: '2199-12-31' };
const NOT_FOUND = { reason: 'not_found' };

async function setUp() {
  const { context, artist } = await openArtistContext();
  const id = await addAppointment(context.database, artist);
  const pay = (artistId = artist.id) =>
    addPayment(context, artistId, id, { amount: 5000, method: 'cash' });
  return { context, artist, id, pay };
}

test('a payment is in the artist’s currency and of today, unless it says more', async () => {
  const { context, artist, id, pay } = await setUp();
  await updateArtist(context.database, artist.id, { currency: 'EUR' });
  expect((await pay()).payments).toMatchObject([
    { amount: 5000, currency: 'EUR', method: 'cash', received_on: expect.stringMatching(/^20/) },
  ]);
  const other = { amount: 1, currency: 'JPY', method: 'card', received_on: '2030-01-31' } as const;
  expect((await addPayment(context, artist.id, id, other)).payments[1]).toMatchObject(other);
  const { sums } = await listPayments(context, artist.id, ALL);
  expect(sums).toEqual([
    { amount: 5000, currency: 'EUR' },
    { amount: 1, currency: 'JPY' },
  ]);
});

test('an appointment has at most so many payments', async () => {
  const { context, artist, id, pay } = await setUp();
  await Promise.all(Array.from({ length: MAX_PAYMENTS }, () => pay()));
  await expect(pay()).rejects.toMatchObject({ reason: 'too_many_payments' });
  const { data, sums } = await listPayments(context, artist.id, ALL);
  expect([data.length, sums]).toEqual([
    MAX_PAYMENTS,
    [{ amount: MAX_PAYMENTS * 5000, currency: 'USD' }],
  ]);
  await deletePayment(context, artist.id, id, data[0]?.id ?? '');
  await expect(pay()).resolves.toMatchObject({ id });
});

test('a payment that is sent again with its key, also at once or at the limit, is noted once', async () => {
  const { context, artist, id, pay } = await setUp();
  const key = randomUUID();
  const send = (amount = 700, appointmentId = id, sender = artist.id) =>
    addPayment(context, sender, appointmentId, { amount, method: 'card', key });
  await Promise.all([send(), send(), send()]);
  const { payments } = await send();
  expect(payments).toMatchObject([{ id: key, amount: 700, method: 'card' }]);
  await Promise.all(Array.from({ length: MAX_PAYMENTS - 1 }, () => pay()));
  expect((await send()).payments).toHaveLength(MAX_PAYMENTS);
  const reused = { reason: 'idempotency_key_reused' };
  await expect(send(701)).rejects.toMatchObject(reused);
  const stranger = await addArtist(context.database);
  await expect(send(700, id, stranger.id)).rejects.toMatchObject(NOT_FOUND);
  const strangersId = await addAppointment(context.database, stranger);
  await expect(send(700, strangersId, stranger.id)).rejects.toMatchObject(reused);
});

test('of two artists who send the same key at once, one notes a payment and one is refused', async () => {
  const { context, artist, id } = await setUp();
  const stranger = await addArtist(context.database);
  const strangersId = await addAppointment(context.database, stranger);
  for (let nth = 0; nth < 5; nth += 1) {
    const payment = { amount: 700, method: 'card', key: randomUUID() } as const;
    const sent = await Promise.allSettled([
      addPayment(context, artist.id, id, payment),
      addPayment(context, stranger.id, strangersId, payment),
    ]);
    const refused = sent.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { reason: 'idempotency_key_reused' } }]);
  }
});

test('a list has the payments of its dates, both included, with the client and the start', async () => {
  const { context, artist, id } = await setUp();
  for (const received_on of ['2030-05-31', '2030-06-01', '2030-06-30', '2030-07-01'])
    await addPayment(context, artist.id, id, { amount: 5, method: 'cash', received_on });
  const june = { first: '2030-06-01', last: '2030-06-30' };
  const { data } = await listPayments(context, artist.id, june);
  expect(data.map(({ received_on }) => received_on)).toEqual(['2030-06-01', '2030-06-30']);
  const shown = { appointment_id: id, amount: 5, start: toRfc3339(NOON) };
  expect(data[0]).toMatchObject({ ...shown, client: { first_name: 'Rosa' } });
  const other = await addArtist(context.database);
  expect((await listPayments(context, other.id, ALL)).data).toEqual([]);
});
