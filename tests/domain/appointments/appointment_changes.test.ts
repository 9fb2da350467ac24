import { expect, test } from 'vitest';
import type { Actor, AppointmentEventKind } from '#domain/appointments/appointment.ts';
import {
  describeChange,
  hasExpiredOffer,
  type SeenAppointment,
} from '#domain/appointments/appointment_changes.ts';
import { conventionsOf } from '#domain/time/date_conventions.ts';

const ZONE = 'America/New_York';
/** Thursday, 10:00 AM in New York. */
const TEN = '2026-12-03T15:00:00Z';
const SEVEN_TWENTY = '2026-12-03T12:20:00Z';
const TUESDAY = '2026-12-01T12:20:00Z';

const STUDIO = { address_one: '1 Example Street', city: 'New York', time_zone: ZONE };
const ANA = { full_name: 'Ana', studio: STUDIO };

const HELD: SeenAppointment = {
  status: 'held',
  start: TEN,
  version: 1,
  note: null,
  user: ANA,
  history: [event('client', 'held')],
};

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
  return describeChange(before, { ...before, ...after, history });
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
  const requested: SeenAppointment = {
    ...HELD,
    status: 'requested',
    start: null,
    history: [],
  };
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
  ['artist', 'edited', 'Ana changed the details.'],
] as const)('when the %s has done “%s”, the words are: %s', (by, what, words) => {
  expect(wordsAbout([event(by, what)], {})).toBe(words);
});

const MOVED = event('artist', 'moved');
const CORRECTED = event('artist', 'email_changed');
const EXPIRED = event('system', 'expired');
const CANCELLED = event('artist', 'cancelled');
const ENDED = { status: 'cancelled', start: TUESDAY } as const;
const NOTED = { version: 3, note: 'Ring the bell.' };

test.each<[string, SeenAppointment['history'], Partial<SeenAppointment>, string]>([
  ['a corrected email', [MOVED, CORRECTED], {}, 'Ana moved this to 7:20 AM.'],
  ['a passed deadline', [MOVED, EXPIRED], { status: 'expired' }, 'Ana moved this to 7:20 AM.'],
  [
    'a confirmation, which is told too,',
    [MOVED, event('client', 'confirmed')],
    { status: 'confirmed' },
    'Ana moved this to 7:20 AM. This was confirmed already.',
  ],
])('%s after a move does not hide the new time', (_, events, after, words) => {
  expect(wordsAbout(events, { version: 3, start: SEVEN_TWENTY, ...after })).toBe(words);
});

test.each<[string, SeenAppointment['history'], Partial<SeenAppointment>, string]>([
  ['an end', [CANCELLED, CORRECTED], { status: 'cancelled' }, 'Ana cancelled this.'],
  ['a new note', [MOVED, CORRECTED], NOTED, 'Ana changed the note.'],
  ['a note of an offer at the same time', [MOVED], NOTED, 'Ana changed the note.'],
  ['a new time', [CORRECTED], { start: SEVEN_TWENTY }, 'The time is now 7:20 AM.'],
  ['an end after a move', [MOVED, CANCELLED], ENDED, 'Ana cancelled this.'],
])('%s is reported alone', (_, events, after, words) => {
  expect(wordsAbout(events, after)).toBe(words);
});

test('a passed deadline is reported by the page itself, and no change needs no words', () => {
  expect(wordsAbout([event('system', 'expired')], { status: 'expired' })).toBeNull();
  expect(wordsAbout([event('system', 'offer_lapsed')], { status: 'requested' })).toBeNull();
  expect(wordsAbout([], {})).toBeNull();
});

test('a new time that is not in the history is still reported', () => {
  expect(wordsAbout([], { start: SEVEN_TWENTY })).toBe('The time is now 7:20 AM.');
});

test('a new version always has words, also if the history does not say what changed', () => {
  const words = 'This appointment has changed. Please look at it again.';
  expect(wordsAbout([], { version: 2 })).toBe(words);
  // A time that was moved and moved back.
  expect(wordsAbout([event('artist', 'moved')], { version: 2 })).toBe(words);
  expect(wordsAbout([], { version: 2, start: SEVEN_TWENTY })).toBe('The time is now 7:20 AM.');
});

test.each([
  [{ address_one: '2 New Street' }, 'The studio has a new address.'],
  [{ time_zone: 'Europe/Berlin' }, 'The studio has a new time zone.'],
  [{ city: 'Berlin', time_zone: 'Europe/Berlin' }, 'The studio has a new address and time zone.'],
])('a change of the studio to %o is reported, although nobody was mailed', (studio, words) => {
  const user = { ...ANA, studio: { ...STUDIO, ...studio } };
  expect(wordsAbout([], { version: 2, user })).toBe(words);
});

test('a new time is named on the clock of the studio’s new zone, with the news of the zone', () => {
  const user = { ...ANA, studio: { ...STUDIO, time_zone: 'America/Chicago' } };
  expect(wordsAbout([event('artist', 'moved')], { version: 2, start: SEVEN_TWENTY, user })).toBe(
    'Ana moved this to 6:20 AM. The studio has a new time zone.',
  );
});

test('a time that stays on the clock of the studio’s new zone is named with the zone, and is not a move', () => {
  const user = { ...ANA, studio: { ...STUDIO, time_zone: 'America/Chicago' } };
  const kept = { version: 2, start: '2026-12-03T16:00:00Z', user };
  const words =
    'The studio has a new time zone. The time is Thursday, December 3, 2026 at 10:00 AM (Chicago).';
  expect(wordsAbout([event('artist', 'moved')], kept)).toBe(words);
  expect(wordsAbout([], kept)).toBe(words);
  expect(describeChange(HELD, { ...HELD, ...kept }, conventionsOf('de-DE'))).toBe(
    'The studio has a new time zone. The time is Thursday, 3 December 2026 at 10:00 (Chicago).',
  );
  const events = [event('artist', 'moved'), event('artist', 'cancelled')];
  expect(wordsAbout(events, { ...kept, status: 'cancelled' })).toBe(
    'Ana cancelled this. The studio has a new time zone.',
  );
});

test('a new time that is on another day for the client is named with the day, also in a new zone', () => {
  const user = { ...ANA, studio: { ...STUDIO, time_zone: 'Asia/Tokyo' } };
  // In Tokyo, both 10:00 AM in New York and this time are on December 4.
  const start = '2026-12-03T16:00:00Z';
  expect(wordsAbout([event('artist', 'moved')], { version: 2, start, user })).toBe(
    'Ana moved this to Fri, Dec 4, 1:00 AM. The studio has a new time zone.',
  );
});

test('a request whose offer ended is known by its history, also before the lapse is stored', () => {
  const isExpired = (...kinds: AppointmentEventKind[]) =>
    hasExpiredOffer({
      status: 'requested',
      history: kinds.map((what) => event('artist', what)),
    });
  expect(isExpired('requested', 'offered', 'offer_lapsed')).toBe(true);
  expect(isExpired('requested', 'offered')).toBe(true);
  expect(isExpired('requested', 'offered', 'moved', 'email_changed')).toBe(true);
  expect(isExpired('requested', 'offered', 'edited')).toBe(true);
  expect(isExpired('requested')).toBe(false);
  expect(isExpired('requested', 'offered', 'offer_declined')).toBe(false);
  expect(hasExpiredOffer({ ...HELD, history: [event('artist', 'offered')] })).toBe(false);
});
