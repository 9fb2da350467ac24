import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openAgain, takeOff } from '#stores/studio/calendar.ts';
import { createHours } from '#stores/studio/hours.ts';
import { $toasts, closeToast } from '#stores/toasts.ts';
import { ANA_SELF, fakeStudio } from '#support/fake_studio.ts';

const MORNING = [{ start: '09:00', end: '12:00' }];

let studio: ReturnType<typeof fakeStudio>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T12:00:00Z') });
  studio = fakeStudio();
});

afterEach(() => {
  $toasts.set([]);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a day off can be taken back without those that were taken since', async () => {
  await takeOff('2026-12-24', '2026-12-24');
  const undo = $toasts.get()[0]?.action;
  await takeOff('2026-12-31', '2026-12-31');
  await openAgain('2026-12-31', '2026-12-31');
  await takeOff('2027-01-01', '2027-01-02');
  undo?.run();
  await vi.waitFor(() =>
    expect(studio.self().schedule.exceptions).toEqual([
      { date: '2027-01-01', windows: [] },
      { date: '2027-01-02', windows: [] },
    ]),
  );
});

test('a day that is open again gets back the hours of its own when that is undone', async () => {
  const hours = createHours(ANA_SELF);
  hours.setDates('2026-12-24', '2026-12-24', MORNING);
  await hours.save();
  for (const { id } of $toasts.get()) closeToast(id);
  await openAgain('2026-12-24', '2026-12-24');
  const undo = $toasts.get()[0]?.action;
  await takeOff('2026-12-20', '2026-12-20');
  undo?.run();
  await vi.waitFor(() =>
    expect(studio.self().schedule.exceptions).toEqual([
      { date: '2026-12-20', windows: [] },
      { date: '2026-12-24', windows: MORNING },
    ]),
  );
});
