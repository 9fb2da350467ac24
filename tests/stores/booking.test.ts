import { beforeEach, expect, test, vi } from 'vitest';
import { AppointmentForm } from '#contract/appointment_form.ts';
import { createBooking } from '#stores/booking.ts';
import { readBookingDraft, saveBookingDraft } from '#stores/booking_draft.ts';
import { BLANK_DETAILS } from '#stores/details.ts';
import {
  APPOINTMENT_ID,
  DECEMBER,
  FLASH,
  fakeBookingApi,
  problemResponse,
  refusalResponse,
  SESSION,
  stubApi,
  zoneWithOffsets,
} from '#support/fake_api.ts';
import { toastTexts } from '#support/fake_schedule_api.ts';
import { ROSA_DETAILS } from '#support/sample_people.ts';

const DETAILS = AppointmentForm.parse(ROSA_DETAILS);
const TEN = { start: '2026-12-03T15:00:00Z', end: '2026-12-03T15:59:00Z' };
const ELEVEN = { start: '2026-12-03T16:00:00Z', end: '2026-12-03T16:59:00Z' };

const OPTIONS = {
  username: 'ana',
  zone: zoneWithOffsets('America/New_York'),
  today: '2026-11-30',
  services: [FLASH, SESSION],
  serviceId: FLASH.id,
  designId: null,
  initialMonth: null,
};

let api: ReturnType<typeof fakeBookingApi>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T03:00:00Z') });
  api = fakeBookingApi();
});

/** Opens December 2026 on Ana's scheduling page; in New York it is still November. */
async function openBooking(options: Partial<Parameters<typeof createBooking>[0]> = {}) {
  const booking = createBooking({ ...OPTIONS, ...options });
  booking.startBooking();
  booking.times.showMonth('2026-12');
  booking.times.$shownMonth.listen(() => {});
  await vi.waitFor(() => expect(booking.times.$shownMonth.get().kind).not.toBe('loading'));
  return booking;
}

async function chooseTen() {
  const booking = await openBooking();
  booking.times.chooseDay('2026-12-03');
  booking.times.chooseSlot(TEN);
  return booking;
}

const sentKeys = () => api.requests().map(({ idempotencyKey: key }) => key);

test('today and the first month are those of the studio’s zone', async () => {
  const { today, firstMonth, lastMonth } = (await openBooking()).times;
  expect([today, firstMonth, lastMonth]).toEqual(['2026-11-30', '2026-11', '2028-11']);
});

test('the slots of the chosen day are listed, and choosing another day drops the slot', async () => {
  const booking = await chooseTen();
  expect(booking.times.$slotsOfDay.get()).toEqual(DECEMBER[0]?.windows);
  expect(booking.times.$chosenTime.get()).toMatchObject({ kind: 'slot', ...TEN });
  booking.times.chooseDay('2026-12-04');
  expect(booking.times.$chosenTime.get()).toEqual({ kind: 'day', date: '2026-12-04' });
});

test('a booking without an answer is restored after a reload, with the same idempotency key', async () => {
  const booking = await chooseTen();
  api.answerNext('lost');
  await booking.submitBooking(DETAILS);
  // The slot may be booked already, and then it is no longer listed.
  api.months.clear();
  const reloaded = await openBooking();
  expect(reloaded.times.$chosenTime.get()).toMatchObject({ kind: 'slot', ...TEN });
  expect(readBookingDraft('ana').slot).toMatchObject({ ...TEN, isOutcomeUnknown: true });
  await reloaded.submitBooking(DETAILS);
  expect(new Set(sentKeys()).size).toBe(1);
});

test('after a reload a slot that is no longer available is dropped, and the free ones near to it are named', async () => {
  await chooseTen();
  api.months.set('2026-12', [{ date: '2026-12-03', windows: [ELEVEN] }]);
  const reloaded = await openBooking();
  await vi.waitFor(() => expect(reloaded.times.$chosenTime.get().kind).toBe('day'));
  expect(reloaded.times.$timeNotice.get()).toEqual({
    text: 'Thu, Dec 3, 10:00 AM is no longer free. Please pick another.',
    nearest: [ELEVEN],
  });
  // No request failed.
  expect(toastTexts()).toEqual([]);
});

