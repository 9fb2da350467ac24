import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AppointmentMailData,
  type AppointmentSnapshot,
  ARTIST_MAIL_KINDS,
  CLIENT_MAIL_KINDS,
} from '#domain/mail/mail.ts';
import {
  confirmationWaitEnd,
  mailThread,
  planThread,
  type ThreadMail,
} from '#domain/mail/mail_plan.ts';
import { createAppointmentNotice, createNotice, HOUR } from '#support/sample_notices.ts';

type Kind = AppointmentMailData['kind'];
const KINDS = [...CLIENT_MAIL_KINDS, ...ARTIST_MAIL_KINDS];

const A = Date.parse('2026-12-01T15:00:00Z');
const [B, C] = [A + HOUR, A + 2 * HOUR];

interface AppointmentMail {
  readonly kind: Kind;
  readonly start?: number;
  readonly from?: number;
  readonly by?: AppointmentSnapshot['by'];
  readonly isClaimed?: boolean;
  /** Whether the artist moved it, and can undo that. */
  readonly canUndo?: boolean;
}

/** The mails of events, the oldest first; each has the next version and a letter as its id. */
function queue(...events: readonly AppointmentMail[]): ThreadMail[] {
  return events.map(({ kind, start = A, from, by, canUndo, isClaimed = false }, index) => ({
    id: 'abcdefgh'.charAt(index),
    isClaimed,
    notice: createAppointmentNotice(kind, {
      version: index + 1,
      time: { start, end: start + HOUR },
      movedFrom: from ?? null,
      wasBooked: index > 0,
      ...(by && { by }),
      ...(canUndo && { beforeMove: toStateBefore(from ?? start) }),
    }),
  }));
}

function toStateBefore(start: number) {
  const { expiresAt, note } = createAppointmentNotice('moved').appointment;
  return { start, end: start + HOUR, expiresAt, note };
}

/** Reads mails as `claimed booked@15:00, undoable moved@16:00 (15:00)`, with the earlier start in parentheses. */
function readMails(text: string): AppointmentMail[] {
  return text.split(', ').map((mail) => {
    const [, words = '', name, start, from] =
      /^((?:\w+ )*)(\w+)@(\d\d):00(?: \((\d\d):00\))?$/.exec(mail) ?? [];
    const kind = KINDS.find((one) => one === name);
    if (kind === undefined) throw new Error(`Not a mail: ${mail}`);
    return {
      kind,
      start: A + (Number(start) - 15) * HOUR,
      ...(from && { from: A + (Number(from) - 15) * HOUR }),
      ...(words.includes('client') && { by: 'client' }),
      isClaimed: words.includes('claimed'),
      canUndo: words.includes('undoable'),
    };
  });
}

/** The plan as `a booked@16:00 (15:00)`, and `-b` if dropped. */
function planOf(mails: string): string {
  const { toSend, toDrop } = planThread(queue(...readMails(mails)));
  const hour = (instant: number) => new Date(instant).toISOString().slice(11, 16);
  return [
    ...toSend.map(({ id, notice: { kind, appointment } }) => {
      const { time, movedFrom } = appointment;
      const before = movedFrom === null ? '' : ` (${hour(movedFrom)})`;
      return `${id} ${kind}@${time && hour(time.start)}${before}`;
    }),
    ...toDrop.map((id) => `-${id}`),
  ].join(', ');
}

test('mails about one appointment to its client share a thread, and those to its artist another', () => {
  const threads = (['hold', 'booked', 'reminder', 'new_booking', 'client_moved'] as const).map(
    (kind) => mailThread(createAppointmentNotice(kind, { id: 'x' })),
  );
  expect(threads).toEqual(['x:client', 'x:client', 'x:client', 'x:artist', 'x:artist']);
  expect(mailThread(createNotice('welcome'))).toBeNull();
});

