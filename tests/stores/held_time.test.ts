import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchConfirmation } from '#contract/client_endpoints.ts';
import { callPublic } from '#stores/api.ts';
import { readBookingDraft, saveBookingDraft } from '#stores/booking_draft.ts';
import { BLANK_DETAILS } from '#stores/details.ts';
import { createHeldTime } from '#stores/held_time.ts';
import { forgetHold, readHold, saveHold } from '#stores/saved_hold.ts';
import { createConfirmation, problemResponse, stubApi } from '#support/fake_api.ts';

const NOW = Date.parse('2026-12-01T12:00:00Z');
const MINUTE_MS = 60_000;
const HOLD = {
  appointmentId: 'a1',
  start: '2026-12-03T15:00:00Z',
  until: '2026-12-01T12:30:00Z',
  isReserved: true,
  details: { ...BLANK_DETAILS, first_name: 'Rosa' },
};

let answer: () => Response | object | 'lost';
let stop = () => {};

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  answer = () => createConfirmation({ status: 'held' });
});

afterEach(() => {
  stop();
});

/** The held time of a form that has just opened, after the API's answer. */
async function openForm() {
  const calls = stubApi(() => answer());
  const { $held, watch } = createHeldTime('ana');
  stop = watch();
  await vi.advanceTimersByTimeAsync(0);
  return { $held, calls };
}

test('without a saved hold the API is not asked', async () => {
  const { $held, calls } = await openForm();
  expect($held.get()).toBeNull();
  expect(calls).toEqual([]);
});

test('a hold is shown once the API says that it still is one', async () => {
  saveHold('ana', HOLD);
  const { $held, calls } = await openForm();
  expect($held.get()).toEqual(HOLD);
  expect(calls.map(({ path }) => path)).toEqual(['appointments/confirmation/a1']);
});

test.each([
  ['expired', () => createConfirmation({ status: 'expired' })],
  ['cancelled', () => createConfirmation({ status: 'cancelled' })],
  ['unknown to the API', () => problemResponse(404, 'Not found')],
])('a hold that is %s is forgotten, and what was typed stays', async (_, reply) => {
  saveHold('ana', HOLD);
  saveBookingDraft('ana', { details: HOLD.details });
  answer = reply;
  const { $held } = await openForm();
  expect($held.get()).toBeNull();
  expect(readHold('ana')).toBeNull();
  expect(readBookingDraft('ana').details).toEqual(HOLD.details);
});

test('a confirmed hold is forgotten with what was typed for it', async () => {
  saveHold('ana', HOLD);
  saveBookingDraft('ana', { details: HOLD.details });
  answer = () => createConfirmation({ status: 'confirmed' });
  await openForm();
  expect(readHold('ana')).toBeNull();
  expect(readBookingDraft('ana').details).toBeNull();
});

test.each([
  ['a lost connection', 'lost' as const],
  ['a failure of the API', 503],
])('after %s nothing is said, and the hold stays known', async (_, failure) => {
  saveHold('ana', HOLD);
  answer = () => (failure === 'lost' ? failure : problemResponse(Number(failure), 'Later.'));
  const { $held } = await openForm();
  expect($held.get()).toBeNull();
  expect(readHold('ana')).toEqual(HOLD);
});

test.each([3, -3, 0])(
  'a hold disappears when it ends, on a device whose clock is %i hours ahead',
  async (hours) => {
    vi.setSystemTime(NOW + hours * 60 * MINUTE_MS);
    const date = () => new Date(Date.now() - hours * 60 * MINUTE_MS).toUTCString();
    answer = () =>
      Response.json(createConfirmation({ status: 'held' }), {
        headers: { Date: date(), 'Cache-Control': 'no-store' },
      });
    stubApi(() => answer());
    await callPublic(fetchConfirmation, { path: { appt_id: 'a1' } });
    saveHold('ana', HOLD);
    const { $held } = await openForm();
    await vi.advanceTimersByTimeAsync(30 * MINUTE_MS - 1);
    expect($held.get()).toEqual(HOLD);
    await vi.advanceTimersByTimeAsync(1);
    expect($held.get()).toBeNull();
  },
);

test('a hold disappears when another tab confirms or releases it', async () => {
  saveHold('ana', HOLD);
  const { $held } = await openForm();
  forgetHold('ana', 'a1');
  dispatchEvent(new StorageEvent('storage'));
  await vi.advanceTimersByTimeAsync(0);
  expect($held.get()).toBeNull();
});
