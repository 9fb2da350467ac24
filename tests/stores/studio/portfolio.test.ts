import { beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#stores/session.ts';
import { portfolio, portfolioUploads, savePicture } from '#stores/studio/portfolio.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
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

test('a saved description is shown as the API returns it', async () => {
  respond = () => ({ ...createImage('one'), title: 'A swallow on a wrist' });
  await savePicture('one', { title: ' A swallow on a wrist' });
  expect(calls).toMatchObject([{ method: 'PATCH', path: 'images/one' }]);
  expect(titles()).toEqual(['A swallow on a wrist']);
  expect(toastTexts()).toEqual(['Saved. The description was changed.']);
});

test('saving a description rejects with the refusal of the API', async () => {
  respond = () => problemResponse(404, 'Not found');
  await expect(savePicture('one', { title: 'A' })).rejects.toMatchObject({ status: 404 });
  expect([titles(), toastTexts()]).toEqual([['one'], []]);
});

test('moving a picture sends its new position', async () => {
  portfolio.append(createImage('two'));
  respond = () => createImage('two');
  portfolio.move('two', 'one');
  expect(titles()).toEqual(['two', 'one']);
  await vi.waitFor(() =>
    expect(calls).toMatchObject([{ path: 'images/two', body: { position: 0 } }]),
  );
});
