import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { DeleteAccountDialog } from '#islands/studio/profile/DeleteAccountDialog.tsx';
import { startSession } from '#stores/session.ts';
import { $accountContents } from '#stores/studio/profile.ts';
import { problemResponse, stubApi } from '#support/fake_api.ts';
import { ANA_SELF } from '#support/fake_schedule_api.ts';

afterEach(() => {
  cleanup();
  $accountContents.invalidate();
});

const confirm = () => screen.queryByRole('button', { name: 'Delete for good' });

function open(): void {
  startSession('one');
  render(<DeleteAccountDialog me={ANA_SELF} onClose={() => {}} />);
}

test('the buttons come together with the list above them, so that it never moves them', async () => {
  const { promise: read, resolve: letRead } = Promise.withResolvers<void>();
  stubApi(async () => {
    await read;
    return { data: [], count: 2 };
  });
  open();
  expect(screen.getByText('Loading list of what is lost…')).toBeTruthy();
  expect(confirm()).toBeNull();
  letRead();
  await screen.findByText('2 services');
  expect(confirm()).not.toBeNull();
});

test('an account can be deleted where the list of what is lost cannot be loaded', async () => {
  stubApi(() => problemResponse(500, 'Something went wrong.'));
  open();
  await screen.findByText(/The list of what is lost could not be loaded/);
  expect(confirm()).not.toBeNull();
});
