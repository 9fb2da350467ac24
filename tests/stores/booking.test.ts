import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppointmentForm } from '#contract/appointment_form.ts';
import { createBooking } from '#stores/booking.ts';
import { readBookingDraft } from '#stores/booking_draft.ts';
import { $toasts } from '#stores/toasts.ts';
import {
  APPOINTMENT_ID,
  DECEMBER,
  FLASH,
  fakeBookingApi,
  problemResponse,
  SESSION,
  stubApi,
} from '#support/fake_api.ts';
import { toastTexts } from '#support/fake_schedule_api.ts';
import { ROSA_DETAILS } from '#support/sample_people.ts';

const DETAILS = AppointmentForm.parse(ROSA_DETAILS);
const TEN = { start: '2026-12-03T15:00:00Z', end: '2026-12-03T15:59:00Z' };
const ELEVEN = { start: '2026-12-03T16:00:00Z', end: '2026-12-03T16:59:00Z' };

const OPTIONS = {
  username: 'ana',
  zone: 'America/New_York',
  services: [FLASH, SESSION],
  serviceId: FLASH.id,
  designId: null,
  initialMonth: null,
};

let api: ReturnType<typeof fakeBookingApi>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T03:00:00Z') });
  sessionStorage.clear();
  $toasts.set([]);
  api = fakeBookingApi();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Opens December 2026 on Ana's scheduling page; in New York it is still November. */
async function openBooking(options: Partial<Parameters<typeof createBooking>[0]> = {}) {
  const booking = createBooking({ ...OPTIONS, ...options });
  booking.startBooking();
  booking.showMonth('2026-12');
  booking.$shownMonth.listen(() => {});
  await vi.waitFor(() => expect(booking.$shownMonth.get().kind).not.toBe('loading'));
  return booking;
}

async function chooseTen() {
  const booking = await openBooking();
  booking.chooseDay('2026-12-03');
  booking.chooseSlot(TEN);
  return booking;
}

const sentKeys = () => api.requests().map(({ idempotencyKey: key }) => key);

test('today and the first month are those of the studio’s zone', async () => {
  const { today, firstMonth, lastMonth } = await openBooking();
  expect([today, firstMonth, lastMonth]).toEqual(['2026-11-30', '2026-11', '2028-11']);
});

test('an unknown service in the URL selects no service', async () => {
  const booking = createBooking({
    username: 'ana',
    zone: 'America/New_York',
    services: [FLASH],
    serviceId: SESSION.id,
    designId: null,
    initialMonth: null,
  });
  expect(booking.$service.get()).toBeNull();
  booking.startBooking();
  expect(api.calls).toEqual([]);
});

test('the slots of the chosen day are listed, and choosing another day drops the slot', async () => {
  const booking = await chooseTen();
  expect(booking.$slotsOfDay.get()).toEqual(DECEMBER[0]?.windows);
  expect(booking.$chosenSlot.get()).toMatchObject({ kind: 'slot', ...TEN });
  booking.chooseDay('2026-12-04');
  expect(booking.$chosenSlot.get()).toEqual({ kind: 'day', date: '2026-12-04' });
});

test('a booking request carries the slot, the service and the design', async () => {
  const booking = await openBooking({ designId: 'design-one' });
  booking.chooseDay('2026-12-03');
  booking.chooseSlot(TEN);
  expect(await booking.submitBooking(DETAILS)).toEqual({ kind: 'sent', id: APPOINTMENT_ID });
  expect(api.requests()[0]?.body).toMatchObject({
    ...TEN,
    service_id: FLASH.id,
    design_id: 'design-one',
    email: 'rosa@example.com',
  });
});

test('without a chosen slot no booking is sent', async () => {
  const booking = await openBooking();
  booking.chooseDay('2026-12-03');
  expect(await booking.submitBooking(DETAILS)).toEqual({ kind: 'busy' });
  expect(api.requests()).toEqual([]);
});

test('each slot has one idempotency key, also when it is chosen again', async () => {
  const booking = await chooseTen();
  api.answerNext('lost');
  await booking.submitBooking(DETAILS);
  booking.chooseSlot(ELEVEN);
  api.answerNext('lost');
  await booking.submitBooking(DETAILS);
  booking.chooseSlot(TEN);
  await booking.submitBooking(DETAILS);
  const [ten, eleven, again] = sentKeys();
  expect(again).toBe(ten);
  expect(eleven).not.toBe(ten);
});

test('a booking without an answer is restored after a reload, with the same idempotency key', async () => {
  const booking = await chooseTen();
  api.answerNext('lost');
  await booking.submitBooking(DETAILS);
  // The slot may be booked already, and then it is no longer listed.
  api.months.clear();
  const reloaded = await openBooking();
  expect(reloaded.$chosenSlot.get()).toMatchObject({
    kind: 'slot',
    ...TEN,
    isOutcomeUnknown: true,
  });
  await reloaded.submitBooking(DETAILS);
  expect(new Set(sentKeys()).size).toBe(1);
});