test('free times of the next month are named too, if that month is loaded', async () => {
  const LAST = { start: '2026-12-31T15:00:00Z', end: '2026-12-31T15:59:00Z' };
  const JANUARY = { start: '2027-01-04T15:00:00Z', end: '2027-01-04T15:59:00Z' };
  api.months.set('2027-01', [{ date: '2027-01-04', windows: [JANUARY] }]);
  const booking = await openBooking();
  booking.times.chooseSlot(LAST);
  booking.times.showMonth('2027-01');
  await vi.waitFor(() => expect(booking.times.$timeNotice.get()?.nearest).toContainEqual(JANUARY));
});

test('after a reload a slot in the past is not restored', async () => {
  await chooseTen();
  vi.setSystemTime(new Date('2026-12-03T15:00:00Z'));
  expect((await openBooking()).times.$chosenTime.get()).toEqual({ kind: 'nothing' });
});

test('a conflict without a reason, as of an earlier server, is told in its words, drops the slot, reloads the month and changes the idempotency key', async () => {
  const booking = await chooseTen();
  saveBookingDraft('ana', { details: { ...BLANK_DETAILS, email: 'rosa@example.com' } });
  api.answerNext(problemResponse(409, TAKEN));
  const callsBefore = api.calls.length;
  expect(await booking.submitBooking(DETAILS)).toEqual({
    ...{ kind: 'conflict', reason: undefined, nearest: [], alike: [] },
  });
  expect(toastTexts()).toEqual([`Something went wrong. ${TAKEN}`]);
  expect(readBookingDraft('ana').details?.email).toBe('rosa@example.com');
  expect(booking.times.$chosenTime.get()).toEqual({ kind: 'day', date: '2026-12-03' });
  await vi.waitFor(() => expect(booking.times.$shownMonth.get().kind).toBe('ready'));
  expect(api.calls.slice(callsBefore).map(({ path, query }) => [path, query.get('month')])).toEqual(
    [
      ['appointments/request/service', null],
      [`services/${FLASH.id}/availability`, '12'],
      // The soonest times are in the first month.
      [`services/${FLASH.id}/availability`, '11'],
    ],
  );
  booking.times.chooseSlot(TEN);
  await booking.submitBooking(DETAILS);
  expect(new Set(sentKeys()).size).toBe(2);
});

test('a refusal other than a conflict leaves the slot chosen and its outcome known; its toast goes away with the next try', async () => {
  const booking = await chooseTen();
  api.answerNext(problemResponse(429, 'Too many tries'));
  expect(await booking.submitBooking(DETAILS)).toEqual({ kind: 'refused' });
  expect(toastTexts()).toEqual(['Something went wrong. Too many tries']);
  expect(booking.times.$chosenTime.get()).toMatchObject({ kind: 'slot', ...TEN });
  expect(readBookingDraft('ana').slot).toMatchObject({ start: TEN.start, isOutcomeUnknown: false });
  const sending = booking.submitBooking(DETAILS);
  expect(toastTexts()).toEqual([]);
  await sending;
});

test('choosing another service resets the time; a service chosen again has its time, until that is given up or booked', async () => {
  const booking = await chooseTen();
  booking.chooseService(SESSION);
  expect(booking.times.$chosenTime.get()).toEqual({ kind: 'nothing' });
  await vi.waitFor(() => expect(api.calls.at(-1)?.path).toContain(SESSION.id));
  booking.clearService();
  booking.chooseService(FLASH);
  expect(booking.times.$chosenTime.get()).toEqual({ kind: 'slot', date: '2026-12-03', ...TEN });
  expect(booking.times.$month.get()).toBe('2026-12');
  expect(readBookingDraft('ana').slot).toMatchObject(TEN);

  booking.resetChosenTime();
  booking.clearService();
  booking.chooseService(FLASH);
  expect(booking.times.$chosenTime.get()).toEqual({ kind: 'nothing' });

  booking.times.chooseSlot(TEN);
  expect(await booking.submitBooking(DETAILS)).toMatchObject({ kind: 'sent' });
  booking.clearService();
  booking.chooseService(FLASH);
  expect(booking.times.$chosenTime.get()).toEqual({ kind: 'nothing' });
});

test('the search for an open month does not change the month that the client chose meanwhile', async () => {
  const booking = await openBooking();
  const searching = booking.times.showNextOpenMonth();
  booking.times.showMonth('2027-06');
  await searching;
  expect(booking.times.$month.get()).toBe('2027-06');
});

