import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import { PricesSection } from '#islands/studio/profile/PricesSection.tsx';
import { $toasts } from '#stores/toasts.ts';
import { stubApi } from '#support/fake_api.ts';
import { ANA_SELF, toastTexts } from '#support/fake_schedule_api.ts';
import { logInAgain } from '#support/query_stores.ts';

afterEach(() => {
  cleanup();
  $toasts.set([]);
});

async function openSection(me: Partial<CurrentArtist> = {}) {
  let self = { ...ANA_SELF, ...me };
  const calls = stubApi(({ method, body }) => {
    if (method === 'PATCH') self = { ...self, ...body };
    return self;
  });
  await logInAgain();
  render(<PricesSection me={self} />);
  return { sent: () => calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body) };
}

const save = () => userEvent.click(screen.getByRole('button', { name: 'Save prices and terms' }));

test('policy and deposit are saved; an empty deposit removes it', async () => {
  const { sent } = await openSection({ deposit: { amount: 5000, currency: 'USD' } });
  await userEvent.type(screen.getByLabelText('Policy'), 'No changes');
  await userEvent.clear(screen.getByLabelText('Expected deposit'));
  await save();
  // Happy DOM loses the first value of the selects, so they seem changed.
  await waitFor(() =>
    expect(sent()).toMatchObject([{ booking_policy: 'No changes', deposit: null }]),
  );
  expect(toastTexts()[0]).toContain('keep what was agreed');
});

test('a new deposit is in the currency that is chosen above it', async () => {
  const { sent } = await openSection();
  await userEvent.selectOptions(screen.getByLabelText('Country of the studio'), 'Germany');
  await userEvent.type(screen.getByLabelText('Expected deposit'), '80');
  await save();
  await waitFor(() =>
    expect(sent()).toMatchObject([
      { country: 'DE', currency: 'EUR', deposit: { amount: 8000, currency: 'EUR' } },
    ]),
  );
});

test('a deposit that stays as it is keeps its currency', async () => {
  const { sent } = await openSection({ deposit: { amount: 5000, currency: 'USD' } });
  await userEvent.selectOptions(screen.getByLabelText('Country of the studio'), 'Germany');
  await userEvent.type(screen.getByLabelText('Policy'), 'No changes');
  await save();
  await waitFor(() => expect(sent()).toMatchObject([{ country: 'DE', currency: 'EUR' }]));
  expect(sent()[0]).not.toHaveProperty('deposit');
});
