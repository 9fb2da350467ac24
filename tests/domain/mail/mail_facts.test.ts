import { expect, test } from 'vitest';
import type { AppointmentMailData, AppointmentSnapshot } from '#domain/mail/mail.ts';
import { withCurrentFacts, withFactsToSendAgain } from '#domain/mail/mail_facts.ts';
import { createAppointmentNotice, HOUR, NEW_ZONE } from '#support/sample_notices.ts';

type Kind = AppointmentMailData['kind'];

const A = Date.parse('2026-12-01T15:00:00Z');
const [B, C] = [A + HOUR, A + 2 * HOUR];
const EARLIER = createAppointmentNotice('moved', {
  time: { start: A, end: B },
  by: 'client',
  note: 'By the car',
  movedFrom: B,
}).appointment;
const { studio } = EARLIER;
const NEXT = { version: EARLIER.version + 1, time: { start: B, end: C } };
const CURRENT = { ...EARLIER, note: null, movedFrom: null, ...NEXT };

/** The facts of a queued mail, of which the appointment is as `changes` say now. */
function factsOf(
  mail: Kind | AppointmentMailData,
  changes: Partial<AppointmentSnapshot> = {},
  now = A - 48 * HOUR,
): AppointmentSnapshot {
  const notice = typeof mail === 'string' ? createAppointmentNotice(mail, EARLIER) : mail;
  return withCurrentFacts(notice, { ...CURRENT, ...changes }, now).appointment;
}

/** The facts of such a mail of which the artist sends a copy. */
function factsToSendAgain(kind: Kind, changes: Partial<AppointmentSnapshot> = {}) {
  const notice = createAppointmentNotice(kind, EARLIER);
  return withFactsToSendAgain(notice, { ...CURRENT, ...changes }).appointment;
}

test.for(['hold', 'offer', 'booked', 'moved', 'new_booking', 'client_moved'] as const)(
  'a mail that tells the present has the time of now, and keeps what was done and said: %s',
  (kind) => {
    const said = { by: 'client', note: 'By the car', movedFrom: null };
    expect(factsOf(kind)).toMatchObject({ ...said, ...NEXT });
  },
);

test('a mail about a move keeps the state that an undo restores', () => {
  const beforeMove = { start: B, end: C, expiresAt: null, note: null };
  const notice = createAppointmentNotice('moved', { ...EARLIER, beforeMove });
  expect(factsOf(notice)).toMatchObject({ beforeMove, ...NEXT });
});

test('a mail about a request gets no time, also when it is sent again', () => {
  const { time, expiresAt } = EARLIER;
  expect(factsOf('request_received')).toMatchObject({ ...NEXT, time, expiresAt });
  for (const kind of ['request_received', 'new_request'] as const)
    expect(factsToSendAgain(kind)).toMatchObject({ ...NEXT, time, expiresAt });
});

test('a mail about what the client did has the client’s words when it is sent again', () => {
  const { by, note, movedFrom, time } = EARLIER;
  for (const kind of ['client_cancelled', 'client_moved', 'offer_declined'] as const) {
    expect(factsToSendAgain(kind)).toMatchObject({ by, note, movedFrom: null });
    expect(factsToSendAgain(kind, { time })).toMatchObject({ note, movedFrom });
  }
  expect(factsToSendAgain('offer_declined').time).toEqual(time);
});

test('a mail about a cancellation has the studio and the time of now, and stays otherwise', () => {
  const moved = { ...studio, city: 'Fresno' };
  const facts = { ...EARLIER, time: NEXT.time, studio: moved, movedFrom: null };
  expect(factsOf('cancelled', { studio: moved })).toEqual(facts);
  expect(factsOf('declined', { studio: moved })).toEqual(EARLIER);
});

test('a mail gets the address of the same version, and nothing of an older one', () => {
  const moved = { ...studio, city: 'Fresno' };
  const { version } = EARLIER;
  expect(factsOf('hold', { version, studio: moved }).studio.city).toBe('Fresno');
  expect(factsOf('hold', { version: version - 1, studio: moved })).toEqual(EARLIER);
});

test('a mail tells no change of the studio that another one has followed', () => {
  const notice = createAppointmentNotice('moved', { ...EARLIER, studioChange: NEW_ZONE });
  const changeIn = (time_zone: string, { time } = EARLIER) =>
    factsOf(notice, { time, studio: { ...studio, time_zone } }).studioChange;
  expect(changeIn(studio.time_zone)).toEqual(NEW_ZONE);
  expect(changeIn('US/Eastern')).toEqual(NEW_ZONE);
  expect(changeIn('America/Los_Angeles')).toBeUndefined();
  expect(changeIn(studio.time_zone, { ...EARLIER, time: NEXT.time })).toBeUndefined();
});

test('a reminder of another start stays, so that it is dropped', () => {
  const appointment = { ...EARLIER, movedFrom: null };
  const reminder = { kind: 'reminder', appointment, hours: 24 } as const;
  expect(factsOf(reminder, {}, B - 24 * HOUR)).toBe(appointment);
  expect(factsOf(reminder, { time: EARLIER.time })).toMatchObject({ version: NEXT.version });
});

test('a reminder of the same clock time in a corrected zone has the new start once it is due', () => {
  const time_zone = 'America/Chicago';
  const reminder = { kind: 'reminder', appointment: EARLIER, hours: 24 } as const;
  const moved = { studio: { ...studio, time_zone } };
  expect(factsOf(reminder, moved, B - 25 * HOUR)).toBe(EARLIER);
  expect(factsOf(reminder, moved, B - 24 * HOUR).time?.start).toBe(B);
});
