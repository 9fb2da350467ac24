import { beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#stores/session.ts';
import { portfolio, portfolioUploads, savePicture } from '#stores/studio/portfolio.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, refusal, stubApi } from '#support/fake_api.ts';
import { imageOf, listed, messages } from '#support/fake_studio.ts';
import { whenRead } from '#support/reading.ts';

let calls: ApiCall[];
let answer: (call: ApiCall) => Response | object;

beforeEach(async () => {
  $toasts.set([]);
  answer = () => listed(imageOf('one'));
  calls = stubApi((call) => answer(call));
  // Another login reads the list anew.
  startSession(crypto.randomUUID());
  portfolio.$list.listen(() => {});
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  await whenRead(portfolio.$list);
  calls.length = 0;
});

const titles = () => portfolio.$list.get().data?.data.map(({ title }) => title);

test('an uploaded picture is last in the portfolio', async () => {
  answer = () => listed(imageOf('two'));
  portfolioUploads.add([new File(['bytes'], 'two.jpg', { type: 'image/jpeg' })]);
  await vi.waitFor(() => expect(messages()).toHaveLength(1));
  expect(calls).toMatchObject([{ method: 'POST', path: 'images/portfolio/upload' }]);
  expect(titles()).toEqual(['one', 'two']);
  expect(messages()[0]).toContain('Picture added.');
});

test('a changed description is shown as the API answered', async () => {
  answer = () => ({ ...imageOf('one'), title: 'A swallow on a wrist' });
  await savePicture('one', { title: ' A swallow on a wrist' });
  expect(calls).toMatchObject([{ method: 'PATCH', path: 'images/one' }]);
  expect(titles()).toEqual(['A swallow on a wrist']);
  expect(messages()).toEqual(['Saved. The description was changed.']);
});

test('a refused description is thrown to the form', async () => {
  answer = () => refusal(404, 'Not found');
  await expect(savePicture('one', { title: 'A' })).rejects.toMatchObject({ status: 404 });
  expect([titles(), messages()]).toEqual([['one'], []]);
});

test('a picture is moved by its position in the portfolio', async () => {
  portfolio.append(imageOf('two'));
  answer = () => imageOf('two');
  portfolio.move('two', 'one');
  expect(titles()).toEqual(['two', 'one']);
  await vi.waitFor(() =>
    expect(calls).toMatchObject([{ path: 'images/two', body: { position: 0 } }]),
  );
});
