import { beforeEach, expect, test, vi } from 'vitest';
import type { Design } from '#contract/design.ts';
import { startSession } from '#stores/session.ts';
import { designs, setDesignStatus } from '#stores/studio/designs.ts';
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

test('a status change is shown at once and reverted when the API refuses it', async () => {
  respond = () => problemResponse(409, 'An appointment has it');
  const hiding = setDesignStatus(SWALLOW, 'hidden');
  expect(listed()?.[0]?.status).toBe('hidden');
  await hiding;
  expect(listed()?.[0]?.status).toBe('available');
  expect(toastTexts()[0]).toContain('“Swallow” was not changed. An appointment has it');
});
