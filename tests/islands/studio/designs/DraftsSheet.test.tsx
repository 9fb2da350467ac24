import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { Design } from '#contract/design.ts';
import { NO_DESIGN_FACTS } from '#support/design_facts.ts';
import { problemResponse } from '#support/fake_api.ts';
import { fakeListApi, resetListPage } from '#support/fake_list_api.ts';
import { createImage } from '#support/fake_schedule_api.ts';
import DesignsIsland from '../../../../src/islands/studio/designs/DesignsIsland.tsx';

afterEach(resetListPage);

function createDesign(name: string, status: Design['status'] = 'draft'): Design {
  const id = name.toLowerCase();
  return { ...{ id, name, description: '', status }, image: createImage(id), ...NO_DESIGN_FACTS };
}

async function openDrafts() {
  const designs = [createDesign('Rose'), createDesign('Dagger'), createDesign('Old', 'available')];
  const api = await fakeListApi<Design>(designs, () => createDesign('New'));
  render(<DesignsIsland productName="Linework" />);
  await screen.findByRole('heading', { name: 'Drafts' });
  const row = (name: string) => screen.getByRole('group', { name });
  const field = (name: string, label: string) => {
    const found = [...row(name).querySelectorAll('label')].find((one) => one.textContent === label);
    return screen.getAllByLabelText(label).find(({ id }) => id === found?.htmlFor);
  };
  const type = async (name: string, label: string, text: string) => {
    const input = field(name, label);
    if (!input) throw new Error(`No field ${label}`);
    await userEvent.type(input, text);
  };
  return { ...api, type };
}

const publish = () => userEvent.click(screen.getByRole('button', { name: 'Publish all 2' }));

test('a sheet of drafts is filled in and published at one tap', async () => {
  const { type, stored, changes } = await openDrafts();
  await type('Rose', 'Price', '180');
  await type('Rose', 'Width (in)', '2');
  await type('Dagger', 'How often (empty: any)', '1');
  await publish();
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Drafts' })).toBeNull());
  expect(stored().map(({ status }) => status)).toEqual(['available', 'available', 'available']);
  expect(changes().map(({ body }) => body)).toMatchObject([
    { price: { kind: 'fixed', amount: 18_000, currency: 'USD' }, width_mm: 51, editions: null },
    { price: null, editions: 1 },
  ]);
});

test('bad input stays, has its message at its field, and nothing is published', async () => {
  const { type, changes } = await openDrafts();
  await type('Dagger', 'Price', 'cheap');
  await publish();
  await screen.findByText(/^Write the amount like/);
  expect(screen.getByDisplayValue('cheap')).toBeTruthy();
  expect(changes()).toEqual([]);
});

test('when the server refuses, what was typed is still there', async () => {
  const { type, intercept } = await openDrafts();
  intercept(({ method }) =>
    method === 'PATCH' ? problemResponse(503, 'Down for now') : undefined,
  );
  await type('Rose', 'What one sees', 'A rose');
  await publish();
  await screen.findByText(/Down for now.*still here/);
  expect(screen.getByDisplayValue('A rose')).toBeTruthy();
});
