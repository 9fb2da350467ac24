import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReceivedMessage } from '#contract/contact.ts';
import { startSession } from '#stores/session.ts';
import {
  $messages,
  $messagesSkip,
  $newRequests,
  $setup,
  $setupProgress,
  $today,
  $weekAppointments,
  markPageSeen,
  removeMessage,
  setSchedulingType,
} from '#stores/studio/home.ts';
import { $me } from '#stores/studio/me.ts';
import { $now } from '#stores/studio/now.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, FLASH, problemResponse, stubApi } from '#support/fake_api.ts';
import { ANA_SELF, createAppointment, toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { reloadStore } from '#support/query_stores.ts';

const MESSAGE: ReceivedMessage = {
  id: 'one',
  name: 'Rosa',
  email: 'rosa@example.com',
  message: 'Do you do cover-ups?',
  created_at: '2026-12-01T12:00:00Z',
};

let calls: ApiCall[];
let me: typeof ANA_SELF;
let answer: (call: ApiCall) => Response | object;

beforeEach(() => {
  // New York is still on 30 November.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T03:00:00Z') });
  $now.set(Date.now());
  me = ANA_SELF;
  answer = () => toListed();
  calls = stubApi((call) => (call.path === 'users/me' ? me : answer(call)));
  startSession('one');
  localStorage.removeItem('linework:pages-seen');
  $toasts.set([]);
});
afterEach(() => vi.useRealTimers());

const queriesOf = (path: string) =>
  calls.filter((call) => call.path === path).map(({ query }) => `${query}`);

test('the checklist waits for all facts and remembers that the own page was seen', async () => {
  const known = Promise.withResolvers<object>();
  stubApi(({ path }) => {
    if (path === 'users/me') return known.promise;
    return path === 'services/' ? toListed(FLASH) : { data: [], count: 0 };
  });
  startSession(crypto.randomUUID());
  const stop = $setup.listen(() => {});
  await reloadStore($setupProgress);
  expect($setup.get()).toBeUndefined();
  known.resolve({ ...ANA_SELF, avatar_url: '/ana.webp' });
  const done = () =>
    $setup
      .get()
      ?.filter(({ isDone }) => isDone)
      .map(({ step }) => step);
  await vi.waitFor(() => expect(done()).toEqual(['scheduling', 'service', 'avatar']));
  markPageSeen({ ...ANA_SELF, id: 'somebody else' });
  expect(done()).not.toContain('page');
  markPageSeen(ANA_SELF);
  markPageSeen(ANA_SELF);
  expect(done()).toContain('page');
  expect(localStorage.getItem('linework:pages-seen')).toBe(
    JSON.stringify(['somebody else', ANA_SELF.id]),
  );
  stop();
});

test('the coming days begin at the studio’s midnight and end a week after today', async () => {
  await reloadStore($me);
  await reloadStore($weekAppointments);
  await vi.waitFor(() => expect(queriesOf('appointments/schedule/')).not.toEqual([]));
  expect($today.get()).toBe('2026-11-30');
  expect(queriesOf('appointments/schedule/').at(-1)).toBe(
    `${new URLSearchParams({ start: '2026-11-30T05:00:00Z', end: '2026-12-08T04:59:00Z' })}`,
  );
});

test('the newest requests are read with the count of all that wait', async () => {
  answer = () => ({ data: [createAppointment({ status: 'requested' })], count: 9 });
  expect((await reloadStore($newRequests)).data?.count).toBe(9);
  expect(queriesOf('appointments/')).toContain('status=requested&limit=3');
});

test('messages are read page by page', async () => {
  answer = () => toListed(MESSAGE);
  expect((await reloadStore($messages)).data).toEqual(toListed(MESSAGE));
  $messagesSkip.set(50);
  await vi.waitFor(() => expect(queriesOf('users/me/messages')).toContain('skip=50&limit=50'));
  $messagesSkip.set(0);
});

test('a deleted message is confirmed, and the messages are read again', async () => {
  answer = () => toListed(MESSAGE);
  await reloadStore($messages);
  calls.length = 0;
  answer = ({ method }) => (method === 'DELETE' ? new Response(null, { status: 204 }) : toListed());
  await removeMessage(MESSAGE);
  await vi.waitFor(() => expect($messages.get().data).toEqual(toListed()));
  const about = calls.filter(({ path }) => path.startsWith('users/me/messages'));
  expect(about.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'DELETE users/me/messages/one',
    'GET users/me/messages',
  ]);
  expect(toastTexts()).toEqual(['Message deleted. What Rosa wrote is gone.']);
});

test('a message that cannot be deleted is told', async () => {
  answer = () => problemResponse(503, 'Busy');
  await removeMessage(MESSAGE);
  expect(toastTexts()).toEqual(['Something went wrong. Busy']);
});

test('hidden services and claimed designs do not count as an offer', async () => {
  answer = ({ path }) => {
    if (path === 'services/') return toListed({ ...FLASH, is_available: false });
    if (path === 'designs/') return toListed({ status: 'claimed' });
    return { data: [], count: 0 };
  };
  expect((await reloadStore($setupProgress)).data).toEqual({
    hasService: false,
    hasDesign: false,
    hasAppointment: false,
  });
});

test('the choice of how clients book is saved and shown, or the refusal is told', async () => {
  await reloadStore($me);
  me = { ...ANA_SELF, scheduling_type: 'managed' };
  expect(await setSchedulingType('managed')).toBe(true);
  expect($me.get().data?.scheduling_type).toBe('managed');
  stubApi(() => problemResponse(503, 'Busy'));
  expect(await setSchedulingType('service')).toBe(false);
  expect(toastTexts()).toEqual(['Something went wrong. Busy']);
});
