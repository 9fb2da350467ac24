import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { button, scriptsDone } from '#support/browser_booking.ts';
import { mailsTo, recoveryPath } from '#support/browser_mail.ts';

const NEW_PASSWORD = 'battery staple';
const SENT = 'We sent an email with a link to get back into your account.';
const UNUSABLE = 'This link has been used or has run out. Please ask for a new one.';

const email = (page: Page) => page.getByLabel('Email', { exact: true });

async function ask(page: Page, address: string): Promise<void> {
  await page.goto('/recover-password');
  await scriptsDone(page);
  await email(page).fill(address);
  await button(page, 'Continue').click();
  await expect(page.getByRole('status').filter({ hasText: 'Email sent.' })).toContainText(SENT);
}

async function choose(page: Page, password: string, confirmation = password): Promise<void> {
  await scriptsDone(page);
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password', { exact: true }).fill(confirmation);
  await button(page, 'Reset Password').click();
}

test('an artist who forgot their password gets back in, and the link works once', async ({
  page,
  artist,
  watch,
}) => {
  const address = artist.self.email;
  await ask(page, address);
  const path = await recoveryPath(address);

  const answer = await page.goto(path);
  expect(answer?.headers()['referrer-policy']).toBe('no-referrer');
  expect(answer?.headers()['cache-control']).toBe('no-store');
  await scriptsDone(page);
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await page.reload();
  await choose(page, NEW_PASSWORD);
  await page.waitForURL('/login');
  const news = page.getByRole('status').filter({ hasText: 'Success!' });
  await expect(news).toContainText('Password updated successfully.');

  await email(page).fill(address);
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
  await button(page, 'Log In').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hello, Ines' })).toBeVisible();

  await page.evaluate(() => localStorage.clear());
  watch.expectTrouble(/reset-password\/?: 400$/);
  await page.goto(path);
  await choose(page, 'a third password');
  const told = page.getByRole('alert').filter({ hasText: UNUSABLE });
  await expect(told).toHaveText([UNUSABLE, /^Error/]);
  await page.getByRole('link', { name: 'Ask for a new link' }).click();
  await page.waitForURL('/recover-password');
});

test('the answer is the same for an address without an account', async ({ page }) => {
  const address = `nobody-${crypto.randomUUID()}@example.com`;
  await ask(page, address);
  expect(await mailsTo(address)).toEqual([]);
});

test('asking needs an email, and a failure is told and keeps it', async ({ page, watch }) => {
  await page.goto('/recover-password');
  await scriptsDone(page);
  await button(page, 'Continue').click();
  await expect(page.getByText('Email is required')).toBeVisible();
  await email(page).fill('nowhere');
  await email(page).blur();
  await expect(page.getByText('Invalid email address')).toBeVisible();
  await email(page).fill('ines@example.com');
  watch.expectTrouble(/password-recovery.*: 503$/);
  const detail = 'A part of the service is down. Please try again soon.';
  await page.route(
    '**/password-recovery/**',
    (route) => route.fulfill({ status: 503, json: { detail } }),
    { times: 1 },
  );
  await button(page, 'Continue').click();
  await expect(page.getByRole('alert').filter({ hasText: 'Error' })).toContainText(detail);
  await expect(email(page)).toHaveValue('ines@example.com');
});

test('a new password is judged like the first one', async ({ page }) => {
  await page.goto('/reset-password?token=abc');
  await choose(page, '');
  await expect(page.getByText('Password is required')).toBeVisible();
  await expect(page.getByText('Password confirmation is required')).toBeVisible();
  await choose(page, '1234567', '12345678');
  await expect(page.getByText('Password must be at least 8 characters')).toBeVisible();
  await expect(page.getByText('The passwords do not match')).toBeVisible();
});

test('a link without its token says so and leads to a new one', async ({ page }) => {
  await page.goto('/reset-password');
  await expect(page.getByText('This address is not complete.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Ask for a new link' })).toHaveAttribute(
    'href',
    '/recover-password',
  );
});
