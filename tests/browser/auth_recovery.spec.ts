import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { button, waitForHydration } from '#support/browser_booking.ts';
import { findRecoveryPath } from '#support/browser_inbox.ts';

const NEW_PASSWORD = 'battery staple';
const SENT = 'We sent an email with a link to get back into your account.';

const email = (page: Page) => page.getByLabel('Email', { exact: true });

test('an artist resets a forgotten password with the link from a mail', async ({
  page,
  artist,
}) => {
  const address = artist.self.email;
  await page.goto('/recover-password');
  await waitForHydration(page);
  await email(page).fill(address);
  await button(page, 'Continue').click();
  await expect(page.getByRole('status').filter({ hasText: 'Email sent.' })).toContainText(SENT);
  const path = await findRecoveryPath(address);

  const response = await page.goto(path);
  expect(response?.headers()['referrer-policy']).toBe('no-referrer');
  expect(response?.headers()['cache-control']).toBe('no-store');
  await waitForHydration(page);
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await page.reload();
  await waitForHydration(page);
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel('Confirm password', { exact: true }).fill(NEW_PASSWORD);
  await button(page, 'Reset Password').click();
  await page.waitForURL('/login');
  const toast = page.getByRole('status').filter({ hasText: 'Success!' });
  await expect(toast).toContainText('Password updated successfully.');

  await email(page).fill(address);
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
  await button(page, 'Log In').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hello, Ines' })).toBeVisible();
});
