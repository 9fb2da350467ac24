import { beforeEach, expect, test, vi } from 'vitest';
import type { Design } from '#contract/design.ts';
import { startSession } from '#stores/session.ts';
import { designs, designUploads, saveDesign, setDesignStatus } from '#stores/studio/designs.ts';
import { $toasts } from '#stores/toasts.ts';
import { NO_DESIGN_FACTS } from '#support/design_facts.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { createImage, toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { waitForLoaded } from '#support/query_stores.ts';

const SWALLOW: Design = {
  id: 'swallow',
  name: 'Swallow',
  description: '',
  status: 'available',
  ...NO_DESIGN_FACTS,
  image: createImage('swallow'),
};

let calls: ApiCall[];
let respond: (call: ApiCall) => Response | object;

beforeEach(async () => {
  $toasts.set([]);
  respond = () => toListed(SWALLOW);
  calls = stubApi((call) => respond(call));
  // A new login fetches the list again.
  startSession(crypto.randomUUID());
  designs.$list.listen(() => {});
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  await waitForLoaded(designs.$list);
  calls.length = 0;
});

const listed = () => designs.$list.get().data?.data;

test('each uploaded picture becomes a design named after its file, at the end of the list', async () => {
  respond = ({ body }) => {
    const name = /name="name"\r\n\r\n([^\r]*)/.exec(String(body['text']))?.[1] ?? '';
    return { ...SWALLOW, id: name, name };
  };
  const files = ['red_rose.jpg', 'dagger.png'].map(
    (name) => new File(['bytes'], name, { type: 'image/png' }),
  );
  designUploads.add(files);
  await vi.waitFor(() => expect(toastTexts()).toHaveLength(1));
  expect(listed()?.map(({ name }) => name)).toEqual(['Swallow', 'Red rose', 'Dagger']);
  expect(toastTexts()[0]).toContain('2 designs added.');
});

test('a saved design is shown as the API returns it', async () => {
  respond = () => ({ ...SWALLOW, name: 'Two swallows' });
  await saveDesign('swallow', { name: 'Two swallows ' });
  expect(calls).toMatchObject([
    { method: 'PATCH', path: 'designs/swallow', body: { name: 'Two swallows ' } },
  ]);
  expect(listed()?.[0]?.name).toBe('Two swallows');
  expect(toastTexts()).toEqual(['Saved. “Two swallows” was changed.']);
});

test('saving a design rejects with the refusal of the API', async () => {
  respond = () => problemResponse(404, 'Not found');
  await expect(saveDesign('swallow', { name: 'Dove' })).rejects.toMatchObject({ status: 404 });
  expect(listed()).toEqual([SWALLOW]);
});

test('a status change is shown at once and reverted when the API refuses it', async () => {
  respond = () => problemResponse(409, 'An appointment has it');
  const hiding = setDesignStatus(SWALLOW, 'hidden');
  expect(listed()?.[0]?.status).toBe('hidden');
  await hiding;
  expect(listed()?.[0]?.status).toBe('available');
  expect(toastTexts()[0]).toContain('“Swallow” was not changed. An appointment has it');
});
