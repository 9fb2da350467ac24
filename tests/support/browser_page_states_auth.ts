import { expect, type Page } from '@playwright/test';
import { newSiteArtist } from './browser_api.ts';
import { button, toast, waitForHydration } from './browser_booking.ts';
import type { PageStates } from './browser_page_states.ts';
import { PASSWORD } from './new_artist.ts';

/** States of signup, login and password recovery. */
export const AUTH_PAGE_STATES: PageStates = {
  ...Object.fromEntries(
    [
      '/signup',
      '/login',
      '/recover-password',
      '/reset-password?token=abc',
      '/undo-email-change?token=abc',
    ].map((path) => [path, (page: Page) => openPath(page, path)]),
  ),
  'the first step of signing up with messages': async (page) => {
    await openPath(page, '/signup');
    await button(page, 'Next').click();
    await expect(page.getByText('Email is required')).toBeVisible();
  },
  'the second step of signing up with messages': async (page) => {
    await openStudioStep(page, 'nobody-yet');
    await button(page, 'Sign Up').click();
    await expect(page.getByText('City is required')).toBeVisible();
  },
  'the time zones': async (page) => {
    await openStudioStep(page, 'nobody-yet');
    await page.getByRole('combobox').fill('america');
    await expect(page.getByRole('option', { name: 'America/Chicago' })).toBeVisible();
  },
  'signing up with a username that is taken': async (page, watch) => {
    const { username } = await newSiteArtist();
    watch.expectError(/users\/signup: 409$/);
    await openStudioStep(page, username);
    for (const label of ['Studio name', 'Address line 1', 'City', 'State', 'Zip code'])
      await page.getByLabel(label).fill('Ink');
    await button(page, 'Sign Up').click();
    await expect(toast(page, 'This username is already taken')).toBeVisible();
  },
  'a login that was refused': async (page, watch) => {
    watch.expectError(/access-token: 400$/);
    await openPath(page, '/login');
    await page.getByLabel('Email').fill('nobody@example.com');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await button(page, 'Log In').click();
    await expect(page.getByText('Incorrect email or password')).toBeVisible();
  },
  'a recovery mail that was sent': async (page) => {
    await openPath(page, '/recover-password');
    await page.getByLabel('Email').fill('nobody@example.com');
    await button(page, 'Continue').click();
    await expect(page.getByRole('status').filter({ hasText: 'Email sent.' })).toBeVisible();
  },
  'a recovery link without its token': async (page) => {
    await page.goto('/reset-password');
    await expect(page.getByText('This link is not complete.')).toBeVisible();
  },
  'an unknown page of the studio': async (page, watch) => {
    watch.expectError(/GET \/studio\/no-such-page: 404/);
    await page.goto('/studio/no-such-page');
  },
};

async function openPath(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForHydration(page);
}

async function openStudioStep(page: Page, username: string): Promise<void> {
  await openPath(page, '/signup');
  await page.getByLabel('Full name').fill('Ines Kowal');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(`${username}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
  await button(page, 'Next').click();
  await expect(page.getByLabel('Studio name')).toBeVisible();
}
