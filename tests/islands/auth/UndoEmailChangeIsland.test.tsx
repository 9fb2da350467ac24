import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import UndoEmailChangeIsland from '#islands/auth/UndoEmailChangeIsland.tsx';
import { $token, startSession } from '#stores/session.ts';
import { problemResponse, stubApi } from '#support/fake_api.ts';

const press = () => userEvent.click(screen.getByRole('button', { name: 'Undo the Change' }));

test('opening the link changes nothing; a link that no longer works says so after the button, and leaves the login', async () => {
  const calls = stubApi(() => problemResponse(400, 'This link has been used or has run out.'));
  startSession('mine');
  history.replaceState(null, '', '/undo-email-change?token=secret');
  render(<UndoEmailChangeIsland />);
  expect([calls, location.search]).toEqual([[], '']);
  await press();
  expect(calls).toMatchObject([
    { method: 'POST', path: 'users/undo-email-change', body: { token: 'secret' } },
  ]);
  await screen.findByText('This link has been used or has run out.');
  expect($token.get()).toBe('mine');
});
