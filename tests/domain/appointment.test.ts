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

/** Every state that can be read, as the database holds it; a lapsed one is not swept yet. */
const STORED: Record<AppointmentStatus | 'lapsed hold' | 'lapsed offer', Appointment> = {
  requested: { status: 'requested', time: null },
  held: { status: 'held', time: { ...TOMORROW, expiresAt: NOW + 10 * MINUTE } },
  offered: { status: 'offered', time: { ...TOMORROW, expiresAt: NOW + 60 * MINUTE } },
  confirmed: { status: 'confirmed', time: { ...TOMORROW, expiresAt: null } },
  declined: { status: 'declined', time: null },
  expired: { status: 'expired', time: { ...TOMORROW, expiresAt: NOW - 60 * MINUTE } },
  cancelled: { status: 'cancelled', time: { ...TOMORROW, expiresAt: null } },
  completed: { status: 'completed', time: { ...YESTERDAY, expiresAt: null } },
  no_show: { status: 'no_show', time: { ...YESTERDAY, expiresAt: null } },
  'lapsed hold': { status: 'held', time: { ...TOMORROW, expiresAt: NOW - MINUTE } },
  'lapsed offer': { status: 'offered', time: { ...TOMORROW, expiresAt: NOW - MINUTE } },
};
type Stored = keyof typeof STORED;

/** What `act` answers, or the reason of its refusal. */
function outcome<T>(act: () => T): T | string {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
}

describe('what an appointment is now', () => {
  test.each(APPOINTMENT_STATUSES)('%s reads as it is stored', (status) => {
    expect(statusAt(STORED[status], NOW)).toBe(status);
  });

  test('a lapsed hold reads as expired', () => {
    expect(statusAt(STORED['lapsed hold'], NOW)).toBe('expired');
  });

  test('a lapsed offer reads as expired', () => {
    expect(statusAt(STORED['lapsed offer'], NOW)).toBe('expired');
  });

  test('a hold lapses at its very moment and not before', () => {
    const held: Appointment = { status: 'held', time: { ...TOMORROW, expiresAt: NOW } };
    expect(statusAt(held, NOW - 1)).toBe('held');
    expect(statusAt(held, NOW)).toBe('expired');
  });

  test('a hold lasts the minutes it was given', () => {
    const expiresAt = holdExpiresAt(TOMORROW.start, TERMS, NOW);
    expect(expiresAt).toBe(Date.parse('2026-06-01T12:30Z'));
    expect(holdExpiresAt(TOMORROW.start, { ...TERMS, holdMinutes: 5 }, NOW)).toBe(NOW + 5 * MINUTE);
  });

  test('a hold lapses when its time begins, if that comes first', () => {
    expect(holdExpiresAt(NOW + 30 * MINUTE, TERMS, NOW)).toBe(NOW + 30 * MINUTE);
    expect(holdExpiresAt(NOW + 29 * MINUTE, TERMS, NOW)).toBe(NOW + 29 * MINUTE);
    expect(holdExpiresAt(NOW + 31 * MINUTE, TERMS, NOW)).toBe(NOW + 30 * MINUTE);
  });

  test.each(['requested', 'confirmed', 'declined', 'cancelled', 'completed', 'no_show'] as const)(
    '%s never lapses',
    (status) => {
      const left: Appointment = { status, time: { ...TOMORROW, expiresAt: NOW - MINUTE } };
      expect(statusAt(left, NOW)).toBe(status);
    },
  );

  test('a hold without a lapse stays held', () => {
    expect(statusAt({ status: 'held', time: { ...TOMORROW, expiresAt: null } }, NOW)).toBe('held');
  });
});

describe('held, offered and confirmed', () => {
  test('keep their time free of others, and nothing else does', () => {
    const keep = APPOINTMENT_STATUSES.filter(occupiesCalendar);
    expect(keep).toEqual(['held', 'offered', 'confirmed']);
  });

  test('lapsed ones do not keep their time', () => {
    expect(occupiesCalendar(statusAt(STORED['lapsed hold'], NOW))).toBe(false);
    expect(occupiesCalendar(statusAt(STORED['lapsed offer'], NOW))).toBe(false);
  });
});

test('confirmed, completed and no-show count as confirmed, and nothing else does', () => {
  expect(APPOINTMENT_STATUSES.filter(isConfirmed)).toEqual(['confirmed', 'completed', 'no_show']);
});

