import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { StudioSection } from '#islands/studio/profile/StudioSection.tsx';
import { startSession } from '#stores/session.ts';
import { stubApi } from '#support/fake_api.ts';
import { ANA_SELF, createAppointment, toListed } from '#support/fake_schedule_api.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

// In its own file, as loaded appointments stay cached.
test('appointments that cannot be loaded show an error, not that there are none', async () => {
  let isLost = true;
  stubApi(() => (isLost ? 'lost' : toListed(createAppointment({}))));
  startSession('one');
  render(<StudioSection me={ANA_SELF} />);
  await userEvent.type(screen.getByLabelText('City'), ' City');
  await screen.findByText(/The appointments that this affects could not be loaded/);
  expect(screen.queryByText(/You have no upcoming appointments/)).toBeNull();
  isLost = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('Your upcoming appointment will show the new address.');
});
