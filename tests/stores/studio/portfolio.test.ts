import { beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#stores/session.ts';
import { portfolio, portfolioUploads } from '#stores/studio/portfolio.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, stubApi } from '#support/fake_api.ts';
import { createImage, toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { waitForLoaded } from '#support/query_stores.ts';

let calls: ApiCall[];
let respond: (call: ApiCall) => Response | object;

beforeEach(async () => {
  $toasts.set([]);
  respond = () => toListed(createImage('one'));
  calls = stubApi((call) => respond(call));
  // A new login fetches the list again.
  startSession(crypto.randomUUID());
  portfolio.$list.listen(() => {});
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  await waitForLoaded(portfolio.$list);
  calls.length = 0;
});

const titles = () => portfolio.$list.get().data?.data.map(({ title }) => title);

test('an uploaded picture is added at the end of the portfolio', async () => {
  respond = () => toListed(createImage('two'));
  portfolioUploads.add([new File(['bytes'], 'two.jpg', { type: 'image/jpeg' })]);
  await vi.waitFor(() => expect(toastTexts()).toHaveLength(1));
  expect(calls).toMatchObject([{ method: 'POST', path: 'images/portfolio/upload' }]);
  expect(titles()).toEqual(['one', 'two']);
  expect(toastTexts()[0]).toContain('Picture added.');
});
