import { describe, expect, test } from 'vitest';
import type { Appointment, AppointmentStatus, ArtistStatus } from '#domain/appointment.ts';
import {
  APPOINTMENT_STATUSES,
  ARTIST_STATUSES,
  decideConfirmation,
  holdExpiresAt,
  isConfirmed,
  occupiesCalendar,
  refuseUnlessDeletable,
  setTime,
  statusAt,
  transition,
} from '#domain/appointment.ts';
import { InvalidInput, Refusal } from '#domain/refusal.ts';

const NOW = Date.parse('2026-06-01T12:00Z');
const MINUTE = 60_000;
const TERMS = { holdMinutes: 30, offerHours: 72 };
const TOMORROW = { start: NOW + 1440 * MINUTE, end: NOW + 1500 * MINUTE };
const YESTERDAY = { start: NOW - 1440 * MINUTE, end: NOW - 1380 * MINUTE };

/** Appointments as stored. The overdue ones have expired, but still have their old status. */
const STORED: Record<AppointmentStatus | 'overdue hold' | 'overdue offer', Appointment> = {
  requested: { status: 'requested', time: null },
  held: { status: 'held', time: { ...TOMORROW, expiresAt: NOW + 10 * MINUTE } },
  offered: { status: 'offered', time: { ...TOMORROW, expiresAt: NOW + 60 * MINUTE } },
  confirmed: { status: 'confirmed', time: { ...TOMORROW, expiresAt: null } },
  declined: { status: 'declined', time: null },
  expired: { status: 'expired', time: { ...TOMORROW, expiresAt: NOW - 60 * MINUTE } },
  cancelled: { status: 'cancelled', time: { ...TOMORROW, expiresAt: null } },
  completed: { status: 'completed', time: { ...YESTERDAY, expiresAt: null } },
  no_show: { status: 'no_show', time: { ...YESTERDAY, expiresAt: null } },
  'overdue hold': { status: 'held', time: { ...TOMORROW, expiresAt: NOW - MINUTE } },
  'overdue offer': { status: 'offered', time: { ...TOMORROW, expiresAt: NOW - MINUTE } },
};
type Stored = keyof typeof STORED;

/** The result of `act`, or the reason of its refusal. */
function outcome<T>(act: () => T): T | string {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
}

describe('the current status of an appointment', () => {
  test.each(APPOINTMENT_STATUSES)('%s is read as it is stored', (status) => {
    expect(statusAt(STORED[status], NOW)).toBe(status);
  });

  test('an overdue hold is read as expired', () => {
    expect(statusAt(STORED['overdue hold'], NOW)).toBe('expired');
  });

  test('an overdue offer is read as expired', () => {
    expect(statusAt(STORED['overdue offer'], NOW)).toBe('expired');
  });

  test('a hold expires exactly at its deadline, not before', () => {
    const held: Appointment = { status: 'held', time: { ...TOMORROW, expiresAt: NOW } };
    expect(statusAt(held, NOW - 1)).toBe('held');
    expect(statusAt(held, NOW)).toBe('expired');
  });

  test('a hold lasts as many minutes as configured', () => {
    const expiresAt = holdExpiresAt(TOMORROW.start, TERMS, NOW);
    expect(expiresAt).toBe(Date.parse('2026-06-01T12:30Z'));
    expect(holdExpiresAt(TOMORROW.start, { ...TERMS, holdMinutes: 5 }, NOW)).toBe(NOW + 5 * MINUTE);
  });

  test('a hold expires at the start of the appointment, if that comes first', () => {
    expect(holdExpiresAt(NOW + 30 * MINUTE, TERMS, NOW)).toBe(NOW + 30 * MINUTE);
    expect(holdExpiresAt(NOW + 29 * MINUTE, TERMS, NOW)).toBe(NOW + 29 * MINUTE);
    expect(holdExpiresAt(NOW + 31 * MINUTE, TERMS, NOW)).toBe(NOW + 30 * MINUTE);
  });

  test.each(['requested', 'confirmed', 'declined', 'cancelled', 'completed', 'no_show'] as const)(
    '%s never expires',
    (status) => {
      const overdue: Appointment = { status, time: { ...TOMORROW, expiresAt: NOW - MINUTE } };
      expect(statusAt(overdue, NOW)).toBe(status);
    },
  );

  test('a hold without a deadline stays held', () => {
    expect(statusAt({ status: 'held', time: { ...TOMORROW, expiresAt: null } }, NOW)).toBe('held');
  });
});

describe('held, offered and confirmed appointments', () => {
  test('are the only ones that block their time', () => {
    const blocking = APPOINTMENT_STATUSES.filter(occupiesCalendar);
    expect(blocking).toEqual(['held', 'offered', 'confirmed']);
  });

  test('do not block their time after their deadline', () => {
    expect(occupiesCalendar(statusAt(STORED['overdue hold'], NOW))).toBe(false);
    expect(occupiesCalendar(statusAt(STORED['overdue offer'], NOW))).toBe(false);
  });
});

test('only confirmed, completed and no-show count as confirmed', () => {
  expect(APPOINTMENT_STATUSES.filter(isConfirmed)).toEqual(['confirmed', 'completed', 'no_show']);
});