test.for<[title: string, queued: string, plan: string]>([
  ['hold and booking', 'hold@15:00, booked@15:00', 'b booked@15:00, -a'],
  ['request and offer', 'request_received@15:00, offer@15:00', 'b offer@15:00, -a'],
  [
    'booking, move and cancellation',
    'booked@15:00, moved@16:00 (15:00), cancelled@16:00',
    'c cancelled@16:00, -a, -b',
  ],
  [
    'a booking by the artist and a move: the client never heard of the first time',
    'booked@15:00, moved@16:00 (15:00)',
    'b booked@16:00, -a',
  ],
  [
    'a booking that the client confirmed, and a move',
    'client booked@15:00, moved@16:00 (15:00)',
    'b booked@16:00 (15:00), -a',
  ],
  ['two moves', 'moved@16:00 (15:00), moved@17:00 (16:00)', 'b moved@17:00 (15:00), -a'],
  ['a move and back', 'moved@16:00 (15:00), moved@15:00 (16:00)', 'b moved@15:00, -a'],
  ['a new address and a move', 'moved@15:00, moved@16:00 (15:00)', 'b moved@16:00 (15:00), -a'],
  ['offer and another offer', 'offer@15:00, offer@16:00 (15:00)', 'b offer@16:00, -a'],
  ['offer and its end', 'offer@15:00, offer_ended@15:00', 'b offer_ended@15:00, -a'],
  ['booking and reminder', 'booked@15:00, reminder@15:00', 'a booked@15:00, b reminder@15:00'],
  ['reminder and cancellation', 'reminder@15:00, cancelled@15:00', 'b cancelled@15:00, -a'],
  ['two reminders', 'reminder@15:00, reminder@15:00', 'b reminder@15:00, -a'],
  [
    'a new booking and its cancellation, to the artist',
    'new_booking@15:00, client_cancelled@15:00',
    'b client_cancelled@15:00, -a',
  ],
  [
    'a new booking and its move, to the artist',
    'new_booking@15:00, client_moved@16:00 (15:00)',
    'b new_booking@16:00, -a',
  ],
  [
    'a mail whose result is unknown, and newer ones',
    'claimed booked@15:00, moved@16:00 (15:00), cancelled@16:00',
    'a booked@15:00, c cancelled@16:00 (15:00), -b',
  ],
])('queued mails are merged: %s', ([, queued, plan]) => {
  expect(planOf(queued)).toBe(plan);
});

const MOVE = 'undoable moved@16:00 (15:00)';
const WAY_BACK = 'undoable moved@15:00 (16:00)';

test.for<[title: string, queued: string, plan: string]>([
  ['a move and its undo are not reported', `${MOVE}, ${WAY_BACK}`, '-a, -b'],
  [
    'a reminder is sent after an undone move',
    `reminder@15:00, ${MOVE}, ${WAY_BACK}`,
    'a reminder@15:00, -b, -c',
  ],
  [
    'a booking is reported after an undone move',
    `booked@15:00, ${MOVE}, ${WAY_BACK}`,
    'c booked@15:00, -a, -b',
  ],
  [
    'a move that the client may have read of, and its undo',
    `claimed ${MOVE}, ${WAY_BACK}`,
    'a moved@16:00 (15:00), b moved@15:00 (16:00)',
  ],
  [
    'a move, its undo and another move',
    `${MOVE}, ${WAY_BACK}, undoable moved@17:00 (15:00)`,
    'c moved@17:00 (15:00), -a, -b',
  ],
  [
    'a move, another one and the way back',
    `${MOVE}, undoable moved@17:00 (16:00), undoable moved@15:00 (17:00)`,
    '-a, -b, -c',
  ],
  [
    'a move back by the client is reported',
    `${MOVE}, client moved@15:00 (16:00)`,
    'b moved@15:00, -a',
  ],
  [
    'an undone move, and a cancellation',
    `${MOVE}, ${WAY_BACK}, cancelled@15:00`,
    'c cancelled@15:00, -a, -b',
  ],
])('mails wait for an undo: %s', ([, queued, plan]) => {
  expect(planOf(queued)).toBe(plan);
});