describe('a client who confirms', () => {
  test.each<[Stored, string]>([
    ['requested', 'state_moved'],
    ['held', 'confirm'],
    ['offered', 'confirm'],
    ['confirmed', 'already'],
    ['declined', 'state_moved'],
    ['expired', 'confirm'],
    ['cancelled', 'state_moved'],
    ['completed', 'already'],
    ['no_show', 'already'],
    ['lapsed hold', 'confirm'],
    ['lapsed offer', 'confirm'],
  ])('%s: %s', (name, expected) => {
    expect(outcome(() => decideConfirmation(STORED[name], NOW))).toBe(expected);
  });

  test.each([
    ['expired', 'expired'],
    ['lapsed hold', 'held'],
    ['lapsed offer', 'offered'],
  ] as const)('is too late for an %s one whose time has begun', (_name, status) => {
    const begins = (start: number): Appointment => ({
      status,
      time: { start, end: start + 60 * MINUTE, expiresAt: NOW - MINUTE },
    });
    expect(outcome(() => decideConfirmation(begins(NOW - 1), NOW))).toBe('time_taken');
    expect(outcome(() => decideConfirmation(begins(NOW), NOW))).toBe('time_taken');
    expect(outcome(() => decideConfirmation(begins(NOW + 1), NOW))).toBe('confirm');
  });
});

describe('an artist who names a state', () => {
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
    ['lapsed hold', []],
    ['lapsed offer', []],
  ])('moves %s to any of %j and nowhere else', (name, allowed) => {
    for (const next of ARTIST_STATUSES) {
      const expected = allowed.includes(next) ? next : 'state_moved';
      expect(outcome(() => transition(STORED[name], next, NOW))).toBe(expected);
    }
  });
});

describe('an artist who deletes', () => {
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
    ['lapsed hold', true],
    ['lapsed offer', true],
  ])('may delete %s: %s', (name, may) => {
    expect(outcome(() => refuseUnlessDeletable(STORED[name], NOW))).toBe(
      may ? undefined : 'not_over',
    );
  });
});

describe('an artist who sets a time', () => {
  const inThreeDays = Date.parse('2026-06-04T12:00Z');
  const nextWeek = Date.parse('2026-06-08T12:00Z');

  test('on a request makes an offer that lasts its hours', () => {
    const { requested } = STORED;
    const offer = { status: 'offered', expiresAt: inThreeDays };
    expect(setTime(requested, nextWeek, TERMS, NOW)).toEqual(offer);
    const anHour = { ...TERMS, offerHours: 1 };
    expect(setTime(requested, nextWeek, anHour, NOW).expiresAt).toBe(NOW + 60 * MINUTE);
  });

  test('on an offer keeps it an offer and gives the client the hours anew', () => {
    const offer = { status: 'offered', expiresAt: inThreeDays };
    expect(setTime(STORED.offered, nextWeek, TERMS, NOW)).toEqual(offer);
  });

  test('on a hold keeps it a hold and gives the client the minutes anew', () => {
    const hold = { status: 'held', expiresAt: NOW + 30 * MINUTE };
    expect(setTime(STORED.held, nextWeek, TERMS, NOW)).toEqual(hold);
  });

  test('on a confirmed one keeps it confirmed and never lapsing', () => {
    const confirmed = { status: 'confirmed', expiresAt: null };
    expect(setTime(STORED.confirmed, nextWeek, TERMS, NOW)).toEqual(confirmed);
  });

  test.each(['requested', 'held', 'offered'] as const)(
    'on a %s one leaves the client until it begins at the latest',
    (name) => {
      const soon = NOW + 20 * MINUTE;
      expect(setTime(STORED[name], soon, TERMS, NOW).expiresAt).toBe(soon);
      expect(setTime(STORED[name], NOW + 1, TERMS, NOW).expiresAt).toBe(NOW + 1);
    },
  );

  test.each(['requested', 'held', 'offered'] as const)(
    'on a %s one cannot ask for a time that has begun',
    (name) => {
      expect(() => setTime(STORED[name], NOW, TERMS, NOW)).toThrow(InvalidInput);
      expect(() => setTime(STORED[name], YESTERDAY.start, TERMS, NOW)).toThrow(InvalidInput);
    },
  );

  test('on a confirmed one may write down when it really was', () => {
    const confirmed = { status: 'confirmed', expiresAt: null };
    expect(setTime(STORED.confirmed, YESTERDAY.start, TERMS, NOW)).toEqual(confirmed);
  });

  test.each([
    'declined',
    'expired',
    'cancelled',
    'completed',
    'no_show',
    'lapsed hold',
    'lapsed offer',
  ] as const)('on a %s one is refused, whatever the time', (name) => {
    expect(outcome(() => setTime(STORED[name], nextWeek, TERMS, NOW))).toBe('state_moved');
    expect(outcome(() => setTime(STORED[name], YESTERDAY.start, TERMS, NOW))).toBe('state_moved');
  });
});