describe('a client who confirms an appointment', () => {
  test.each<[Stored, string]>([
    ['requested', 'status_changed'],
    ['held', 'confirm'],
    ['offered', 'confirm'],
    ['confirmed', 'already'],
    ['declined', 'status_changed'],
    ['expired', 'confirm'],
    ['cancelled', 'status_changed'],
    ['completed', 'already'],
    ['no_show', 'already'],
    ['overdue hold', 'confirm'],
    ['overdue offer', 'confirm'],
  ])('%s: %s', (name, expected) => {
    expect(outcome(() => decideConfirmation(STORED[name], NOW))).toBe(expected);
  });

  test.each([
    ['expired', 'expired'],
    ['overdue hold', 'held'],
    ['overdue offer', 'offered'],
  ] as const)('is too late for an %s one that has begun', (_name, status) => {
    const startingAt = (start: number): Appointment => ({
      status,
      time: { start, end: start + 60 * MINUTE, expiresAt: NOW - MINUTE },
    });
    expect(outcome(() => decideConfirmation(startingAt(NOW - 1), NOW))).toBe('time_taken');
    expect(outcome(() => decideConfirmation(startingAt(NOW), NOW))).toBe('time_taken');
    expect(outcome(() => decideConfirmation(startingAt(NOW + 1), NOW))).toBe('confirm');
  });
});

describe('an artist who sets a status', () => {
  test.each<[Stored, readonly ArtistStatus[]]>([
    ['requested', ['declined', 'cancelled']],
    ['held', ['cancelled']],
    ['offered', ['cancelled']],
    ['confirmed', ['cancelled', 'completed', 'no_show']],
    ['declined', []],
    ['expired', []],
    ['cancelled', []],
    ['completed', []],
    ['no_show', []],
    ['overdue hold', []],
    ['overdue offer', []],
  ])('may change %s to %j only', (name, allowed) => {
    for (const next of ARTIST_STATUSES) {
      const expected = allowed.includes(next) ? next : 'status_changed';
      expect(outcome(() => transition(STORED[name], next, NOW))).toBe(expected);
    }
  });
});

describe('an artist who deletes an appointment', () => {
  test.each<[Stored, boolean]>([
    ['requested', false],
    ['held', false],
    ['offered', false],
    ['confirmed', false],
    ['declined', true],
    ['expired', true],
    ['cancelled', true],
    ['completed', false],
    ['no_show', false],
    ['overdue hold', true],
    ['overdue offer', true],
  ])('may delete %s: %s', (name, mayDelete) => {
    expect(outcome(() => refuseUnlessDeletable(STORED[name], NOW))).toBe(
      mayDelete ? undefined : 'not_deletable',
    );
  });
});

describe('an artist who sets a time', () => {
  const inThreeDays = Date.parse('2026-06-04T12:00Z');
  const nextWeek = Date.parse('2026-06-08T12:00Z');

  test('on a request makes an offer that lasts as many hours as configured', () => {
    const { requested } = STORED;
    const offer = { status: 'offered', expiresAt: inThreeDays };
    expect(setTime(requested, nextWeek, TERMS, NOW)).toEqual(offer);
    const oneHour = { ...TERMS, offerHours: 1 };
    expect(setTime(requested, nextWeek, oneHour, NOW).expiresAt).toBe(NOW + 60 * MINUTE);
  });

  test('on an offer keeps it an offer and restarts the deadline', () => {
    const offer = { status: 'offered', expiresAt: inThreeDays };
    expect(setTime(STORED.offered, nextWeek, TERMS, NOW)).toEqual(offer);
  });

  test('on a hold keeps it a hold and restarts the deadline', () => {
    const hold = { status: 'held', expiresAt: NOW + 30 * MINUTE };
    expect(setTime(STORED.held, nextWeek, TERMS, NOW)).toEqual(hold);
  });

  test('on a confirmed one keeps it confirmed, without a deadline', () => {
    const confirmed = { status: 'confirmed', expiresAt: null };
    expect(setTime(STORED.confirmed, nextWeek, TERMS, NOW)).toEqual(confirmed);
  });

  test.each(['requested', 'held', 'offered'] as const)(
    'on a %s one sets a deadline no later than its start',
    (name) => {
      const soon = NOW + 20 * MINUTE;
      expect(setTime(STORED[name], soon, TERMS, NOW).expiresAt).toBe(soon);
      expect(setTime(STORED[name], NOW + 1, TERMS, NOW).expiresAt).toBe(NOW + 1);
    },
  );

  test.each(['requested', 'held', 'offered'] as const)(
    'on a %s one cannot choose a time that has begun',
    (name) => {
      expect(() => setTime(STORED[name], NOW, TERMS, NOW)).toThrow(InvalidInput);
      expect(() => setTime(STORED[name], YESTERDAY.start, TERMS, NOW)).toThrow(InvalidInput);
    },
  );

  test('on a confirmed one may record a time in the past', () => {
    const confirmed = { status: 'confirmed', expiresAt: null };
    expect(setTime(STORED.confirmed, YESTERDAY.start, TERMS, NOW)).toEqual(confirmed);
  });

  test.each([
    'declined',
    'expired',
    'cancelled',
    'completed',
    'no_show',
    'overdue hold',
    'overdue offer',
  ] as const)('on a %s one is always refused', (name) => {
    expect(outcome(() => setTime(STORED[name], nextWeek, TERMS, NOW))).toBe('status_changed');
    expect(outcome(() => setTime(STORED[name], YESTERDAY.start, TERMS, NOW))).toBe(
      'status_changed',
    );
  });
});
