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
  markRead,
  removeMessage,
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
  read_at: null,
};

let calls: ApiCall[];
let me: typeof ANA_SELF;
let respond: (call: ApiCall) => Response | object;

beforeEach(() => {
  // New York is still on 30 November.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T03:00:00Z') });
  $now.set(Date.now());
  me = ANA_SELF;
  respond = () => toListed();
  calls = stubApi((call) => (call.path === 'users/me' ? me : respond(call)));
  startSession('one');
  localStorage.removeItem('linework:pages-seen');
  $toasts.set([]);
});
afterEach(() => vi.useRealTimers());

const queriesOf = (path: string) =>
  calls.filter((call) => call.path === path).map(({ query }) => `${query}`);

test('the setup checklist waits for all its data, and remembers who has seen their own page', async () => {
  const meResponse = Promise.withResolvers<object>();
  stubApi(({ path }) => {
    if (path === 'users/me') return meResponse.promise;
    return path === 'services/' ? toListed(FLASH) : { data: [], count: 0 };
  });
  startSession(crypto.randomUUID());
  const stop = $setup.listen(() => {});
  await reloadStore($setupProgress);
  expect($setup.get()).toBeUndefined();
  meResponse.resolve({ ...ANA_SELF, avatar_url: '/ana.webp' });
  const doneSteps = () =>
    $setup
      .get()
      ?.filter(({ isDone }) => isDone)
      .map(({ step }) => step);
  await vi.waitFor(() => expect(doneSteps()).toEqual(['scheduling', 'service', 'avatar']));
  markPageSeen({ ...ANA_SELF, id: 'somebody else' });
  expect(doneSteps()).not.toContain('page');
  markPageSeen(ANA_SELF);
  markPageSeen(ANA_SELF);
  expect(doneSteps()).toContain('page');
  expect(localStorage.getItem('linework:pages-seen')).toBe(
    JSON.stringify(['somebody else', ANA_SELF.id]),
  );
  stop();
});

test('the week of appointments starts at midnight today in the studio’s zone and has eight days', async () => {
  await reloadStore($me);
  await reloadStore($weekAppointments);
  await vi.waitFor(() => expect(queriesOf('appointments/schedule/')).not.toEqual([]));
  expect($today.get()).toBe('2026-11-30');
  expect(queriesOf('appointments/schedule/').at(-1)).toBe(
    `${new URLSearchParams({ start: '2026-11-30T05:00:00Z', end: '2026-12-08T04:59:00Z' })}`,
  );
});

test('the three newest requests are fetched with the count of all', async () => {
  respond = () => ({ data: [createAppointment({ status: 'requested' })], count: 9 });
  expect((await reloadStore($newRequests)).data?.count).toBe(9);
  expect(queriesOf('appointments/')).toContain('status=requested&limit=3');
});

test('messages are fetched page by page', async () => {
  respond = () => toListed(MESSAGE);
  expect((await reloadStore($messages)).data).toEqual(toListed(MESSAGE));
  $messagesSkip.set(50);
  await vi.waitFor(() => expect(queriesOf('users/me/messages')).toContain('skip=50&limit=50'));
  $messagesSkip.set(0);
});

test('only the shown messages that are unread are marked as read, and a failure is silent', async () => {
  respond = ({ method }) =>
    method === 'POST' ? new Response(null, { status: 204 }) : toListed(MESSAGE);
  await markRead([{ ...MESSAGE, read_at: '2026-12-01T12:30:00Z' }]);
  expect(calls).toEqual([]);
  await markRead([MESSAGE, { ...MESSAGE, id: 'two', read_at: '2026-12-01T12:30:00Z' }]);
  expect(calls).toMatchObject([
    { method: 'POST', path: 'users/me/messages/read', body: { ids: ['one'] } },
  ]);
  respond = () => problemResponse(503, 'Busy');
  await markRead([MESSAGE]);
  expect(toastTexts()).toEqual([]);
});

test('a message that cannot be deleted shows an error toast', async () => {
  respond = () => problemResponse(503, 'Busy');
  await removeMessage(MESSAGE);
  expect(toastTexts()).toEqual(['Something went wrong. Busy']);
});

test('hidden services and claimed designs do not complete the setup steps', async () => {
  respond = ({ path }) => {
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
