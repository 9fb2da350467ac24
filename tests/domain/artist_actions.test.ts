import { describe, expect, test } from 'vitest';
import {
  APPOINTMENT_STATUSES,
  type AppointmentStatus,
  type ARTIST_STATUSES,
  setTime,
  transition,
} from '#domain/appointment.ts';
import { allowedArtistActions } from '#domain/artist_actions.ts';

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
      'a request is answered with an offer or a no',
      appointment('requested', null),
      ['offer', 'decline'],
    ],
    [
      'an offer is moved or called off',
      appointment('offered', NOW + HOUR, NOW + 1),
      ['move', 'cancel'],
    ],
    ['a hold is moved or called off', appointment('held', NOW + HOUR, NOW + 1), ['move', 'cancel']],
    ['a lapsed offer is only cleared away', appointment('offered', NOW + HOUR, NOW), ['delete']],
    ['nothing came yet of what lies ahead', appointment('confirmed', NOW + 1), ['move', 'cancel']],
    [
      'what has begun can be said to be done',
      appointment('confirmed', NOW),
      ['complete', 'no_show', 'move', 'cancel'],
    ],
    ['what is done stays', appointment('completed', NOW - HOUR), []],
    ['who did not come is remembered', appointment('no_show', NOW - HOUR), []],
    ['what was declined can go', appointment('declined', null), ['delete']],
    ['what was cancelled can go', appointment('cancelled', NOW + HOUR), ['delete']],
    ['what expired can go', appointment('expired', NOW - HOUR), ['delete']],
  ])('%s', (_name, given, expected) => {
    expect(allowedArtistActions(given, NOW)).toEqual(expected);
  });

  test.each(APPOINTMENT_STATUSES)('everything shown for %s is allowed', (status) => {
    for (const start of [NOW - HOUR, NOW + HOUR]) {
      const given = appointment(status, status === 'requested' ? null : start);
      const actions = allowedArtistActions(given, NOW);
      for (const [action, next] of SETTLES)
        if (actions.includes(action)) expect(transition(given, next, NOW)).toBe(next);
      if (actions.includes('offer') || actions.includes('move'))
        expect(() => setTime(given, NOW + 2 * HOUR, TERMS, NOW)).not.toThrow();
    }
  });
});

const SETTLES = [
  ['decline', 'declined'],
  ['cancel', 'cancelled'],
  ['complete', 'completed'],
  ['no_show', 'no_show'],
] as const satisfies readonly [string, (typeof ARTIST_STATUSES)[number]][];
