import { afterEach, expect, test, vi } from 'vitest';
import { $allServices } from '#stores/studio/all_services.ts';
import { FLASH, fakeBookingApi, SESSION } from '#support/fake_api.ts';

afterEach(() => vi.unstubAllGlobals());

test('all services are read in one list, hidden ones included', async () => {
  const api = fakeBookingApi();
  const hidden = { ...SESSION, is_available: false };
  api.answerNext(Response.json({ data: [FLASH, hidden], count: 2 }));
  const stop = $allServices.listen(() => {});
  await vi.waitFor(() => expect($allServices.get().data).toEqual([FLASH, hidden]));
  stop();
  expect(api.calls.map(({ method, path, query }) => `${method} ${path}?${query}`)).toEqual([
    'GET services/?limit=200',
  ]);
});
