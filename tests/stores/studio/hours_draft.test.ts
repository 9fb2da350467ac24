import { expect, test } from 'vitest';
import {
  isHoursEdit,
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
  const added = { date: '2026-12-31', windows: [] };
  const saved = {
    ...sent,
    minimum_notice_minutes: '999',
    exceptions: [...sent.exceptions, added],
  };
  expect(rebaseDraft(saved, sent, typed)).toEqual({
    ...saved,
    slot_interval_minutes: '45',
    exceptions: [added],
  });
});

test('only a complete hours draft with its base is accepted from storage', () => {
  const edit = JSON.parse(JSON.stringify({ base: DRAFT, draft: DRAFT }));
  expect(isHoursEdit(edit)).toBe(true);
  for (const value of [null, DRAFT, { draft: DRAFT }, { ...edit, draft: { ...DRAFT, weekly: [] } }])
    expect(isHoursEdit(value)).toBe(false);
});
