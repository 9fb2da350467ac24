import { expect, test } from 'vitest';
import type { AppointmentStatus } from '#domain/appointments/appointment.ts';
import {
  chooseLinked,
  type LinkedStatus,
  linkedStatus,
} from '#domain/appointments/appointment_links.ts';
import { HOUR_MS } from '#domain/time/time.ts';

const NOW = Date.parse('2026-12-01T12:00:00Z');

function appointment(
  status: AppointmentStatus,
  hours: number | null,
  expiresAt: number | null = null,
) {
  const start = NOW + (hours ?? 0) * HOUR_MS;
  const end = start + HOUR_MS;
  return {
    status,
    time: hours === null ? null : { start, end, blockedUntil: end, expiresAt, isReserved: true },
  };
}

test.each([
  ['a request', appointment('requested', null), 'requested'],
  ['a hold', appointment('held', 24, NOW + 1), 'held'],
  ['an expired hold', appointment('held', 24, NOW), null],
  ['an offer', appointment('offered', 24, NOW + 1), 'offered'],
  ['a lapsed offer, whose request is open again', appointment('offered', 24, NOW), 'requested'],
  ['an upcoming booking', appointment('confirmed', 24), 'confirmed'],
  ['a booking under way', appointment('confirmed', -0.5), 'confirmed'],
  ['a booking that is over', appointment('confirmed', -1), 'past'],
  ['a completed booking', appointment('completed', -24), 'past'],
  ['a booking to which nobody came', appointment('no_show', -24), 'past'],
  ['a declined request', appointment('declined', null), 'declined'],
  ['a cancelled booking', appointment('cancelled', 24), 'cancelled'],
] as const)('%s', (_name, of, status) => {
  expect(linkedStatus(of, NOW)).toBe(status);
});

test('all that are not over are listed, the soonest first, then the last past and the last closed one', () => {
  const one = (status: LinkedStatus, start: number | null) => ({ status, start });
  const requested = one('requested', null);
  const chosen = chooseLinked([
    one('past', 1),
    ...[one('declined', null), one('cancelled', 5)],
    requested,
    one('confirmed', 9),
    one('past', 2),
    one('offered', 8),
  ]);
  expect(chosen.map(({ start }) => start)).toEqual([8, 9, null, 2, 5]);
  expect(chooseLinked([])).toEqual([]);
  expect(chooseLinked(Array(30).fill(requested))).toHaveLength(20);
});
