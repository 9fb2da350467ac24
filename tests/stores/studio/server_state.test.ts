import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#stores/session.ts';
import { mutateCache } from '#stores/studio/queries.ts';
import { $newTroubles, $serverState, $troubleCounts } from '#stores/studio/server_state.ts';
import { SERVER_STATE } from '#support/admin_records.ts';
import { stubApi } from '#support/fake_api.ts';

beforeEach(() => {
  startSession('token');
});
afterEach(() => {
  mutateCache('admin-server', undefined);
  vi.unstubAllGlobals();
});

test('nothing is counted until it is known; mails that are tried again count as well', async () => {
  const troubles = { failed_mails: 5, new_failed_mails: 1, retried_mails: 2, failed_jobs: 3 };
  stubApi(() => ({ ...SERVER_STATE, troubles: { ...troubles, errors: 9, new_errors: 4 } }));
  const stop = $serverState.listen(() => {});
  expect($troubleCounts.get()).toEqual({});
  await vi.waitFor(() => expect($troubleCounts.get()).toEqual({ mail: 7, jobs: 3, errors: 9 }));
  expect($newTroubles.get()).toEqual({ failedMails: 1, retriedMails: 2, failedJobs: 3, errors: 4 });
  stop();
});
