import { expect, type Page } from '@playwright/test';
import { button, scriptsDone, toast } from './browser_booking.ts';
import type { Place } from './browser_places.ts';
import { newArtist } from './browser_studio.ts';
import { PASSWORD } from './new_artist.ts';

/** Signing up, logging in and getting back in. */
export const AUTH_PLACES: readonly Place[] = [
  ...['/signup', '/login', '/recover-password', '/reset-password?token=abc'].map(
    (path): Place => ({
      name: path,
      async open(page) {
        await page.goto(path);
        await scriptsDone(page);
      },
    }),
  ),
  {
    name: 'the first step of signing up with messages',
    async open(page) {
      await page.goto('/signup');
      await scriptsDone(page);
      await button(page, 'Next').click();
      await expect(page.getByText('Email is required')).toBeVisible();
    },
  },
  {
    name: 'the second step of signing up with messages',
    async open(page) {
      await openStudioStep(page, 'nobody-yet');
      await button(page, 'Sign Up').click();
      await expect(page.getByText('City is required')).toBeVisible();
    },
  },
  {
    name: 'the time zones',
    async open(page) {
      await openStudioStep(page, 'nobody-yet');
      await page.getByRole('combobox').fill('america');
      await expect(page.getByRole('option', { name: 'America/Chicago' })).toBeVisible();
    },
  },
  {
    name: 'signing up with a username that is taken',
    async open(page, watch) {
      const { username } = await newArtist();
      watch.expectTrouble(/users\/signup: 409$/);
      await openStudioStep(page, username);
      for (const label of ['Studio name', 'Address line 1', 'City', 'State', 'Zip code'])
        await page.getByLabel(label).fill('Ink');
      await button(page, 'Sign Up').click();
      await expect(toast(page, 'This username is already taken')).toBeVisible();
    },
  },
  {
    name: 'a login that was refused',
    async open(page, watch) {
      watch.expectTrouble(/access-token: 400$/);
      await page.goto('/login');
      await scriptsDone(page);
      await page.getByLabel('Email').fill('nobody@example.com');
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await button(page, 'Log In').click();
      await expect(page.getByText('Incorrect email or password')).toBeVisible();
    },
  },
  {
    name: 'a recovery mail that was sent',
    async open(page) {
      await page.goto('/recover-password');
      await scriptsDone(page);
      await page.getByLabel('Email').fill('nobody@example.com');
      await button(page, 'Continue').click();
      await expect(page.getByRole('status').filter({ hasText: 'Email sent.' })).toBeVisible();
    },
  },
  {
    name: 'a recovery link without its token',
    async open(page) {
      await page.goto('/reset-password');
      await expect(page.getByText('This address is not complete.')).toBeVisible();
    },
  },
  {
    name: 'an unknown page of the studio',
    async open(page, watch) {
      watch.expectTrouble(/GET \/studio\/no-such-page: 404/);
      await page.goto('/studio/no-such-page');
    },
  },
];

async function openStudioStep(page: Page, username: string): Promise<void> {
  await page.goto('/signup');
  await scriptsDone(page);
  await page.getByLabel('Full name').fill('Ines Kowal');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(`${username}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
  await button(page, 'Next').click();
  await expect(page.getByLabel('Studio name')).toBeVisible();
}
