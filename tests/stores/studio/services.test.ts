import { beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#stores/session.ts';
import { addService, saveService, services, setServiceAvailable } from '#stores/studio/services.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, FLASH, problemResponse, SESSION, stubApi } from '#support/fake_api.ts';
import { toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { waitForLoaded } from '#support/query_stores.ts';

const NEW = { name: 'Cover-up', description: '', duration: 120, is_available: true };

let calls: ApiCall[];
let answer: (call: ApiCall) => Response | object;

beforeEach(async () => {
  $toasts.set([]);
  answer = () => toListed(FLASH, SESSION);
  calls = stubApi((call) => answer(call));
  // Another login reads the list anew.
  startSession(crypto.randomUUID());
  services.$list.listen(() => {});
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  await waitForLoaded(services.$list);
  calls.length = 0;
});

const shown = () => services.$list.get().data?.data;

test('a new service is last in the list', async () => {
  const made = { ...NEW, id: 'new' };
  answer = () => made;
  await addService(NEW);
  expect(calls).toMatchObject([{ method: 'POST', path: 'services/', body: NEW }]);
  expect(shown()).toEqual([FLASH, SESSION, made]);
  expect(toastTexts()).toEqual(['Service added. “Cover-up” is in your list.']);
});

test('a changed service is shown as the API answered', async () => {
  answer = () => ({ ...FLASH, name: 'Palm-sized' });
  await saveService(FLASH.id, { ...NEW, name: ' Palm-sized ' });
  expect(calls).toMatchObject([{ method: 'PATCH', path: `services/${FLASH.id}` }]);
  expect(shown()?.map(({ name }) => name)).toEqual(['Palm-sized', SESSION.name]);
});

test('a refused service is thrown to the form, and the list stays', async () => {
  answer = () =>
    problemResponse(422, [{ type: 'value', loc: ['body', 'name'], msg: 'Name is required' }]);
  await expect(addService(NEW)).rejects.toMatchObject({ status: 422 });
  expect(shown()).toEqual([FLASH, SESSION]);
  expect(toastTexts()).toEqual([]);
});

test('a service is hidden from clients at once, and shown again when that is refused', async () => {
  answer = () => problemResponse(503, 'Busy');
  const hiding = setServiceAvailable(FLASH, false);
  expect(shown()?.[0]?.is_available).toBe(false);
  await hiding;
  expect(calls).toMatchObject([{ method: 'PATCH', body: { is_available: false } }]);
  expect(shown()?.[0]?.is_available).toBe(true);
  expect(toastTexts()[0]).toContain('“Small flash” was not changed. Busy');
});
