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

test('a draft has all seven weekdays, Monday first, and exceptions from today on, sorted', () => {
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

test('unused fields of the booking range have default values', () => {
  const range = (booking_range: (typeof ANA_SELF)['booking_range']) =>
    toHoursDraft({ ...ANA_SELF, booking_range }, TODAY).range;
  const defaults = { days: '60', start: '2026-12-01', end: '2027-02-01' };
  expect(range({ kind: 'open' })).toEqual({ kind: 'open', ...defaults });
  expect(range({ kind: 'rolling', days: 14 })).toEqual({
    ...defaults,
    kind: 'rolling',
    days: '14',
  });
});

test('a number that is blank, malformed or out of range is an error of its field', () => {
  const errorsOf = (buffer_minutes: string) => validateDraft({ ...DRAFT, buffer_minutes }).errors;
  for (const typed of ['', ' ', 'ten', '-1', '1441', '7.5'])
    expect(errorsOf(typed), typed).toEqual({ buffer_minutes: 'Between 0 and 1440 minutes' });
  expect(errorsOf('1440')).toEqual({});
});

test('clients may cancel or move until a number of hours before, until the start, or never', () => {
  expect([DRAFT.client_cancel_notice_hours, DRAFT.client_move_notice_hours]).toEqual([
    '48',
    'never',
  ]);
  const parse = (client_move_notice_hours: string) => {
    const { settings, errors } = validateDraft({ ...DRAFT, client_move_notice_hours });
    return settings ? settings.schedule.client_move_notice_hours : errors;
  };
  expect([parse('never'), parse('0'), parse('12')]).toEqual([null, 0, 12]);
  for (const typed of ['', '8761', '1.5', 'ever'])
    expect(parse(typed), typed).toEqual({ client_move_notice_hours: 'Between 0 and 8760 hours' });
});

test('an invalid booking range is an error of its field', () => {
  const errorsOf = (range: Partial<typeof DRAFT.range>) =>
    validateDraft({ ...DRAFT, range: { ...DRAFT.range, ...range } }).errors;
  expect(errorsOf({ kind: 'rolling', days: '800' })).toEqual({
    'range.days': 'Between 0 and 731 days',
  });
  expect(errorsOf({ kind: 'fixed', start: '2026-12-02', end: '2026-12-01' })).toEqual({
    'range.end': 'Enter the last day, not before the first',
  });
  expect(errorsOf({ kind: 'fixed', start: '' })).toHaveProperty('range.start');
});

test('rebaseDraft applies changes made during a save to the saved draft', () => {
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

test('only a complete hours draft is accepted from storage', () => {
  expect(isHoursDraft(JSON.parse(JSON.stringify(DRAFT)))).toBe(true);
  for (const stored of [null, 7, {}, { ...DRAFT, weekly: [] }, { ...DRAFT, exceptions: null }])
    expect(isHoursDraft(stored)).toBe(false);
});