const TAKEN = 'That time is no longer available. Please pick another.';

test('a taken time is reported with the nearest free ones of the API, of which one can be chosen', async () => {
  const FEBRUARY = { start: '2027-02-02T15:00:00Z', end: '2027-02-02T15:59:00Z' };
  const booking = await chooseTen();
  api.answerNext(refusalResponse('time_taken', { nearest: [ELEVEN, FEBRUARY] }));
  await booking.submitBooking(DETAILS);
  // The toast says that the time is taken.
  expect(toastTexts()).toEqual([`Something went wrong. ${TAKEN}`]);
  expect(booking.times.$timeNotice.get()).toEqual({
    text: 'Thu, Dec 3, 10:00 AM is taken. Free times near it:',
    nearest: [ELEVEN, FEBRUARY],
  });
  booking.times.chooseInAnyMonth(FEBRUARY);
  expect(booking.times.$month.get()).toBe('2027-02');
  expect(booking.times.$chosenTime.get()).toMatchObject({
    kind: 'slot',
    date: '2027-02-02',
    ...FEBRUARY,
  });
  expect(booking.times.$timeNotice.get()).toBeNull();
});

test('a taken time without free ones near it is reported without repeating the toast', async () => {
  const booking = await chooseTen();
  api.answerNext(refusalResponse('time_taken'));
  await booking.submitBooking(DETAILS);
  expect(booking.times.$timeNotice.get()).toEqual({
    text: 'Thu, Dec 3, 10:00 AM is taken. No free times near it.',
    nearest: [],
  });
});

test.each<[string, (booking: Awaited<ReturnType<typeof openBooking>>) => unknown]>([
  ['picks another time', (booking) => booking.times.chooseSlot(ELEVEN)],
  ['picks a near time', (booking) => booking.times.chooseInAnyMonth(ELEVEN)],
  ['picks a day', (booking) => booking.times.chooseDay('2026-12-04')],
  ['picks a service', (booking) => booking.chooseService(SESSION)],
  ['goes on without the design', (booking) => booking.dropDesign()],
  ['clears the form', (booking) => booking.resetChosenTime()],
])('the toast of a failed booking goes away when the client %s', async (_, act) => {
  const booking = await chooseTen();
  api.answerNext(refusalResponse('time_taken', { nearest: [ELEVEN] }));
  await booking.submitBooking(DETAILS);
  expect(toastTexts()).toEqual([`Something went wrong. ${TAKEN}`]);
  act(booking);
  expect(toastTexts()).toEqual([]);
});

test('a client who comes back and picks again replaces their own hold', async () => {
  const booking = await chooseTen();
  await booking.submitBooking(DETAILS);
  booking.resetSubmission();
  booking.times.chooseSlot(ELEVEN);
  await booking.submitBooking(DETAILS);
  // Also when the page was loaded again.
  const reloaded = await openBooking();
  reloaded.times.chooseSlot(ELEVEN);
  await reloaded.submitBooking(DETAILS);
  expect(api.requests().map(({ body }) => body['replaces'])).toEqual([
    null,
    APPOINTMENT_ID,
    APPOINTMENT_ID,
  ]);
  const [ten, eleven] = sentKeys();
  expect(eleven).not.toBe(ten);
});

const SERVICE_CHANGED = [{ type: 'service_changed', loc: ['body', 'end'], msg: 'It has changed' }];

test('a service with another duration is shown as it is now, and the time must be picked again', async () => {
  const booking = await chooseTen();
  api.services[0] = { ...FLASH, duration: 90 };
  api.answerNext(problemResponse(422, SERVICE_CHANGED));
  await booking.submitBooking(DETAILS);
  expect(booking.$service.get()).toMatchObject({ id: FLASH.id, duration: 90 });
  expect(booking.times.$chosenTime.get()).toEqual({ kind: 'day', date: '2026-12-03' });
  expect(booking.$serviceNotice.get()).toBe('“Small flash” takes 90 minutes now.');
});

