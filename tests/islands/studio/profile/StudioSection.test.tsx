import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { StudioSection } from '#islands/studio/profile/StudioSection.tsx';
import { startSession } from '#stores/session.ts';
import { stubApi } from '#support/fake_api.ts';
import { ANA_SELF, createAppointment, toListed } from '#support/fake_schedule_api.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a studio is not saved while its appointments cannot be loaded, and can be saved again', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T12:00:00Z') });
  let isLost = true;
  const calls = stubApi(() => (isLost ? 'lost' : toListed(createAppointment({}))));
  startSession('one');
  render(<StudioSection me={ANA_SELF} />);
  await userEvent.type(screen.getByLabelText('City'), ' City');
  await userEvent.click(screen.getByRole('button', { name: 'Save studio' }));
  await screen.findByText(/The connection was lost.*What you typed is still here/);
  isLost = false;
  await userEvent.click(screen.getByRole('button', { name: 'Save studio' }));
  const dialog = await screen.findByRole('dialog', { name: 'Tell 1 client?' });
  within(dialog).getByText(/has a new address\. The time of your appointment stays\./);
  expect(calls.some(({ method }) => method === 'PATCH')).toBe(false);
});
