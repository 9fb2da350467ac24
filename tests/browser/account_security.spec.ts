import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { button, waitForHydration } from '#support/browser_booking.ts';
import { findLinkPath, waitForMail } from '#support/browser_inbox.ts';
import { logInAs } from '#support/browser_login.ts';
import { PASSWORD, type TestArtist } from '#support/new_artist.ts';

test.use({ viewport: { width: 390, height: 844 } });

async function openProfile(page: Page, artist: TestArtist): Promise<void> {
  await logInAs(page, artist);
  await page.goto('/studio/profile');
  await expect(page.getByLabel('Full name')).toBeVisible();
}

/** Opens the link of the newest mail with this subject. */
async function openMailedLink(page: Page, address: string, subject: RegExp, path: RegExp) {
  await page.goto(findLinkPath(await waitForMail(address, subject), path));
  await waitForHydration(page);
}

test('a new email holds once its link is used; the old one undoes it and chooses a new password', {
  tag: '@all',
}, async ({ page, artist }) => {
  const newEmail = `new-${artist.self.email}`;
  await openProfile(page, artist);
  await page.getByLabel('New email').fill(newEmail);
  await page.getByLabel('Account password', { exact: true }).fill(PASSWORD);
  await button(page, 'Change email').click();
  await expect(page.getByText(`We mailed a link to ${newEmail}.`)).toBeVisible();

  await openMailedLink(page, newEmail, /confirm your email/, /^\/prove-email$/);
  await button(page, 'Confirm This Email').click();
  await expect(page.getByText('Thank you, your email is confirmed.')).toBeVisible();
  await page.goto('/studio/profile#email');
  await expect(page.getByText(`You log in with ${newEmail}`)).toBeVisible();

  await openMailedLink(page, artist.self.email, /your email was changed/, /^\/undo-email-change$/);
  await button(page, 'Undo the Change').click();
  await expect(page).toHaveURL(/\/reset-password$/);
  await waitForHydration(page);
  await page.getByLabel('New password', { exact: true }).fill('battery staple');
  await page.getByLabel('Confirm password', { exact: true }).fill('battery staple');
  await button(page, 'Reset Password').click();
  await expect(page).toHaveURL(/\/login$/);
  await waitForHydration(page);
  await page.getByLabel('Email').fill(artist.self.email);
  await page.getByLabel('Password', { exact: true }).fill('battery staple');
  await button(page, 'Log In').click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto('/studio/profile#email');
  await expect(page.getByText(`You log in with ${artist.self.email}`)).toBeVisible();
});