test('a move is undone when the time, the note and the deadline are as good as before', () => {
  const isUndone = (changes: Partial<AppointmentSnapshot> = {}) => {
    const appointment = { time: { start: A, end: B }, expiresAt: C, note: 'See you.', ...changes };
    const beforeMove = { start: A, end: B, expiresAt: C, note: 'See you.' };
    const notice = createAppointmentNotice('hold', { beforeMove, ...appointment });
    return planThread([{ id: 'a', notice, isClaimed: false }]).toSend.length === 0;
  };
  expect(isUndone()).toBe(true);
  expect(isUndone({ time: { start: A, end: C } })).toBe(false);
  expect(isUndone({ time: { start: B, end: B } })).toBe(false);
  expect(isUndone({ time: null })).toBe(false);
  expect(isUndone({ note: null })).toBe(false);
  expect(isUndone({ expiresAt: C + 1 })).toBe(true);
  expect(isUndone({ expiresAt: null })).toBe(true);
  expect(isUndone({ expiresAt: C - 1 })).toBe(false);
  expect(planOf('hold@15:00')).toBe('a hold@15:00');
});

test('the mail of a hold waits two minutes for its client, unless the hold is short or needs the link', () => {
  const MINUTE = HOUR / 60;
  const waitOf = (expiresAt: number, mustProveEmail = false) =>
    confirmationWaitEnd({ expiresAt }, mustProveEmail, A);
  expect(waitOf(A + 10 * MINUTE)).toBe(A + 2 * MINUTE);
  expect(waitOf(A + 10 * MINUTE - 1)).toBeUndefined();
  expect(waitOf(A + HOUR, true)).toBeUndefined();
});

const kinds = fc.constantFrom<Kind>(
  'request_received',
  'hold',
  'offer',
  'booked',
  'moved',
  'declined',
  'cancelled',
  'expired',
  'offer_ended',
  'reminder',
);
const events = fc.array(
  fc
    .record({ kind: kinds, start: fc.constantFrom(A, B, C), from: fc.constantFrom(A, B, C) })
    .filter(({ start, from }) => start !== from),
  { minLength: 1, maxLength: 8 },
);

test('in every order of events, the newest mail is sent with the newest facts, and each mail is sent or dropped', () => {
  fc.assert(
    fc.property(events, fc.nat({ max: 7 }), (list, claimed) => {
      const queued = queue(
        ...list.map((event, index) => ({ ...event, isClaimed: index < claimed })),
      );
      const { toSend, toDrop } = planThread(queued);
      const ids = [...toSend.map(({ id }) => id), ...toDrop];
      expect(ids.toSorted()).toEqual(queued.map(({ id }) => id));
      // Nothing that may have arrived is dropped or changed.
      for (const mail of queued.filter(({ isClaimed }) => isClaimed))
        expect(toSend).toContain(mail);
      const versions = toSend.map(({ notice }) => notice.appointment.version);
      expect(versions).toEqual(versions.toSorted((a, b) => a - b));
      const isNews = ({ notice }: ThreadMail) => notice.kind !== 'reminder';
      const unclaimed = toSend.filter(({ isClaimed }) => !isClaimed);
      expect(unclaimed.filter(isNews).length).toBeLessThanOrEqual(1);
      const newest = queued.findLast((mail) => isNews(mail) && !mail.isClaimed);
      const reported = unclaimed.find(isNews);
      expect(reported?.notice.appointment.time).toEqual(newest?.notice.appointment.time);
      for (const { notice } of unclaimed)
        expect(notice.appointment.movedFrom).not.toBe(notice.appointment.time?.start);
    }),
  );
});

test('merging step by step, as mails arrive, gives the same as merging all at once', () => {
  fc.assert(
    fc.property(events, (list) => {
      const queued = queue(...list);
      let stepwise: readonly ThreadMail[] = [];
      for (const mail of queued) stepwise = planThread([...stepwise, mail]).toSend;
      expect(stepwise).toEqual(planThread(queued).toSend);
    }),
  );
});
