import { expect, test } from 'vitest';
import type { Actor, AppointmentEventKind } from '#domain/appointment.ts';
import {
  describeChange,
  hasLapsedOffer,
  type SeenAppointment,
} from '#domain/appointment_changes.ts';

const ZONE = 'America/New_York';
/** Thursday, 10:00 AM in New York. */
const TEN = '2026-12-03T15:00:00Z';
const SEVEN_TWENTY = '2026-12-03T12:20:00Z';
const TUESDAY = '2026-12-01T12:20:00Z';

const HELD: SeenAppointment = { status: 'held', start: TEN, history: [event('client', 'held')] };

function event(by: Actor, what: AppointmentEventKind) {
  return { by, what };
}

/** The words about events after `before`. */
function wordsAbout(
  events: readonly SeenAppointment['history'][number][],
  after: Partial<SeenAppointment>,
  before = HELD,
): string | null {
  const history = [...before.history, ...events];
  return describeChange(before, { ...before, ...after, history }, 'Ana', ZONE);
}

test('a move names the new time, and its day only when the day differs', () => {
  const moved = [event('artist', 'moved')];
  expect(wordsAbout(moved, { start: SEVEN_TWENTY })).toBe('Ana moved this to 7:20 AM.');
  expect(wordsAbout(moved, { start: TUESDAY })).toBe('Ana moved this to Tue, Dec 1, 7:20 AM.');
  expect(wordsAbout([event('client', 'moved')], { start: SEVEN_TWENTY })).toBe(
    'This was moved to 7:20 AM.',
  );
});

test('an offer for a request names its day and time', () => {
  const requested: SeenAppointment = { status: 'requested', start: null, history: [] };
  const offered = { status: 'offered', start: TEN } as const;
  expect(wordsAbout([event('artist', 'offered')], offered, requested)).toBe(
    'Ana offers you Thu, Dec 3, 10:00 AM.',
  );
});

test.each([
  ['artist', 'cancelled', 'Ana cancelled this.'],
  ['client', 'cancelled', 'This was cancelled already.'],
  ['client', 'confirmed', 'This was confirmed already.'],
  ['client', 'released', 'This time was given up already.'],
  ['client', 'offer_declined', 'This offer was declined already.'],
  ['artist', 'declined', 'Ana declined this.'],
  ['client', 'email_changed', 'The email of this appointment was changed.'],
] as const)('when the %s has done “%s”, the words are: %s', (by, what, words) => {
  expect(wordsAbout([event(by, what)], {})).toBe(words);
});

test('of several changes the last one is told', () => {
  const events = [event('artist', 'moved'), event('artist', 'cancelled')];
  expect(wordsAbout(events, { status: 'cancelled', start: TUESDAY })).toBe('Ana cancelled this.');
});

test('a passed deadline is told by the page itself, and no change needs no words', () => {
  expect(wordsAbout([event('system', 'expired')], { status: 'expired' })).toBeNull();
  expect(wordsAbout([event('system', 'offer_lapsed')], { status: 'requested' })).toBeNull();
  expect(wordsAbout([], {})).toBeNull();
});

test('a new time that is not in the history is still told', () => {
  expect(wordsAbout([], { start: SEVEN_TWENTY })).toBe('The time is now 7:20 AM.');
});

test('a request whose offer ended is known by its history, also before the lapse is stored', () => {
  const isLapsed = (...kinds: AppointmentEventKind[]) =>
    hasLapsedOffer({
      status: 'requested',
      start: null,
      history: kinds.map((what) => event('artist', what)),
    });
  expect(isLapsed('requested', 'offered', 'offer_lapsed')).toBe(true);
  expect(isLapsed('requested', 'offered')).toBe(true);
  expect(isLapsed('requested', 'offered', 'moved', 'email_changed')).toBe(true);
  expect(isLapsed('requested')).toBe(false);
  expect(isLapsed('requested', 'offered', 'offer_declined')).toBe(false);
  expect(hasLapsedOffer({ ...HELD, history: [event('artist', 'offered')] })).toBe(false);
});
