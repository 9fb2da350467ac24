import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { FILLED_FORM, findOpenDay } from '#support/browser_api.ts';
import {
  button,
  fillFields,
  pickSlot,
  waitForConfirmation,
  waitForHydration,
} from '#support/browser_booking.ts';
import { PASSWORD } from '#support/new_artist.ts';

async function open(page: Page): Promise<void> {
  await page.goto('/login');
  await waitForHydration(page);
}

async function expectHome(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Hello, Ines' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/');
}

function storedToken(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem('access_token'));
}

test('logging in and out in one tab applies to every open tab', { tag: '@all' }, async ({
  page,
  context,
  artist,
}) => {
  const [landing, login] = [await context.newPage(), await context.newPage()];
  await landing.goto('/');
  await open(login);
  await open(page);
  await page.getByLabel('Email', { exact: true }).fill(artist.self.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Log In').click();
  for (const tab of [page, landing, login]) {
    await expectHome(tab);
    expect(await storedToken(tab)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  }

  // A page for guests redirects an artist who is logged in.
  await landing.goto('/signup');
  await expectHome(landing);

  await button(page, 'More').click();
  await page.getByLabel('More of the studio').getByRole('button', { name: 'Log out' }).click();
  for (const tab of [page, landing, login]) {
    await tab.waitForURL(/\/login/);
    expect(await storedToken(tab)).toBeNull();
  }
});

test('where storage is off, clients book, and a login says why it cannot last', {
  tag: '@all',
}, async ({ page, artist }) => {
  await page.addInitScript(() => {
    // As in Firefox with `dom.storage.enabled` off.
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { value: null });
  });
  const { day, slot } = await findOpenDay(artist);
  await page.goto(`/${artist.username}/scheduling`);
  await waitForHydration(page);
  await page.getByRole('link', { name: 'Select Small flash' }).click();
  await pickSlot(page, day, slot);
  await fillFields(page, FILLED_FORM);
  await button(page, 'Save').click();
  await waitForConfirmation(page, artist.username);

  await open(page);
  await page.getByLabel('Email', { exact: true }).fill(artist.self.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Log In').click();
  await expect(page.getByRole('alert').getByText(/Allow its cookies and site data/)).toBeVisible();
  await page.close();
});
