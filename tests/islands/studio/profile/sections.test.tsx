import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import type { Export } from '#contract/export.ts';
import { BlockedSection } from '#islands/studio/profile/BlockedSection.tsx';
import { DeleteAccountDialog } from '#islands/studio/profile/DeleteAccountDialog.tsx';
import { ExportSection } from '#islands/studio/profile/ExportSection.tsx';
import { PricesSection } from '#islands/studio/profile/PricesSection.tsx';
import { BookingSection } from '#islands/studio/profile/ProfileForms.tsx';
import { StudioSection } from '#islands/studio/profile/StudioSection.tsx';
import { startSession } from '#stores/session.ts';
import { $blockedSenders } from '#stores/studio/abuse.ts';
import { $exports } from '#stores/studio/data_rights.ts';
import { $accountContents } from '#stores/studio/profile.ts';
import { stubApi } from '#support/fake_api.ts';
import { ANA_SELF, createAppointment, toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { press } from '#support/fake_studio_api.ts';
import { logInAgain } from '#support/query_stores.ts';

afterEach(() => {
  cleanup();
  for (const query of [$accountContents, $exports, $blockedSenders]) query.invalidate();
});

const created_at = '2026-12-01T15:00:00Z';
const RUNNING: Export = {
  id: 'one',
  state: 'running',
  done: 21,
  total: 50,
  created_at,
  expires_at: null,
  size: null,
  url: null,
};
const READY: Export = {
  ...RUNNING,
  state: 'ready',
  expires_at: '2026-12-02T15:15:00Z',
  size: 12_345_678,
  url: 'http://api.test/api/v1/users/exports/one/download?token=abc',
};

/** The section of an artist with these exports. */
function showExports(...listed: Export[]): void {
  stubApi(({ method }) => {
    if (method === 'POST') listed.unshift({ ...RUNNING, id: 'two' });
    if (method === 'DELETE') listed.pop();
    return method === 'GET' ? toListed(...listed) : RUNNING;
  });
  startSession('one');
  render(<ExportSection me={ANA_SELF} />);
}

test('a checkbox is named by its label, described by its hint, and toggled by a press on either', async () => {
  render(<BookingSection me={ANA_SELF} />);
  const checkbox = screen.getByRole<HTMLInputElement>('checkbox', {
    name: 'Show me on the Explore page',
    description: /^New clients find you there/,
  });
  const { checked } = checkbox;
  await userEvent.click(screen.getByText(/^New clients find you there/));
  expect(checkbox.checked).toBe(!checked);
  await userEvent.click(screen.getByText('Show me on the Explore page'));
  expect(checkbox.checked).toBe(checked);
});

test('an export that failed says so; the next one shows its progress', async () => {
  showExports({ ...RUNNING, state: 'failed' });
  await screen.findByText('The last export failed. Nothing was lost.');
  await press('Try again');
  const progress = await screen.findByRole('progressbar', { name: 'Progress of the export' });
  expect(progress.getAttribute('value')).toBe('42');
  screen.getByText('42 %');
  expect(screen.queryByRole('button', { name: 'Export everything' })).toBeNull();
});

test('a ready export is a link with its size and its end, and can be deleted', async () => {
  showExports(READY);
  const link = await screen.findByRole('link', { name: /^Download \(12 MB\)/ });
  expect(link.getAttribute('href')).toBe(READY.url);
  screen.getByText('Until Wed, Dec 2, 10:15 AM');
  screen.getByRole('button', { name: 'Export everything' });
  await press(/^Delete/);
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Download/ })).toBeNull());
});

test('unblocking a sender asks first, because a network cannot be typed in again', async () => {
  const calls = stubApi(({ method }) =>
    method === 'GET'
      ? toListed({ id: 'one', kind: 'network', value: '192.0.2.0/24', created_at })
      : new Response(null, { status: 204 }),
  );
  startSession('one');
  render(<BlockedSection />);
  const deletions = () => calls.filter(({ method }) => method === 'DELETE');
  await press('Unblock… 192.0.2.0/24');
  const dialog = await screen.findByRole('dialog', { name: 'Unblock 192.0.2.0/24?' });
  expect(dialog.textContent).toContain('only at an appointment from it');
  await press('Keep it blocked');
  expect(deletions()).toEqual([]);
  await press('Unblock… 192.0.2.0/24');
  await press('Unblock');
  await vi.waitFor(() =>
    expect(deletions().map(({ path }) => path)).toEqual(['users/me/blocked/one']),
  );
});

test('the button that deletes an account waits for the list of what is lost, and comes also without it', async () => {
  const loaded = Promise.withResolvers<object>();
  stubApi(() => loaded.promise);
  startSession('one');
  render(<DeleteAccountDialog me={ANA_SELF} onClose={() => {}} />);
  expect(screen.getByText('Loading list of what is lost…')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Delete for good' })).toBeNull();
  // Without its list, the account can still be deleted.
  loaded.resolve(new Response(null, { status: 500 }));
  await screen.findByText(/The list of what is lost could not be loaded/);
  screen.getByRole('button', { name: 'Delete for good' });
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
  const { sent } = await openSection({ country: 'CH' });
  const likely = (label: string | RegExp) =>
    [...screen.getByLabelText<HTMLSelectElement>(label).options]
      .slice(0, 3)
      .map(({ value }) => value);
  expect(likely('Country of the studio')).toEqual(['', 'CH', 'US']);
  expect(likely(/^Currency/)).toEqual(['', 'CHF', 'USD']);
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

test('a studio is not saved while its appointments cannot be loaded, and can be saved again', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T12:00:00Z') });
  let answer: object | 'lost' = 'lost';
  const calls = stubApi(() => answer);
  startSession('one');
  render(<StudioSection me={ANA_SELF} />);
  await userEvent.type(screen.getByLabelText('City'), ' City');
  await press('Save studio');
  await screen.findByText(/The connection was lost.*What you typed is still here/);
  answer = toListed(createAppointment({}));
  await press('Save studio');
  const dialog = await screen.findByRole('dialog', { name: 'Tell 1 client?' });
  expect(dialog.textContent).toContain('has a new address. The time of your appointment stays.');
  expect(calls.some(({ method }) => method === 'PATCH')).toBe(false);
});
