import { expect, test } from 'vitest';
import {
  isHoursDraft,
  rebaseDraft,
  toHoursDraft,
  validateDraft,
} from '#stores/studio/hours_draft.ts';
import { ANA_SELF } from '#support/fake_schedule_api.ts';

const MORNING = { start: '09:00', end: '12:00' };
const TODAY = '2026-12-01';

const ANA_OPEN = {
  ...ANA_SELF,
  schedule: {
    ...ANA_SELF.schedule,
    weekly: [{ weekday: 2, windows: [MORNING] }],
    exceptions: [
      { date: '2026-12-24', windows: [] },
      { date: '2026-11-30', windows: [MORNING] },
      { date: '2026-12-01', windows: [MORNING] },
    ],
    buffer_minutes: 15,
  },
};
const DRAFT = toHoursDraft(ANA_OPEN, TODAY);

test('a draft has all seven days from Monday on, and dates from today on in order', () => {
  expect(DRAFT.weekly.map(({ weekday, windows }) => [weekday, windows.length])).toEqual([
    [1, 0],
    [2, 1],
    [3, 0],
    [4, 0],
    [5, 0],
    [6, 0],
    [7, 0],
  ]);
  expect(DRAFT.exceptions.map(({ date }) => date)).toEqual(['2026-12-01', '2026-12-24']);
  expect(DRAFT.buffer_minutes).toBe('15');
});

test('a booking range that the artist does not use has values to begin with', () => {
  const range = (booking_range: (typeof ANA_SELF)['booking_range']) =>
    toHoursDraft({ ...ANA_SELF, booking_range }, TODAY).range;
  const usual = { days: '60', start: '2026-12-01', end: '2027-02-01' };
  expect(range({ kind: 'open' })).toEqual({ kind: 'open', ...usual });
  expect(range({ kind: 'rolling', days: 14 })).toEqual({ ...usual, kind: 'rolling', days: '14' });
});

test('a draft that nobody touched is valid and changes nothing', () => {
  const { settings, faults } = validateDraft(DRAFT);
  expect(faults).toEqual({});
  expect(settings?.schedule.weekly.filter(({ windows }) => windows.length > 0)).toEqual(
    ANA_OPEN.schedule.weekly,
  );
  expect(settings?.bookingRange).toEqual({ kind: 'open' });
});

test('a number that is blank, broken or out of range is named by its field', () => {
  const faultsOf = (buffer_minutes: string) => validateDraft({ ...DRAFT, buffer_minutes }).faults;
  for (const typed of ['', ' ', 'ten', '-1', '1441', '7.5'])
    expect(faultsOf(typed), typed).toEqual({ buffer_minutes: 'Between 0 and 1440 minutes' });
  expect(faultsOf('1440')).toEqual({});
});

test('a window that is wrong is named by its day and place', () => {
  const { settings, faults } = validateDraft({
    ...DRAFT,
    weekly: DRAFT.weekly.map((day) =>
      day.weekday === 2
        ? { ...day, windows: [MORNING, { start: '11:00', end: '13:00' }, { start: '', end: '' }] }
        : day,
    ),
    exceptions: [{ date: '2026-12-24', windows: [{ start: '12:00', end: '12:00' }] }],
  });
  expect(settings).toBeNull();
  expect(faults).toEqual({
    'weekly.2.1': 'Overlaps the hours above',
    'weekly.2.2': 'Enter both times',
    'exceptions.2026-12-24.0': 'Must end after it starts',
  });
});

test('a booking range that is wrong is named by its field', () => {
  const faultsOf = (range: Partial<typeof DRAFT.range>) =>
    validateDraft({ ...DRAFT, range: { ...DRAFT.range, ...range } }).faults;
  expect(faultsOf({ kind: 'rolling', days: '800' })).toEqual({
    'range.days': 'Between 0 and 731 days',
  });
  expect(faultsOf({ kind: 'fixed', start: '2026-12-02', end: '2026-12-01' })).toEqual({
    'range.end': 'Enter the last day, not before the first',
  });
  expect(faultsOf({ kind: 'fixed', start: '' })).toHaveProperty('range.start');
});

test('changes typed while saving stay on top of the saved draft', () => {
  const sent = { ...DRAFT, buffer_minutes: '20' };
  const typed = { ...sent, slot_interval_minutes: '45', exceptions: [] };
  const saved = {
    ...sent,
    buffer_minutes: '20',
    minimum_notice_minutes: '999',
    exceptions: [...sent.exceptions, { date: '2026-12-31', windows: [] }],
  };
  expect(rebaseDraft(saved, sent, typed)).toMatchObject({
    buffer_minutes: '20',
    slot_interval_minutes: '45',
    minimum_notice_minutes: '999',
    exceptions: [{ date: '2026-12-31', windows: [] }],
  });
});

test('only a whole draft is restored from storage', () => {
  expect(isHoursDraft(JSON.parse(JSON.stringify(DRAFT)))).toBe(true);
  for (const stored of [null, 7, {}, { ...DRAFT, weekly: [] }, { ...DRAFT, exceptions: null }])
    expect(isHoursDraft(stored)).toBe(false);
});
