import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startSession } from '#stores/session.ts';
import { $allServices, services, setServiceAvailable } from '#stores/studio/services.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, FLASH, problemResponse, SESSION, stubApi } from '#support/fake_api.ts';
import { toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { waitForLoaded } from '#support/query_stores.ts';

let calls: ApiCall[];
let respond: (call: ApiCall) => Response | object;

beforeEach(async () => {
  $toasts.set([]);
  respond = () => toListed(FLASH, SESSION);
  calls = stubApi((call) => respond(call));
  // A new login fetches the list again.
  startSession(crypto.randomUUID());
  services.$list.listen(() => {});
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  await waitForLoaded(services.$list);
  calls.length = 0;
});

const listed = () => services.$list.get().data?.data;

test('hiding a service is shown at once and reverted when the API refuses it', async () => {
  respond = () => problemResponse(503, 'Busy');
  const hiding = setServiceAvailable(FLASH, false);
  expect(listed()?.[0]?.is_available).toBe(false);
  await hiding;
  expect(calls).toMatchObject([{ method: 'PATCH', body: { is_available: false } }]);
  expect(listed()?.[0]?.is_available).toBe(true);
  expect(toastTexts()[0]).toContain('“Small flash” was not changed. Busy');
});

test('all services, including hidden ones, are fetched with one call', async () => {
  const hidden = { ...SESSION, is_available: false };
  respond = () => toListed(FLASH, hidden);
  onTestFinished($allServices.listen(() => {}));
  await vi.waitFor(() => expect($allServices.get().data).toEqual([FLASH, hidden]));
  expect(calls.map(({ method, path, query }) => `${method} ${path}?${query}`)).toEqual([
    'GET services/?limit=200',
  ]);
});
