import { expect, test } from 'vitest';
import { insertPayment, listPayments } from '#server/database/payments_received.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addAppointment, addArtist, NOON } from '#support/database_rows.ts';

const ALL = { first: '2000-01-01', last: '2199-12-31' };

test('a list has the payments of its dates, both included, with the client and the start', async () => {
  const { database, artist } = await openArtistContext();
  const appointmentId = await addAppointment(database, artist);
  const pay = (amount: number, received_on: string) =>
    insertPayment(database, {
      ...{ artist_id: artist.id, appointment_id: appointmentId, amount, received_on },
      ...{ currency: 'USD', method: 'cash' },
    });
  for (const date of ['2030-05-31', '2030-06-01', '2030-06-30', '2030-07-01']) await pay(5, date);
  const june = await listPayments(database, artist.id, { first: '2030-06-01', last: '2030-06-30' });
  expect(june.map(({ received_on }) => received_on)).toEqual(['2030-06-01', '2030-06-30']);
  expect(june[0]).toMatchObject({
    ...{ appointment_id: appointmentId, amount: 5, first_name: 'Rosa', start: new Date(NOON) },
  });
  expect(await listPayments(database, (await addArtist(database)).id, ALL)).toEqual([]);
});
