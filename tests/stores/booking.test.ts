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
} from '#support/fake_api.ts';
import { toastTexts } from '#support/fake_schedule_api.ts';
import { ROSA_DETAILS } from '#support/sample_people.ts';

const DETAILS = AppointmentForm.parse(ROSA_DETAILS);
const TEN = { start: '2026-12-03T15:00:00Z', end: '2026-12-03T15:59:00Z' };
const ELEVEN = { start: '2026-12-03T16:00:00Z', end: '2026-12-03T16:59:00Z' };

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

/** The page of Ana's times; New York is still in November. */
async function open(parts: Partial<Parameters<typeof createBooking>[0]> = {}) {
  const booking = createBooking({
    username: 'ana',
    zone: 'America/New_York',
    services: [FLASH, SESSION],
    serviceId: FLASH.id,
    designId: null,
    initialMonth: null,
    ...parts,
  });
  booking.startBooking();
  booking.showMonth('2026-12');
  booking.$shownMonth.listen(() => {});
  await vi.waitFor(() => expect(booking.$shownMonth.get().kind).not.toBe('loading'));
  return booking;
}

async function pickTen() {
  const booking = await open();
  booking.chooseDay('2026-12-03');
  booking.chooseSlot(TEN);
  return booking;
}

const keys = () => api.requests().map(({ idempotencyKey: key }) => key);

test('today and the first month are those of the studio’s zone', async () => {
  const { today, firstMonth, lastMonth } = await open();
  expect([today, firstMonth, lastMonth]).toEqual(['2026-11-30', '2026-11', '2028-11']);
});

test('a service of the address that the artist does not have leaves the choice open', async () => {
  const booking = createBooking({
    username: 'ana',
    zone: 'America/New_York',
    services: [FLASH],
    serviceId: SESSION.id,
    designId: null,
    initialMonth: null,
  });
  expect(booking.$serviceChoice.get()).toEqual({ kind: 'choosing' });
  booking.startBooking();
  expect(api.calls).toEqual([]);
});

test('the slots of a picked day are listed, and picking another day drops the slot', async () => {
  const booking = await pickTen();
  expect(booking.$slotsOfDay.get()).toEqual(DECEMBER[0]?.windows);
  expect(booking.$chosenSlot.get()).toMatchObject({ kind: 'slot', slot: TEN });
  booking.chooseDay('2026-12-04');
  expect(booking.$chosenSlot.get()).toEqual({ kind: 'day', date: '2026-12-04' });
});

test('a booking is sent for the slot, the service and the design', async () => {
  const booking = await open({ designId: 'design-one' });
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

test('without a slot nothing is sent', async () => {
  const booking = await open();
  booking.chooseDay('2026-12-03');
  expect(await booking.submitBooking(DETAILS)).toEqual({ kind: 'busy' });
  expect(api.requests()).toEqual([]);
});

test('the same slot keeps its idempotency key; another slot has its own', async () => {
  const booking = await pickTen();
  api.answerNext('lost');
  await booking.submitBooking(DETAILS);
  booking.chooseSlot(ELEVEN);
  api.answerNext('lost');
  await booking.submitBooking(DETAILS);
  booking.chooseSlot(TEN);
  await booking.submitBooking(DETAILS);
  const [ten, eleven, again] = keys();
  expect(again).toBe(ten);
  expect(eleven).not.toBe(ten);
});

test('a slot without an answer is taken up after a reload, under the same key', async () => {
  const booking = await pickTen();
  api.answerNext('lost');
  await booking.submitBooking(DETAILS);
  // It may be booked already, so it need not be listed any more.
  api.months.clear();
  const reloaded = await open();
  expect(reloaded.$chosenSlot.get()).toMatchObject({
    kind: 'slot',
    slot: TEN,
    isOutcomeUnknown: true,
  });
  await reloaded.submitBooking(DETAILS);
  expect(new Set(keys()).size).toBe(1);
});

test('after a reload a slot that is listed no more is dropped, with a message', async () => {
  await pickTen();
  api.months.clear();
  const reloaded = await open();
  await vi.waitFor(() => expect(reloaded.$chosenSlot.get().kind).toBe('day'));
  expect(toastTexts()).toEqual([
    'Something went wrong. That time is no longer available. Please pick another.',
  ]);
});

test('after a reload a slot that has passed is not taken up', async () => {
  await pickTen();
  vi.setSystemTime(new Date('2026-12-03T15:00:00Z'));
  expect((await open()).$chosenSlot.get()).toEqual({ kind: 'nothing' });
});

test('a conflict drops the slot, asks for the month again and changes the key', async () => {
  const booking = await pickTen();
  api.answerNext(problemResponse(409, 'That time is taken'));
  const asked = api.calls.length;
  expect(await booking.submitBooking(DETAILS)).toEqual({ kind: 'conflict' });
  expect(booking.$chosenSlot.get()).toEqual({ kind: 'day', date: '2026-12-03' });
  await vi.waitFor(() => expect(booking.$shownMonth.get().kind).toBe('ready'));
  expect(api.calls.slice(asked).map(({ path }) => path)).toEqual([
    'appointments/request/service',
    `services/${FLASH.id}/availability`,
  ]);
  booking.chooseSlot(TEN);
  await booking.submitBooking(DETAILS);
  expect(new Set(keys()).size).toBe(2);
});

test('a refusal that is no conflict keeps the slot, which then is known not to be booked', async () => {
  const booking = await pickTen();
  api.answerNext(problemResponse(429, 'Too many tries'));
  expect(await booking.submitBooking(DETAILS)).toEqual({ kind: 'refused' });
  expect(booking.$chosenSlot.get()).toMatchObject({ kind: 'slot', isOutcomeUnknown: false });
  expect(readBookingDraft('ana').slot).toMatchObject({ start: TEN.start, isOutcomeUnknown: false });
});

test('another service starts with nothing picked and its own months', async () => {
  const booking = await pickTen();
  booking.chooseService(SESSION);
  expect(booking.$chosenSlot.get()).toEqual({ kind: 'nothing' });
  expect(booking.$month.get()).toBe('2026-11');
  await vi.waitFor(() => expect(api.calls.at(-1)?.path).toContain(SESSION.id));
  booking.clearService();
  expect(booking.$serviceChoice.get()).toEqual({ kind: 'choosing' });
});

test('the search for openings shows the month that it finds, or says that there is none', async () => {
  const booking = await open();
  await booking.showNextOpenMonth();
  expect([booking.$month.get(), booking.$monthSearch.get()]).toEqual(['2027-02', { kind: 'idle' }]);
  await booking.showNextOpenMonth();
  expect([booking.$month.get(), booking.$monthSearch.get()]).toEqual([
    '2027-02',
    { kind: 'nothing' },
  ]);
});

test('a search for openings does not turn the page of who has turned it meanwhile', async () => {
  const booking = await open();
  const searching = booking.showNextOpenMonth();
  booking.showMonth('2027-06');
  await searching;
  expect(booking.$month.get()).toBe('2027-06');
});
