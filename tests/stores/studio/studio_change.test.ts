import { beforeEach, expect, test } from 'vitest';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { TimeChange } from '#contract/time_changes.ts';
import { agreedTimeAt } from '#domain/studio/agreed_time.ts';
import { timeInNewZone } from '#domain/studio/studio_change.ts';
import { HOUR_MS, MINUTE_MS, toRfc3339 } from '#domain/time/time.ts';
import { startSession } from '#stores/session.ts';
import {
  countBegun,
  countMails,
  loadStudioQuestion,
  saveStudio,
  startAfter,
} from '#stores/studio/studio_change.ts';
import { answerAll } from '#stores/studio/time_changes.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, problemResponse, stubApi, zoneWithOffsets } from '#support/fake_api.ts';
import { ANA_SELF, createAppointment, toastTexts, toListed } from '#support/fake_schedule_api.ts';

const LOS_ANGELES = { ...ANA_SELF.studio, time_zone: 'America/Los_Angeles' };
const BOSTON = { ...ANA_SELF.studio, city: 'Boston' };

let upcoming: Appointment[];
let timeChanges: TimeChange[];
let self: CurrentArtist;
let calls: ApiCall[];
let refuse: (call: ApiCall) => Response | undefined;

beforeEach(() => {
  upcoming = [];
  timeChanges = [];
  self = ANA_SELF;
  refuse = () => undefined;
  calls = stubApi((call) => {
    const { path, method, body, query } = call;
    const refused = refuse(call);
    if (refused) return refused;
    if (method === 'DELETE') return new Response(null, { status: 204 });
    if (path === 'appointments/time_changes') return toListed(...timeChanges);
    if (path.startsWith('appointments/')) return toListed(...upcoming);
    if (path.endsWith('/zone')) return zoneWithOffsets(query.get('time_zone') ?? '');
    if (path.endsWith('/undo')) self = ANA_SELF;
    if (method === 'PATCH')
      self = { ...self, studio: { ...self.studio, ...Object(body['studio']) } };
    return self;
  });
  startSession('one');
});

/** An appointment so many hours from now, of a client with this email. */
function appointmentIn(hours: number, email: string | null, changes: Partial<Appointment> = {}) {
  const base = createAppointment({});
  const start = new Date(Date.now() + hours * 3_600_000).toISOString();
  const client = { ...base.client, email };
  return createAppointment({ id: crypto.randomUUID(), start, end: start, client, ...changes });
}

async function loadQuestion(changes: Parameters<typeof loadStudioQuestion>[1]) {
  const question = await loadStudioQuestion(ANA_SELF, changes);
  if (!question) throw new Error('Nothing is asked');
  return question;
}

test('nothing is asked when neither the address nor the time zone changes', async () => {
  upcoming = [appointmentIn(48, 'rosa@example.com')];
  const renamed = { ...ANA_SELF.studio, name: 'New Name' };
  expect(await loadStudioQuestion(ANA_SELF, renamed)).toBeNull();
  expect(calls).toEqual([]);
});

test('nothing is asked when the change affects no client', async () => {
  expect(await loadStudioQuestion(ANA_SELF, LOS_ANGELES)).toBeNull();
  upcoming = [
    appointmentIn(48, null),
    appointmentIn(49, 'rosa@example.com', { status: 'held' }),
    appointmentIn(-0.5, 'max@example.com'),
  ];
  expect(await loadStudioQuestion(ANA_SELF, BOSTON)).toBeNull();
  // A new time zone changes their times.
  expect(await loadStudioQuestion(ANA_SELF, LOS_ANGELES)).not.toBeNull();
});

test('only clients with an email and a confirmed appointment ahead are counted, each once', async () => {
  upcoming = [
    appointmentIn(48, 'rosa@example.com'),
    appointmentIn(50, 'Rosa@example.com'),
    appointmentIn(52, 'max@example.com'),
    appointmentIn(54, null),
    appointmentIn(56, 'ida@example.com', { status: 'offered' }),
    appointmentIn(-0.5, 'now@example.com'),
  ];
  expect(countMails(await loadQuestion(BOSTON), 'moments')).toEqual({ mails: 3, clients: 2 });
});

test('clock times that have passed in the new zone are counted apart', async () => {
  upcoming = [appointmentIn(2, 'rosa@example.com'), appointmentIn(48, 'max@example.com')];
  const question = await loadQuestion({ ...ANA_SELF.studio, time_zone: 'Europe/Berlin' });
  expect([countBegun(question, 'moments'), countBegun(question, 'clock_times')]).toEqual([0, 1]);
  expect(countMails(question, 'moments').clients).toBe(2);
  expect(countMails(question, 'clock_times').clients).toBe(1);
});

test('the preview shows the agreed clock time, as it is stored, also where clocks show another one now', async () => {
  const start = Date.now() + 48 * HOUR_MS;
  const agreed = agreedTimeAt(ANA_SELF.studio.time_zone, start - 90 * MINUTE_MS);
  upcoming = [appointmentIn(48, 'rosa@example.com', { start: toRfc3339(start) })];
  timeChanges = upcoming.map((appointment) => ({ ...appointment, agreed }));
  const question = await loadQuestion(LOS_ANGELES);
  const range = { start, end: start, blockedUntil: start, isReserved: true, expiresAt: null };
  const change = { keep: 'clock_times', from: agreed.zone, to: LOS_ANGELES.time_zone } as const;
  const stored = timeInNewZone({ ...range, agreed }, change, question.now);
  const [affected] = question.appointments;
  expect(affected && startAfter(question, affected, 'clock_times')).toBe(stored?.start);
});

test('an Undo that comes too late says that the change stays', async () => {
  await saveStudio(BOSTON, { tell_clients: false, keep: 'moments' });
  refuse = ({ path }) =>
    path.endsWith('/undo') ? problemResponse(409, 'It is too late to undo this.') : undefined;
  $toasts.get()[0]?.action?.run();
  await expect
    .poll(() => toastTexts().join())
    .toContain('The change of your studio stays. It is too late to undo this.');
});

const CHANGED = { ...createAppointment({}), agreed: { local: '2030-06-03T07:00' } };
const MANY = { data: Array(1001).fill(CHANGED), count: 1001 };

test.each([
  ['the studio', 'Your page shows the studio as it is now.'],
  ['more times than one answer takes', 'The first 1,000 are saved.'],
])('%s: the Undo of the change before closes, whose mails it replaces', async (of, saved) => {
  const change = (isStudio: boolean, tell_clients: boolean) =>
    isStudio
      ? saveStudio(BOSTON, { tell_clients, keep: 'moments' })
      : answerAll(MANY, 'moments', tell_clients);
  await change(of !== 'the studio', true);
  await change(of === 'the studio', false);
  expect(toastTexts().length).toBe(1);
  expect(toastTexts()[0]).toMatch(new RegExp(`${saved}.* The mails go out in a minute`));
  $toasts.get()[0]?.action?.run();
  await expect.poll(() => toastTexts().join()).toContain('The mails of the change before go out.');
});