test('after a reload a slot that is no longer available is dropped with an error toast', async () => {
  await chooseTen();
  api.months.clear();
  const reloaded = await openBooking();
  await vi.waitFor(() => expect(reloaded.$chosenSlot.get().kind).toBe('day'));
  expect(toastTexts()).toEqual([
    'Something went wrong. That time is no longer available. Please pick another.',
  ]);
});

test('after a reload a slot in the past is not restored', async () => {
  await chooseTen();
  vi.setSystemTime(new Date('2026-12-03T15:00:00Z'));
  expect((await openBooking()).$chosenSlot.get()).toEqual({ kind: 'nothing' });
});

test('a conflict drops the slot, reloads the month and changes the idempotency key', async () => {
  const booking = await chooseTen();
  api.answerNext(problemResponse(409, 'That time is taken'));
  const callsBefore = api.calls.length;
  expect(await booking.submitBooking(DETAILS)).toEqual({ kind: 'conflict' });
  expect(booking.$chosenSlot.get()).toEqual({ kind: 'day', date: '2026-12-03' });
  await vi.waitFor(() => expect(booking.$shownMonth.get().kind).toBe('ready'));
  expect(api.calls.slice(callsBefore).map(({ path }) => path)).toEqual([
    'appointments/request/service',
    `services/${FLASH.id}/availability`,
  ]);
  booking.chooseSlot(TEN);
  await booking.submitBooking(DETAILS);
  expect(new Set(sentKeys()).size).toBe(2);
});

test('a refusal other than a conflict leaves the slot chosen and its outcome known', async () => {
  const booking = await chooseTen();
  api.answerNext(problemResponse(429, 'Too many tries'));
  expect(await booking.submitBooking(DETAILS)).toEqual({ kind: 'refused' });
  expect(booking.$chosenSlot.get()).toMatchObject({ kind: 'slot', isOutcomeUnknown: false });
  expect(readBookingDraft('ana').slot).toMatchObject({ start: TEN.start, isOutcomeUnknown: false });
});

test('choosing another service resets the slot and loads its months', async () => {
  const booking = await chooseTen();
  booking.chooseService(SESSION);
  expect(booking.$chosenSlot.get()).toEqual({ kind: 'nothing' });
  expect(booking.$month.get()).toBe('2026-11');
  await vi.waitFor(() => expect(api.calls.at(-1)?.path).toContain(SESSION.id));
  booking.clearService();
  expect(booking.$service.get()).toBeNull();
});

test('the search for an open month shows the month it finds, or reports that there is none', async () => {
  const booking = await openBooking();
  await booking.showNextOpenMonth();
  expect([booking.$month.get(), booking.$monthSearch.get()]).toEqual(['2027-02', 'idle']);
  await booking.showNextOpenMonth();
  expect([booking.$month.get(), booking.$monthSearch.get()]).toEqual(['2027-02', 'nothing']);
});

test('the search for an open month does not change the month that the client chose meanwhile', async () => {
  const booking = await openBooking();
  const searching = booking.showNextOpenMonth();
  booking.showMonth('2027-06');
  await searching;
  expect(booking.$month.get()).toBe('2027-06');
});

/** Opens December, which fails to load, and makes it loadable again. */
async function openFailedMonth() {
  let isOnline = false;
  const calls = stubApi(() => (isOnline ? { data: DECEMBER } : 'lost'));
  const booking = createBooking({ ...OPTIONS });
  const stop = booking.startBooking();
  booking.showMonth('2026-12');
  booking.$shownMonth.listen(() => {});
  await vi.waitFor(() => expect(booking.$shownMonth.get().kind).toBe('failed'));
  isOnline = true;
  return { booking, stop, calls };
}

test.each([
  ['the network returns', () => dispatchEvent(new Event('online'))],
  ['the client returns to the page', () => document.dispatchEvent(new Event('visibilitychange'))],
])('a month that failed to load is tried again when %s', async (_, happen) => {
  const { booking, stop } = await openFailedMonth();
  happen();
  await vi.waitFor(() =>
    expect(booking.$shownMonth.get()).toEqual({ kind: 'ready', days: DECEMBER }),
  );
  stop();
});

test('a loaded month is not loaded again when the network returns, and nothing is once the page is gone', async () => {
  const { booking, stop, calls } = await openFailedMonth();
  dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(booking.$shownMonth.get().kind).toBe('ready'));
  const before = calls.length;
  dispatchEvent(new Event('online'));
  expect(calls).toHaveLength(before);
  stop();
  const gone = await openFailedMonth();
  gone.stop();
  const calledBefore = gone.calls.length;
  dispatchEvent(new Event('online'));
  expect(gone.calls).toHaveLength(calledBefore);
});
