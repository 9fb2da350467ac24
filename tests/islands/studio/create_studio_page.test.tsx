import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { createStudioPage } from '#islands/studio/create_studio_page.tsx';
import { $token } from '#stores/session.ts';
import { openStudioPage, resetStudioPage } from '#support/fake_studio_api.ts';

afterEach(async () => {
  await resetStudioPage();
});

test('content that fails to render leaves the navigation, and Try again mounts it again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let isBroken = true;
  const Page = createStudioPage('hours', () => {
    if (isBroken) throw new Error('Broken content');
    return <p>Opening hours</p>;
  });
  openStudioPage('/studio/hours', {});
  render(<Page productName="Linework" />);
  expect(await screen.findByText('Something went wrong.')).toBeDefined();
  expect(screen.getAllByRole('link', { name: 'Calendar' })).not.toEqual([]);
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByText('Opening hours')).toBeDefined();
});

test('the login leads back to the part of the page that the address names', async () => {
  const navigate = vi.spyOn(location, 'replace').mockImplementation(() => {});
  const Page = createStudioPage('admin', () => <p>Errors</p>);
  openStudioPage('/studio/admin#errors', {});
  $token.set(undefined);
  render(<Page productName="Linework" />);
  await waitFor(() =>
    expect(navigate).toHaveBeenCalledWith('/login?next=%2Fstudio%2Fadmin%23errors'),
  );
});
