import { describe, expect, test } from 'vitest';
import type {
  Appointment,
  AppointmentStatus,
  ArtistAction,
  ArtistStatus,
  ClientAction,
  ClientTerms,
  SetTime,
} from '#domain/appointments/appointment.ts';
import {
  ACTION_OF_STATUS,
  APPOINTMENT_STATUSES,
  ARTIST_STATUSES,
  allowedArtistActions,
  allowedClientActions,
  artistTransition,
  clientTransition,
  decideConfirmation,
  holdExpiresAt,
  isConfirmed,
  occupiesCalendar,
  refuseUnlessDeletable,
  setTime,
  statusAt,
} from '#domain/appointments/appointment.ts';
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
  test('is the one that is stored, unless a deadline has passed', () => {
    const current = APPOINTMENT_STATUSES.map((status) => statusAt(STORED[status], NOW));
    expect(current).toEqual(APPOINTMENT_STATUSES);
    expect(statusAt(STORED['overdue hold'], NOW)).toBe('expired');
    expect(statusAt(STORED['overdue offer'], NOW)).toBe('requested');
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

test('only held, offered and confirmed appointments block their time', () => {
  expect(APPOINTMENT_STATUSES.filter(occupiesCalendar)).toEqual(['held', 'offered', 'confirmed']);
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
    ['expired', 'book_again'],
    ['cancelled', 'status_changed'],
    ['completed', 'already'],
    ['no_show', 'already'],
    ['overdue hold', 'book_again'],
    ['overdue offer', 'status_changed'],
  ])('%s: %s', (name, expected) => {
    expect(outcome(() => decideConfirmation(STORED[name], NOW))).toBe(expected);
  });

  test.each([
    ['expired', 'expired'],
    ['overdue hold', 'held'],
  ] as const)('is too late for an %s one that has begun', (_name, status) => {
    const startingAt = (start: number): Appointment => ({
      status,
      time: { start, end: start + 60 * MINUTE, expiresAt: NOW - MINUTE },
    });
    expect(outcome(() => decideConfirmation(startingAt(NOW - 1), NOW))).toBe('time_taken');
    expect(outcome(() => decideConfirmation(startingAt(NOW), NOW))).toBe('time_taken');
    expect(outcome(() => decideConfirmation(startingAt(NOW + 1), NOW))).toBe('book_again');
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
    ['completed', ['confirmed', 'no_show']],
    ['no_show', ['confirmed', 'completed']],
    ['overdue hold', []],
    ['overdue offer', ['declined', 'cancelled']],
  ])('may change %s to %j only', (name, allowed) => {
    const { status, time } = STORED[name];
    // After the start, at which an appointment can be marked.
    const now = status === 'confirmed' ? TOMORROW.start : NOW;
    for (const next of ARTIST_STATUSES) {
      const expected = allowed.includes(next) ? next : 'status_changed';
      const act = () => artistTransition({ status, time }, ACTION_OF_STATUS[next], now);
      expect(outcome(act)).toBe(expected);
    }
  });

  test.each(['complete', 'no_show'] as const)('cannot %s before the start', (action) => {
    const { confirmed } = STORED;
    const act = (now: number) => outcome(() => artistTransition(confirmed, action, now));
    expect(act(TOMORROW.start - 1)).toBe('not_begun');
    expect(act(TOMORROW.start)).not.toBe('not_begun');
  });
});

describe('a client', () => {
  const HOUR = 60 * MINUTE;
  const CLIENT_TERMS = {
    cancelNoticeHours: 20,
    moveNoticeHours: 20,
    listsTimes: true,
    emailChanges: 0,
  };
  const CLOSED_TERMS = { ...CLIENT_TERMS, cancelNoticeHours: null, moveNoticeHours: null };

  test.each<[Stored, readonly ClientAction[]]>([
    ['requested', ['cancel', 'change_email']],
    ['held', ['confirm', 'release', 'change_email']],
    ['offered', ['confirm', 'decline', 'change_email']],
    ['confirmed', ['move', 'cancel', 'change_email']],
    ['declined', []],
    ['expired', ['confirm']],
    ['cancelled', []],
    ['completed', []],
    ['no_show', []],
    ['overdue hold', ['confirm']],
    ['overdue offer', ['cancel', 'change_email']],
  ])('can with %s: %j', (name, expected) => {
    expect(allowedClientActions(STORED[name], CLIENT_TERMS, NOW)).toEqual(expected);
  });

  test.each([
    ['cancel', 'too_late_to_cancel', 'cancelling_not_allowed'],
    ['move', 'too_late_to_move', 'moving_not_allowed'],
  ] as const)('can %s until the notice, to the instant', (action, tooLate, notAllowed) => {
    const { confirmed } = STORED;
    const act = (terms: ClientTerms, now: number) =>
      outcome(() => clientTransition(confirmed, action, terms, now));
    const deadline = TOMORROW.start - 20 * HOUR;
    const next = action === 'cancel' ? 'cancelled' : 'confirmed';
    expect(act(CLIENT_TERMS, deadline)).toBe(next);
    expect(act(CLIENT_TERMS, deadline + 1)).toBe(tooLate);
    expect(act(CLOSED_TERMS, NOW)).toBe(notAllowed);
    const untilStart = { ...CLIENT_TERMS, cancelNoticeHours: 0, moveNoticeHours: 0 };
    expect(act(untilStart, TOMORROW.start - 1)).toBe(next);
    expect(act(untilStart, TOMORROW.start)).toBe(tooLate);
  });

  test('can cancel a request at any time, whatever the notice', () => {
    const act = () => clientTransition(STORED.requested, 'cancel', CLOSED_TERMS, NOW);
    expect(act()).toBe('cancelled');
  });

  test('cannot move where no times are listed', () => {
    const terms = { ...CLIENT_TERMS, listsTimes: false };
    expect(outcome(() => clientTransition(STORED.confirmed, 'move', terms, NOW))).toBe(
      'moving_not_allowed',
    );
  });

  test('can change the email twice, not a third time, and until the appointment begins', () => {
    const act = (emailChanges: number | null, now = NOW) =>
      outcome(() =>
        clientTransition(STORED.confirmed, 'change_email', { ...CLIENT_TERMS, emailChanges }, now),
      );
    expect(act(1, TOMORROW.start - 1)).toBe('confirmed');
    expect(act(1, TOMORROW.start)).toBe('status_changed');
    expect(act(2)).toBe('too_many_email_changes');
    expect(act(null)).toBe('status_changed');
  });

  test('reopens the request by declining an offer', () => {
    expect(clientTransition(STORED.offered, 'decline', CLIENT_TERMS, NOW)).toBe('requested');
  });
});

