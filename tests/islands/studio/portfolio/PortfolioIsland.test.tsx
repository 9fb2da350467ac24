import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { UploadedImage } from '#contract/image.ts';
import PortfolioIsland from '#islands/studio/portfolio/PortfolioIsland.tsx';
import { portfolioUploads } from '#stores/studio/portfolio.ts';
import { chooseAction, fakeListApi, resetListPage } from '#support/fake_list_api.ts';
import { createImage, toListed } from '#support/fake_schedule_api.ts';
import { press } from '#support/fake_studio_api.ts';

beforeEach(() => {
  vi.spyOn(window.location, 'replace').mockImplementation(() => {});
});

afterEach(resetListPage);

const createUntitledImage = (id: string): UploadedImage => ({ ...createImage(id), title: '' });

/** Opens the page of an artist with three pictures without a description. */
async function openPage() {
  const images = ['one', 'two', 'three'].map(createUntitledImage);
  const api = await fakeListApi<UploadedImage>(images, () => createUntitledImage('more'));
  render(<PortfolioIsland productName="Linework" />);
  await screen.findByRole('list', { name: 'pictures' });
  return { ...api, ids: () => api.stored().map(({ id }) => id) };
}

const listedFiles = () =>
  screen.getAllByRole('article').flatMap((card) => card.querySelector('img')?.src ?? []);
const filesOf = (...ids: string[]) =>
  ids.map((id) => expect.stringContaining(`/images/${id}.webp`));

test('a picture without a description is named by its number until it has one', async () => {
  const api = await openPage();
  await press('Add a description of picture 2');
  const field = screen.getByRole('textbox', { name: 'Description' });
  await userEvent.type(field, 'Forearm with a panther.');
  await press('Save');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  screen.getByRole('article', { name: 'Forearm with a panther.' });
  screen.getByRole('img', { name: 'Forearm with a panther.' });
  expect(api.stored()[1]?.title).toBe('Forearm with a panther.');
});

test('pictures can be reordered and deleted', async () => {
  const api = await openPage();
  await chooseAction('picture 3', 'Move to the start');
  expect(listedFiles()).toEqual(filesOf('three', 'one', 'two'));
  await waitFor(() => expect(api.ids()).toEqual(['three', 'one', 'two']));
  await chooseAction('picture 1', 'Delete');
  expect(listedFiles()).toEqual(filesOf('one', 'two'));
  await press('Close: Deleted.');
  await waitFor(() => expect(api.ids()).toEqual(['one', 'two']));
  expect(listedFiles()).toEqual(filesOf('one', 'two'));
});

test('an uploaded picture is added at the end', async () => {
  const api = await openPage();
  api.answerOnce('POST', /^images\/portfolio/, Response.json(toListed(createImage('four'))));
  portfolioUploads.add([new File(['bytes'], 'four.jpg', { type: 'image/jpeg' })]);
  await screen.findByText('Picture added.');
  expect(listedFiles()).toEqual(filesOf('one', 'two', 'three', 'four'));
});
