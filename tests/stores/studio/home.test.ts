import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#stores/session.ts';
import { $setup, $setupProgress, markPageSeen } from '#stores/studio/home.ts';
import { $now } from '#stores/studio/now.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, FLASH, stubApi } from '#support/fake_api.ts';
import { ANA_SELF, toListed } from '#support/fake_schedule_api.ts';
import { reloadStore } from '#support/query_stores.ts';

let _calls: ApiCall[];
let me: typeof ANA_SELF;
let respond: (call: ApiCall) => Response | object;

beforeEach(() => {
  // New York is still on 30 November.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T03:00:00Z') });
  $now.set(Date.now());
  me = ANA_SELF;
  respond = () => toListed();
  _calls = stubApi((call) => (call.path === 'users/me' ? me : respond(call)));
  startSession('one');
  localStorage.removeItem('linework:pages-seen');
  $toasts.set([]);
});
afterEach(() => vi.useRealTimers());

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
