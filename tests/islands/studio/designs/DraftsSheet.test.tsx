import {
  type BoundFunctions,
  type queries,
  render,
  screen,
  waitFor,
  within,
} from '@testing-library/react';
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

async function openDrafts(
  designs = [createDesign('Rose'), createDesign('Dagger'), createDesign('Old', 'available')],
) {
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
  const typedIn = (name: string, label: string) => {
    const input = field(name, label);
    return input instanceof HTMLInputElement ? input.value : null;
  };
  return { ...api, type, typedIn };
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
    { price: { kind: 'fixed', amount: 18_000, currency: 'USD' }, width_mm: 51 },
    { editions: 1 },
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

async function changeInDialog(
  name: string,
  change: (dialog: BoundFunctions<typeof queries>) => Promise<void>,
): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: `More about ${name}` }));
  const dialog = within(await screen.findByRole('dialog'));
  await change(dialog);
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

test('a draft that its dialog changed is published as the dialog saved it', async () => {
  const { type, stored, typedIn } = await openDrafts();
  await type('Dagger', 'Price', '90');
  await changeInDialog('Rose', (dialog) =>
    userEvent.type(dialog.getByLabelText('Description'), 'Full-blown'),
  );
  await waitFor(() => expect(typedIn('Rose', 'What one sees')).toBe('Full-blown'));
  expect(typedIn('Dagger', 'Price')).toBe('90');
  await publish();
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Drafts' })).toBeNull());
  expect(stored()[0]).toMatchObject({ description: 'Full-blown', status: 'available' });
  expect(stored()[1]?.price).toMatchObject({ amount: 9000 });
});

test('when another draft is published by its dialog, what was typed is still there', async () => {
  const { type, changes } = await openDrafts();
  await type('Dagger', 'Price', '90');
  await changeInDialog('Rose', (dialog) =>
    userEvent.click(dialog.getByRole('radio', { name: /^Available/ })),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Publish it' }));
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Drafts' })).toBeNull());
  expect(changes().at(-1)?.body).toMatchObject({ price: { amount: 9000 }, status: 'available' });
});

test('a draft keeps the currency of its price', async () => {
  const price = { kind: 'fixed', amount: 9000, amount_to: null, currency: 'EUR' } as const;
  const { type, changes } = await openDrafts([{ ...createDesign('Rose'), price }]);
  await type('Rose', 'Price', '0');
  await userEvent.click(screen.getByRole('button', { name: 'Publish it' }));
  await waitFor(() => expect(changes().length).toBe(1));
  expect(changes()[0]?.body).toMatchObject({ price: { amount: 90_000, currency: 'EUR' } });
});
