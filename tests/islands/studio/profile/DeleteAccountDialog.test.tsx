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

const confirmButton = () => screen.queryByRole('button', { name: 'Delete for good' });

function openDialog(): void {
  startSession('one');
  render(<DeleteAccountDialog me={ANA_SELF} onClose={() => {}} />);
}

test('the buttons appear together with the list above them, to avoid a layout shift', async () => {
  const { promise: loaded, resolve: finishLoading } = Promise.withResolvers<void>();
  stubApi(async () => {
    await loaded;
    return { data: [], count: 2 };
  });
  openDialog();
  expect(screen.getByText('Loading list of what is lost…')).toBeTruthy();
  expect(confirmButton()).toBeNull();
  finishLoading();
  await screen.findByText('2 services');
  expect(confirmButton()).not.toBeNull();
});

test('the account can be deleted even if the list of its contents cannot be loaded', async () => {
  stubApi(() => problemResponse(500, 'Something went wrong.'));
  openDialog();
  await screen.findByText(/The list of what is lost could not be loaded/);
  expect(confirmButton()).not.toBeNull();
});
