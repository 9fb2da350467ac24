import { beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#stores/session.ts';
import { $me } from '#stores/studio/me.ts';
import { type ApiCall, stubApi } from '#support/fake_api.ts';
import { ANA_SELF } from '#support/fake_schedule_api.ts';
import { reloadStore } from '#support/query_stores.ts';

let calls: ApiCall[];
let response: object;

beforeEach(() => {
  response = ANA_SELF;
  calls = stubApi(() => response);
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
