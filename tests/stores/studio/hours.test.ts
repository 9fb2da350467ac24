import { beforeEach, expect, test, vi } from 'vitest';
import { saveFormDrafts, setFormDraftOwner } from '#stores/form_drafts.ts';
import { closeDates } from '#stores/studio/calendar.ts';
import { createHoursEditor } from '#stores/studio/hours.ts';
import { validateDates } from '#stores/studio/hours_draft.ts';
import { ANA_SELF, fakeScheduleApi } from '#support/fake_schedule_api.ts';

const MORNING = [{ start: '09:00', end: '12:00' }];
const EVENING = [{ start: '18:00', end: '22:00' }];
const MONDAY = 1;
const TUESDAY = 2;

let studio: ReturnType<typeof fakeScheduleApi>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T12:00:00Z') });
  studio = fakeScheduleApi();
});

const windowsOf = (hours: ReturnType<typeof createHoursEditor>, weekday: number) =>
  hours.$draft.get().weekly.find((day) => day.weekday === weekday)?.windows;

test('changes made during a save stay in the draft as unsaved', async () => {
  const hours = createHoursEditor(ANA_SELF);
  hours.setWeekdays([MONDAY], MORNING);
  studio.duringChange(() => {
    hours.setWeekdays([TUESDAY], EVENING);
    hours.change({ buffer_minutes: '15' });
  });
  expect(await hours.save()).toBe(true);
  expect([windowsOf(hours, MONDAY), windowsOf(hours, TUESDAY)]).toEqual([MORNING, EVENING]);
  expect(hours.$draft.get().buffer_minutes).toBe('15');
  expect(hours.$isChanged.get()).toBe(true);
  studio.duringChange(() => {});
  expect(await hours.save()).toBe(true);
  expect(hours.$isChanged.get()).toBe(false);
  expect(studio.self().schedule).toMatchObject({ buffer_minutes: 15 });
});

test('saving hours, also restored ones, does not revert days off that were added elsewhere', async () => {
  setFormDraftOwner(ANA_SELF.id);
  const draft = createHoursEditor(ANA_SELF);
  draft.start();
  draft.setWeekdays([MONDAY], MORNING);
  // After a failed save, and when the login expires.
  saveFormDrafts();
  await closeDates('2026-12-24', '2026-12-24');
  const hours = createHoursEditor(studio.self());
  hours.start();
  await closeDates('2026-12-31', '2026-12-31');
  studio.duringChange(() => hours.setDates({ first: '2026-12-10', last: '2026-12-10' }, EVENING));
  await hours.save();
  studio.duringChange(() => {});
  await hours.save();
  expect(studio.self().schedule.exceptions).toEqual([
    { date: '2026-12-10', windows: EVENING },
    { date: '2026-12-24', windows: [] },
    { date: '2026-12-31', windows: [] },
  ]);
});

test('hours to add are checked against the nights before, between and after their dates', () => {
  const hours = createHoursEditor(ANA_SELF);
  const night = { start: '20:00', end: '02:00' };
  hours.setDates({ first: '2026-12-04', last: '2026-12-04' }, [
    { start: '01:00', end: '04:00' },
    night,
  ]);
  const errors = (first: string, last: string, start: string) =>
    validateDates(
      hours.$draft.get(),
      { first, last, windows: [{ start, end: '12:00' }, night] },
      first,
    ).windows;
  const [before, after] = ['Overlaps the night before', 'Overlaps the hours of the next day'];
  expect(errors('2026-12-05', '2026-12-05', '01:00')).toEqual({ '.0': before });
  expect(errors('2026-12-03', '2026-12-03', '02:00')).toEqual({ '.1': after });
  expect(errors('2026-12-01', '2026-12-02', '01:00')).toEqual({ '.0': before, '.1': after });
});

test('an exception that becomes past while the page is open is not an unsaved change', () => {
  const exception = { date: '2026-12-01', windows: [] };
  const hours = createHoursEditor({
    ...ANA_SELF,
    schedule: { ...ANA_SELF.schedule, exceptions: [exception] },
  });
  vi.setSystemTime(new Date('2026-12-02T12:00:00Z'));
  hours.change({});
  expect(hours.$isChanged.get()).toBe(false);
});
