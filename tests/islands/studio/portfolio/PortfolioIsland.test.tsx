import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { UploadedImage } from '#contract/image.ts';
import PortfolioIsland from '#islands/studio/portfolio/PortfolioIsland.tsx';
import { fakeListApi, resetListPage } from '#support/fake_list_api.ts';
import { createImage } from '#support/fake_schedule_api.ts';

beforeEach(() => {
  vi.spyOn(window.location, 'replace').mockImplementation(() => {});
});

afterEach(resetListPage);

const undescribed = (id: string): UploadedImage => ({ ...createImage(id), title: '' });

/** The page of an artist with three pictures without a description. */
async function open() {
  const images = ['one', 'two', 'three'].map(undescribed);
  const api = await fakeListApi<UploadedImage>(images, () => undescribed('more'));
  render(<PortfolioIsland productName="Linework" />);
  await screen.findByRole('list', { name: 'pictures' });
  return { ...api, ids: () => api.stored().map(({ id }) => id) };
}

const shown = () =>
  screen.getAllByRole('article').flatMap((card) => card.querySelector('img')?.src ?? []);
const files = (...ids: string[]) => ids.map((id) => expect.stringContaining(`/images/${id}.webp`));
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

async function chooseFor(what: string, action: string): Promise<void> {
  await press(`More for ${what}`);
  await press(action);
}

test('a picture without a description is called by its number until it is described', async () => {
  const api = await open();
  await press('Add a description of picture 2');
  const field = screen.getByRole('textbox', { name: 'Description' });
  await userEvent.type(field, 'Forearm with a panther.');
  await press('Save');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  screen.getByRole('article', { name: 'Forearm with a panther.' });
  screen.getByRole('img', { name: 'Forearm with a panther.' });
  expect(api.stored()[1]?.title).toBe('Forearm with a panther.');
});

test('pictures are put in order and deleted', async () => {
  const api = await open();
  await chooseFor('picture 3', 'Move to the start');
  expect(shown()).toEqual(files('three', 'one', 'two'));
  await waitFor(() => expect(api.ids()).toEqual(['three', 'one', 'two']));
  await chooseFor('picture 1', 'Delete');
  expect(shown()).toEqual(files('one', 'two'));
  await press('Close: Deleted.');
  await waitFor(() => expect(api.ids()).toEqual(['one', 'two']));
  expect(shown()).toEqual(files('one', 'two'));
});
