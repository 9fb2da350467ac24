import { expect, onTestFinished, test, vi } from 'vitest';
import { startSession } from '#stores/session.ts';
import { $setup, $setupProgress, markPageSeen } from '#stores/studio/home.ts';
import { FLASH, stubApi } from '#support/fake_api.ts';
import { ANA_SELF, toListed } from '#support/fake_schedule_api.ts';
import { reloadStore } from '#support/query_stores.ts';

test('the setup checklist waits for all its data, leaves out what clients do not see, and remembers who has seen their own page', async () => {
  localStorage.removeItem('linework:pages-seen');
  const meResponse = Promise.withResolvers<object>();
  stubApi(({ path }) => {
    if (path === 'users/me') return meResponse.promise;
    if (path === 'services/') return toListed({ ...FLASH, is_available: false });
    return path === 'designs/' ? toListed({ status: 'claimed' }) : { data: [], count: 0 };
  });
  startSession(crypto.randomUUID());
  onTestFinished($setup.listen(() => {}));
  const { data: progress } = await reloadStore($setupProgress);
  expect(progress).toEqual({ hasService: false, hasDesign: false, hasAppointment: false });
  expect($setup.get()).toBeUndefined();
  meResponse.resolve({ ...ANA_SELF, avatar_url: '/ana.webp' });
  const doneSteps = () =>
    $setup
      .get()
      ?.filter(({ isDone }) => isDone)
      .map(({ step }) => step);
  await vi.waitFor(() => expect(doneSteps()).toEqual(['scheduling', 'avatar']));
  markPageSeen({ ...ANA_SELF, id: 'somebody else' });
  expect(doneSteps()).not.toContain('page');
  markPageSeen(ANA_SELF);
  markPageSeen(ANA_SELF);
  expect(doneSteps()).toContain('page');
  expect(localStorage.getItem('linework:pages-seen')).toBe(
    JSON.stringify(['somebody else', ANA_SELF.id]),
  );
});
