import { expect, test } from 'vitest';
import { BLANK_DETAILS } from '#stores/details.ts';
import { forgetHold, readHold, saveHold } from '#stores/saved_hold.ts';

const UNTIL = '2026-12-01T12:30:00Z';
const BEFORE = Date.parse(UNTIL) - 1;
const HOLD = {
  appointmentId: 'a1',
  start: '2026-12-03T15:00:00Z',
  until: UNTIL,
  isReserved: true,
  details: { ...BLANK_DETAILS, first_name: 'Rosa' },
};

test('a hold is read back by any tab, for its own artist', () => {
  saveHold('ana', HOLD);
  expect(readHold('ana', BEFORE)).toEqual(HOLD);
  expect(readHold('bo', BEFORE)).toBeNull();
});

test('what was typed is deleted when the hold has ended', () => {
  saveHold('ana', HOLD);
  expect(readHold('ana', Date.parse(UNTIL))).toBeNull();
  expect(localStorage.length).toBe(0);
});

test('only the hold that is confirmed or released is forgotten', () => {
  const later = { ...HOLD, until: new Date(Date.now() + 60_000).toISOString() };
  saveHold('ana', later);
  forgetHold('ana', 'another');
  expect(readHold('ana')).toEqual(later);
  forgetHold('ana', 'a1');
  expect(readHold('ana')).toBeNull();
});

test.each(['{', '"text"', '{"appointmentId":"a1"}', 'null'])('%s is not a hold', (stored) => {
  localStorage.setItem('linework:hold:ana', stored);
  expect(readHold('ana', BEFORE)).toBeNull();
});
