import { beforeEach, expect, test, vi } from 'vitest';
import { createTimeChoice } from '#stores/time_choice.ts';
import { DECEMBER, FLASH, fakeBookingApi, zoneWithOffsets } from '#support/fake_api.ts';

const FEBRUARY = { start: '2027-02-02T15:00:00Z', end: '2027-02-02T15:59:00Z' };

let api: ReturnType<typeof fakeBookingApi>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T12:00:00Z') });
  api = fakeBookingApi();
});

const createTimes = (initialMonth: Parameters<typeof createTimeChoice>[0]['initialMonth'] = null) =>
  createTimeChoice({
    zone: zoneWithOffsets('America/New_York'),
    today: '2026-12-01',
    initialMonth,
    bookedId: () => FLASH.id,
  });

const requestedMonths = () => api.calls.map(({ query }) => query.get('month'));

test('the first month with free times is shown; a search after it reports that there is none', async () => {
  api.months.delete('2026-12');
  const times = createTimes();
  const stop = times.startLoading();
  await vi.waitFor(() => expect(times.$month.get()).toBe('2027-02'));
  await vi.waitFor(() =>
    expect(times.$suggestions.get().map(({ start }) => start)).toEqual([FEBRUARY.start]),
  );
  await times.showNextOpenMonth();
  expect([times.$month.get(), times.$monthSearch.get()]).toEqual(['2027-02', 'nothing']);
  stop();
});

test('the soonest times are suggested: the first of each day, then later ones', async () => {
  const times = createTimes();
  const stop = times.startLoading();
  await vi.waitFor(() => expect(times.$suggestions.get()).toHaveLength(3));
  expect(times.$suggestions.get().map(({ start }) => start)).toEqual([
    '2026-12-03T15:00:00Z',
    '2026-12-03T16:00:00Z',
    '2026-12-04T15:00:00Z',
  ]);
  stop();
});

test('a month that the client chooses while the page looks for free times stays', async () => {
  api.months.delete('2026-12');
  const times = createTimes();
  const stop = times.startLoading();
  times.showMonth('2027-06');
  await vi.waitFor(() => expect(requestedMonths()).toContain('6'));
  await vi.waitFor(() => expect(times.$shownMonth.get().kind).toBe('ready'));
  expect(times.$month.get()).toBe('2027-06');
  stop();
});

test('the calendar begins with the month of the server’s date, whatever the device’s clock shows', () => {
  for (const year of ['2020', '2031']) {
    vi.setSystemTime(new Date(`${year}-03-01T12:00:00Z`));
    const { firstMonth, $month } = createTimes({ month: '2026-12', days: DECEMBER });
    expect([firstMonth, $month.get()]).toEqual(['2026-12', '2026-12']);
  }
});

test('the month in the page is shown at once, fetched once more and replaced by the newer one', async () => {
  const times = createTimes({ month: '2026-12', days: [{ date: '2026-12-02', windows: [] }] });
  const stop = times.startLoading();
  expect(times.$shownMonth.get().kind).toBe('ready');
  await vi.waitFor(() =>
    expect(times.$shownMonth.get()).toEqual({ kind: 'ready', days: DECEMBER }),
  );
  expect(requestedMonths().filter((month) => month === '12')).toHaveLength(1);
  stop();
});