describe('an artist is offered', () => {
  test.each<[Stored, readonly ArtistAction[]]>([
    ['requested', ['offer', 'decline']],
    ['held', ['move', 'cancel']],
    ['offered', ['move', 'cancel']],
    ['confirmed', ['move', 'cancel']],
    ['declined', ['delete']],
    ['expired', ['delete']],
    ['cancelled', ['delete']],
    ['completed', ['no_show', 'reopen']],
    ['no_show', ['complete', 'reopen']],
    ['overdue hold', ['delete']],
    ['overdue offer', ['offer', 'decline']],
  ])('for %s: %j, and can neither delete it nor set a time otherwise', (name, actions) => {
    const appointment = STORED[name];
    expect(allowedArtistActions(appointment, NOW)).toEqual(actions);
    expect(outcome(() => refuseUnlessDeletable(appointment, NOW))).toBe(
      actions.includes('delete') ? undefined : 'not_deletable',
    );
    const canSetTime = actions.includes('offer') || actions.includes('move');
    // Also a time in the past is refused because of the status.
    for (const { start } of canSetTime ? [] : [TOMORROW, YESTERDAY])
      expect(outcome(() => setTime(appointment, start, TERMS, NOW))).toBe('status_changed');
  });

  test('to mark an appointment once it has begun', () => {
    const actions = ['complete', 'no_show', 'move', 'cancel'];
    expect(allowedArtistActions(STORED.confirmed, TOMORROW.start)).toEqual(actions);
  });
});

describe('an artist who sets a time', () => {
  const inThreeDays = Date.parse('2026-06-04T12:00Z');
  const nextWeek = Date.parse('2026-06-08T12:00Z');

  test.each<[Stored, SetTime]>([
    ['requested', { action: 'offer', status: 'offered', expiresAt: inThreeDays }],
    ['overdue offer', { action: 'offer', status: 'offered', expiresAt: inThreeDays }],
    ['offered', { action: 'move', status: 'offered', expiresAt: inThreeDays }],
    ['held', { action: 'move', status: 'held', expiresAt: NOW + 30 * MINUTE }],
    ['confirmed', { action: 'move', status: 'confirmed', expiresAt: null }],
  ])('on %s starts the deadline to confirm: %o', (name, expected) => {
    expect(setTime(STORED[name], nextWeek, TERMS, NOW)).toEqual(expected);
  });

  test('on a request makes an offer that lasts as many hours as configured', () => {
    const { expiresAt } = setTime(STORED.requested, nextWeek, { ...TERMS, offerHours: 1 }, NOW);
    expect(expiresAt).toBe(NOW + 60 * MINUTE);
  });

  test.each(['requested', 'held', 'offered'] as const)(
    'on a %s one sets a deadline no later than its start, which must lie in the future',
    (name) => {
      const soon = NOW + 20 * MINUTE;
      expect(setTime(STORED[name], soon, TERMS, NOW).expiresAt).toBe(soon);
      expect(setTime(STORED[name], NOW + 1, TERMS, NOW).expiresAt).toBe(NOW + 1);
      expect(() => setTime(STORED[name], NOW, TERMS, NOW)).toThrow(InvalidInput);
    },
  );

  test('on a confirmed one may record a time in the past', () => {
    const confirmed = { action: 'move', status: 'confirmed', expiresAt: null };
    expect(setTime(STORED.confirmed, YESTERDAY.start, TERMS, NOW)).toEqual(confirmed);
  });
});
