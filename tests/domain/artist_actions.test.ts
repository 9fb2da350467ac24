import { describe, expect, test } from 'vitest';
import {
  APPOINTMENT_STATUSES,
  type AppointmentStatus,
  allowedArtistActions,
  artistTransition,
  setTime,
} from '#domain/appointment.ts';

const NOW = Date.parse('2026-12-01T15:00:00Z');
const HOUR = 3_600_000;
const TERMS = { holdMinutes: 30, offerHours: 72 };

function appointment(
  status: AppointmentStatus,
  start: number | null,
  expiresAt: number | null = null,
) {
  return { status, time: start === null ? null : { start, end: start + HOUR, expiresAt } };
}

describe('what an artist can do', () => {
  test.each([
    [
      'a request can be offered a time or declined',
      appointment('requested', null),
      ['offer', 'decline'],
    ],
    [
      'an offer can be moved or cancelled',
      appointment('offered', NOW + HOUR, NOW + 1),
      ['move', 'cancel'],
    ],
    [
      'a hold can be moved or cancelled',
      appointment('held', NOW + HOUR, NOW + 1),
      ['move', 'cancel'],
    ],
    [
      'a request whose offer has ended can be offered another time or declined',
      appointment('offered', NOW + HOUR, NOW),
      ['offer', 'decline'],
    ],
    ['an expired hold can only be deleted', appointment('held', NOW + HOUR, NOW), ['delete']],
    [
      'a future appointment cannot be completed yet',
      appointment('confirmed', NOW + 1),
      ['move', 'cancel'],
    ],
    [
      'an appointment that has begun can be completed',
      appointment('confirmed', NOW),
      ['complete', 'no_show', 'move', 'cancel'],
    ],
    [
      'a completed appointment can be corrected',
      appointment('completed', NOW - HOUR),
      ['no_show', 'reopen'],
    ],
    ['a no-show can be corrected', appointment('no_show', NOW - HOUR), ['complete', 'reopen']],
    ['a declined request can be deleted', appointment('declined', null), ['delete']],
    ['a cancelled appointment can be deleted', appointment('cancelled', NOW + HOUR), ['delete']],
    ['an expired appointment can be deleted', appointment('expired', NOW - HOUR), ['delete']],
  ])('%s', (_title, given, expected) => {
    expect(allowedArtistActions(given, NOW)).toEqual(expected);
  });

  test.each(APPOINTMENT_STATUSES)(
    'every action listed for %s is allowed by the rules',
    (status) => {
      for (const start of [NOW - HOUR, NOW + HOUR]) {
        const given = appointment(status, status === 'requested' ? null : start);
        const actions = allowedArtistActions(given, NOW);
        for (const [action, next] of STATUS_AFTER)
          if (actions.includes(action)) expect(artistTransition(given, action, NOW)).toBe(next);
        if (actions.includes('offer') || actions.includes('move'))
          expect(() => setTime(given, NOW + 2 * HOUR, TERMS, NOW)).not.toThrow();
      }
    },
  );
});

const STATUS_AFTER = [
  ['decline', 'declined'],
  ['cancel', 'cancelled'],
  ['complete', 'completed'],
  ['no_show', 'no_show'],
  ['reopen', 'confirmed'],
] as const;
