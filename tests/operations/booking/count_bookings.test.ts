import { expect, test } from 'vitest';
import { InvalidInput, ProofOfWorkRequired, RateLimited, refuse } from '#domain/refusal.ts';
import { NO_METRICS } from '#server/metrics/metrics.ts';
import { confirmAppointment } from '#server/operations/appointments/confirmation.ts';
import { countRefusedBooking } from '#server/operations/booking/bookable.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { bookSlot, findSlot } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

function recordBookings() {
  const counted: (string | undefined)[][] = [];
  const metrics = {
    ...NO_METRICS,
    countBooking: (...outcome: (string | undefined)[]) => void counted.push(outcome),
  };
  return { counted, metrics };
}

test.each([
  [refuse('time_taken'), 'refused', 'time_taken'],
  [new RateLimited(60, 'inbox_full'), 'refused', 'inbox_full'],
  [new ProofOfWorkRequired({}), 'refused', 'proof_of_work_required'],
  [new InvalidInput(['body', 'end'], 'Too short'), 'refused', 'invalid_input'],
  [new TypeError('A mistake of ours'), 'failed', undefined],
])('%s is counted as %s with the reason %s', (error, outcome, reason) => {
  const { counted, metrics } = recordBookings();
  countRefusedBooking({ metrics }, error);
  expect(counted).toEqual([[outcome, reason]]);
});

test('a confirmation is counted once, although the client repeats it', async () => {
  const { app, artist } = await openArtistApp();
  const { id } = await bookSlot(app, artist, await findSlot(app, artist));
  const { counted, metrics } = recordBookings();
  const { context } = await openTestContext({ metrics });
  for (const now of [Date.now(), Date.now()])
    await confirmAppointment(context, id, { network: '192.0.2.0', now });
  expect(counted).toEqual([['confirmed']]);
});
