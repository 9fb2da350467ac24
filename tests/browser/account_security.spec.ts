import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { callSite } from '#support/browser_api.ts';
import { button, waitForHydration } from '#support/browser_booking.ts';
import { successToast } from '#support/browser_clients.ts';
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

test('a new email holds once its link is used; the old one undoes it and chooses a new password', async ({
  page,
  artist,
}) => {
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

test('logging out ends the token; a login elsewhere is listed and can be ended', async ({
  page,
  browser,
  artist,
}) => {
  await openProfile(page, artist);
  const other = await (await browser.newContext({ timezoneId: 'Asia/Tokyo' })).newPage();
  await other.goto('/login');
  await waitForHydration(other);
  await other.getByLabel('Email').fill(artist.self.email);
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(other, 'Log In').click();
  await expect(other).toHaveURL(/\/$/);
  await page.reload();
  const logins = page.getByRole('region', { name: 'Logins' });
  await expect(logins.getByText(/^Tokyo · Last used/)).toBeVisible();
  await logins.getByRole('button', { name: /^Log out… Chrome/ }).click();
  await button(page, 'Log it out').click();
  await expect(successToast(page, 'Logged out.')).toBeVisible();
  await expect(logins.getByText(/^Tokyo · Last used/)).toBeHidden();
  await other.goto('/studio/profile');
  await expect(other).toHaveURL(/\/login/);
  await other.context().close();

  const token = await page.evaluate(() => localStorage.getItem('access_token'));
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect
    .poll(async () => (await callSite('GET /users/me', { token: token ?? '' })).status)
    .toBe(401);
});

test('a common password is refused beside its field when an artist signs up', async ({
  page,
  watch,
}) => {
  watch.expectError(/users\/signup: 422$/);
  await page.goto('/signup');
  await waitForHydration(page);
  const username = `common-${crypto.randomUUID().slice(0, 8)}`;
  await page.getByLabel('Full name').fill('Ines Kowal');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(`${username}@example.com`);
  for (const label of ['Password', 'Confirm password'])
    await page.getByLabel(label, { exact: true }).fill('iloveyou1');
  await button(page, 'Next').click();
  for (const label of ['Studio name', 'Address line 1', 'City', 'State', 'Zip code'])
    await page.getByLabel(label).fill('Ink');
  await button(page, 'Sign Up').click();
  await expect(page.locator('form').getByText('This password is too common')).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
});
