import { expect, test } from 'vitest';
import { APPOINTMENT_STATUSES } from '#domain/appointments/appointment.ts';
import { type EditionUse, editionsLeft, usesEdition } from '#domain/booking/editions.ts';

const NOW = Date.parse('2030-06-03T12:00:00Z');
const HELD: EditionUse = {
  status: 'held',
  time: { start: NOW + 1000, end: NOW + 2000, expiresAt: NOW + 500 },
  isReserved: true,
  keepsEdition: false,
};

test('what is booked uses up an edition, and a reserved hold or offer until its deadline', () => {
  const using = APPOINTMENT_STATUSES.filter((status) => usesEdition({ ...HELD, status }, NOW));
  expect(using).toEqual(['held', 'offered', 'confirmed', 'completed', 'no_show']);
  const later = APPOINTMENT_STATUSES.filter((status) =>
    usesEdition({ ...HELD, status }, NOW + 500),
  );
  expect(later).toEqual(['confirmed', 'completed', 'no_show']);
});

test('a hold that reserves no time uses up nothing', () => {
  expect(usesEdition({ ...HELD, isReserved: false }, NOW)).toBe(false);
});

test('the artist may keep the edition of a cancelled appointment', () => {
  const cancelled = { ...HELD, status: 'cancelled' as const };
  expect(usesEdition(cancelled, NOW)).toBe(false);
  expect(usesEdition({ ...cancelled, keepsEdition: true }, NOW)).toBe(true);
});

test('what is left is never negative, and has no number without a limit', () => {
  expect([editionsLeft(null, 7), editionsLeft(3, 1), editionsLeft(1, 2)]).toEqual([null, 2, 0]);
});
