import { expect, test } from 'vitest';
import {
  type Actor,
  APPOINTMENT_EVENTS,
  type AppointmentEventKind,
} from '#domain/appointments/appointment.ts';
import { formatHistoryEvent } from '#domain/appointments/appointment_history.ts';

const ZONE = 'America/New_York';
const TEN = '2026-12-01T15:00:00Z';
const NOON = '2026-12-02T17:00:00Z';
const AT_TEN = 'Tue, Dec 1, 2026, 10:00 AM';
const AT_NOON = 'Wed, Dec 2, 2026, 12:00 PM';
/** As the artist reads it. */
const ROSA = { artist: 'You', client: 'Rosa' };
const NAMELESS = { artist: 'You', client: null };

const KEPT_ON_CLOCK = 'It kept its time on the clock in the studio’s new time zone';

type Case = [
  by: Actor,
  what: AppointmentEventKind,
  from_start: string | null,
  to_start: string | null,
  sentence: string,
];

const CASES: Case[] = [
  ['client', 'requested', null, null, 'Rosa asked for an appointment'],
  ['client', 'held', null, TEN, `Rosa picked ${AT_TEN}`],
  ['artist', 'entered', null, TEN, `You entered the appointment for ${AT_TEN}`],
  ['artist', 'offered', null, TEN, `You offered ${AT_TEN}`],
  ['artist', 'moved', TEN, NOON, `You moved it from ${AT_TEN} to ${AT_NOON}`],
  ['client', 'moved', TEN, NOON, `Rosa moved it from ${AT_TEN} to ${AT_NOON}`],
  ['artist', 'rules_changed', TEN, NOON, `Kept at ${AT_NOON} after the clock rules changed`],
  ['artist', 'rules_changed', TEN, TEN, `Left at ${AT_TEN} after the clock rules changed`],
  ['artist', 'zone_changed', TEN, NOON, KEPT_ON_CLOCK],
  ['artist', 'change_undone', NOON, TEN, `You undid this, and it starts ${AT_TEN} again`],
  ['artist', 'edited', TEN, TEN, 'You changed the details'],
  ['artist', 'moved', null, NOON, `You moved it to ${AT_NOON}`],
  ['artist', 'moved', TEN, TEN, `You changed it, and it still starts ${AT_TEN}`],
  ['client', 'confirmed', TEN, TEN, `Rosa confirmed ${AT_TEN}`],
  ['client', 'released', TEN, TEN, `Rosa gave up ${AT_TEN}`],
  ['system', 'expired', TEN, TEN, `Rosa did not confirm ${AT_TEN} in time`],
  ['client', 'offer_declined', TEN, null, `Rosa declined the offer of ${AT_TEN}`],
  ['system', 'offer_lapsed', TEN, null, `The offer of ${AT_TEN} ended`],
  ['artist', 'declined', null, null, 'You declined the request'],
  ['client', 'cancelled', TEN, TEN, 'Rosa cancelled it'],
  ['artist', 'cancelled', TEN, TEN, 'You cancelled it'],
  ['system', 'cancelled', TEN, TEN, 'It was cancelled'],
  ['client', 'email_changed', TEN, TEN, 'Rosa changed the email'],
  ['artist', 'completed', TEN, TEN, 'You marked it as completed'],
  ['artist', 'no_show', TEN, TEN, 'You noted that Rosa did not come'],
  ['artist', 'reopened', TEN, TEN, 'You marked it as booked again'],
];

test.each(CASES)('by %s: %s (from %s to %s) reads “%s”', (by, what, from_start, to_start, text) => {
  expect(formatHistoryEvent({ by, what, from_start, to_start, note: null }, ROSA, ZONE)).toBe(text);
});

test('a new note at the same time is named as such', () => {
  const event = { by: 'artist', what: 'moved', from_start: TEN, to_start: TEN } as const;
  expect(formatHistoryEvent({ ...event, note: 'By the car' }, ROSA, ZONE)).toBe(
    'You wrote a new note about Tue, Dec 1, 2026, 10:00 AM',
  );
});

test('every kind of event has its words', () => {
  expect(new Set(CASES.map(([, what]) => what))).toEqual(new Set(APPOINTMENT_EVENTS));
});

test.each([
  ['not the artist', { artist: 'Ana', client: 'Rosa' }, 'Ana noted that Rosa did not come'],
  ['the artist of a client without a name', NAMELESS, 'You noted that the client did not come'],
])('the reader is %s', (_, names, text) => {
  const event = {
    by: 'artist',
    what: 'no_show',
    from_start: TEN,
    to_start: TEN,
    note: null,
  } as const;
  expect(formatHistoryEvent(event, names, ZONE)).toBe(text);
});

test('times are in the studio’s zone, and an event of an unknown time has words too', () => {
  const event = { by: 'system', what: 'offer_lapsed', to_start: null, note: null } as const;
  expect(formatHistoryEvent({ ...event, from_start: TEN }, NAMELESS, 'America/Los_Angeles')).toBe(
    'The offer of Tue, Dec 1, 2026, 7:00 AM ended',
  );
  expect(formatHistoryEvent({ ...event, from_start: null }, NAMELESS, ZONE)).toBe(
    'The offer of a time ended',
  );
});
