import { beforeEach, expect, test, vi } from 'vitest';
import { $token, endSession, startSession } from '#stores/session.ts';
import { $me, applyMe } from '#stores/studio/me.ts';
import { type ApiCall, stubApi } from '#support/fake_api.ts';
import { ANA_SELF } from '#support/fake_schedule_api.ts';
import { reloadStore, waitForQueryKeys } from '#support/query_stores.ts';

let calls: ApiCall[];
let response: object;

beforeEach(() => {
  response = ANA_SELF;
  calls = stubApi(() => response);
});

test('without a login the artist is not fetched', async () => {
  if ($token.get() !== undefined) endSession();
  // The key of the session is updated asynchronously.
  await waitForQueryKeys();
  calls.length = 0;
  expect((await reloadStore($me)).data).toBeUndefined();
  expect(calls).toEqual([]);
});

test('a login as another artist fetches and shows that artist', async () => {
  startSession(crypto.randomUUID());
  await reloadStore($me);
  response = { ...ANA_SELF, username: 'bo' };
  const token = crypto.randomUUID();
  startSession(token);
  await vi.waitFor(() => expect($me.get().data?.username).toBe('bo'));
  expect(calls.at(-1)?.token).toBe(token);
});

test('applyMe shows the changed artist without another fetch', async () => {
  const token = crypto.randomUUID();
  startSession(token);
  await reloadStore($me);
  await vi.waitFor(() => expect(calls.at(-1)?.token).toBe(token));
  await vi.waitFor(() => expect($me.get()).toMatchObject({ loading: false, data: ANA_SELF }));
  calls.length = 0;
  applyMe({ ...ANA_SELF, full_name: 'Ana Reyes-Quint' });
  expect($me.get().data?.full_name).toBe('Ana Reyes-Quint');
  expect(calls).toEqual([]);
});