test('when the services cannot be read again, a changed service stays chosen, and only the toast tells of it', async () => {
  const booking = await chooseTen();
  api.loseServices();
  api.answerNext(problemResponse(422, SERVICE_CHANGED));
  await booking.submitBooking(DETAILS);
  expect(booking.$service.get()).toEqual(FLASH);
  expect(booking.$serviceNotice.get()).toBeNull();
  expect(toastTexts()).toEqual(['Something went wrong. It has changed']);
  // Free times have the service's new duration, so the client can book one of them.
  booking.times.chooseSlot(ELEVEN);
  expect(await booking.submitBooking(DETAILS)).toMatchObject({ kind: 'sent' });
});

test.each([
  ['they are read again', () => api.services.shift(), [SESSION]],
  ['they cannot be read again', () => api.loseServices(), [SESSION]],
  ['an old list still has it', () => {}, [FLASH, SESSION]],
])('a service that is gone leads to the list of services: %s', async (_, happen, listed) => {
  const booking = await chooseTen();
  happen();
  api.answerNext(refusalResponse('service_not_available'));
  await booking.submitBooking(DETAILS);
  expect(booking.$service.get()).toBeNull();
  expect(booking.$services.get()).toEqual(listed);
  expect(booking.$serviceNotice.get()).toBe(
    'You had chosen “Small flash”. Everything you typed is still here.',
  );
});

test('after a refused design, the time stays chosen, with a new key that it has again when the client picks it again', async () => {
  const booking = await openBooking({ designId: 'design-one' });
  booking.times.chooseSlot(TEN);
  api.answerNext(refusalResponse('design_not_available'));
  await booking.submitBooking(DETAILS);
  expect(booking.times.$chosenTime.get()).toMatchObject({ kind: 'slot', ...TEN });
  booking.dropDesign();
  // The booking may have arrived, so only the same key is safe.
  api.answerNext('lost');
  await booking.submitBooking(DETAILS);
  booking.times.chooseSlot(ELEVEN);
  booking.times.chooseSlot(TEN);
  await booking.submitBooking(DETAILS);
  const designs = api.requests().map(({ body }) => body['design_id']);
  expect(designs).toEqual(['design-one', null, null]);
  const [refused, lost, again] = sentKeys();
  expect(again).toBe(lost);
  expect(lost).not.toBe(refused);
});

test('a design with a length of its own is booked without a service, and going on without it asks for one', async () => {
  const booking = await openBooking({
    ...{ designId: 'design-one', serviceId: null, hasOwnLength: true },
  });
  expect(api.calls.map(({ path }) => path)).toContain('designs/design-one/availability');
  booking.times.chooseSlot(TEN);
  api.answerNext(refusalResponse('design_not_available'));
  await booking.submitBooking(DETAILS);
  expect(api.requests()[0]?.body).toMatchObject({ ...TEN, service_id: null });
  expect(booking.times.$chosenTime.get()).toMatchObject(TEN);
  booking.dropDesign();
  expect(booking.bookedId()).toBeNull();
  expect(booking.times.$chosenTime.get().kind).toBe('nothing');
});

test('a cancelled time is restored, unless the client has chosen another time or service since', async () => {
  const booking = await chooseTen();
  const before = booking.times.$chosenTime.get();
  if (before.kind !== 'slot') throw new Error('No time is chosen');
  const { id } = FLASH;
  booking.resetChosenTime();
  booking.restoreSlot(id, before);
  expect(booking.times.$chosenTime.get()).toEqual(before);
  booking.resetChosenTime();
  booking.times.chooseSlot(ELEVEN);
  booking.restoreSlot(id, before);
  expect(booking.times.$chosenTime.get()).toMatchObject(ELEVEN);
  booking.chooseService(SESSION);
  booking.restoreSlot(id, before);
  expect(booking.times.$chosenTime.get()).toEqual({ kind: 'nothing' });
});

/** Opens December, which fails to load, and makes it loadable again. */
async function openFailedMonth() {
  let isOnline = false;
  const calls = stubApi(() => (isOnline ? { data: DECEMBER } : 'lost'));
  const booking = createBooking({ ...OPTIONS });
  const stop = booking.startBooking();
  booking.times.showMonth('2026-12');
  booking.times.$shownMonth.listen(() => {});
  await vi.waitFor(() => expect(booking.times.$shownMonth.get().kind).toBe('failed'));
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
    expect(booking.times.$shownMonth.get()).toEqual({ kind: 'ready', days: DECEMBER }),
  );
  stop();
});
