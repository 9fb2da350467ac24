import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { BlockedSection } from '#islands/studio/profile/BlockedSection.tsx';
import { startSession } from '#stores/session.ts';
import { $blockedSenders } from '#stores/studio/abuse.ts';
import { stubApi } from '#support/fake_api.ts';
import { toListed } from '#support/fake_schedule_api.ts';

const created_at = '2026-12-01T12:00:00Z';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('unblocking a sender asks first, because a network cannot be typed in again', async () => {
  const calls = stubApi(({ method }) =>
    method === 'GET'
      ? toListed({ id: 'one', kind: 'network', value: '192.0.2.0/24', created_at })
      : new Response(null, { status: 204 }),
  );
  startSession('one');
  $blockedSenders.invalidate();
  render(<BlockedSection />);
  const deletions = () => calls.filter(({ method }) => method === 'DELETE');
  const press = async (name: string) =>
    userEvent.click(await screen.findByRole('button', { name }));
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
