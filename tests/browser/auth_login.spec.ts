import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { button, scriptsDone } from '#support/browser_booking.ts';
import { logInAs, startAnew } from '#support/browser_login.ts';
import { PASSWORD, type TestArtist } from '#support/new_artist.ts';

const AUTH_PAGES = ['/signup', '/login', '/recover-password', '/reset-password?token=abc'];

const email = (page: Page) => page.getByLabel('Email', { exact: true });
const password = (page: Page) => page.getByLabel('Password', { exact: true });

async function open(page: Page, query = ''): Promise<void> {
  await page.goto(`/login${query}`);
  await scriptsDone(page);
}

async function logIn(page: Page, { self }: TestArtist): Promise<void> {
  await email(page).fill(self.email);
  await password(page).fill(PASSWORD);
  await button(page, 'Log In').click();
}

async function expectHome(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Hello, Ines' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/');
}

function heldToken(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem('access_token'));
}

test('login leads to the studio’s home and holds the token', async ({ page, artist }) => {
  await open(page);
  await logIn(page, artist);
  await expectHome(page);
  expect(await heldToken(page)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
});

test('the links lead to signing up and to a lost password', async ({ page }) => {
  await open(page);
  await expect(page.getByRole('link', { name: /Sign up/ })).toHaveAttribute('href', '/signup');
  await expect(page.getByRole('link', { name: /Forgot/ })).toHaveAttribute(
    'href',
    '/recover-password',
  );
});

test('login leads back to the page that asked for it', async ({ page, artist }) => {
  await page.goto('/studio/services?from=a%20letter');
  await page.waitForURL(/\/login\?next=/);
  await scriptsDone(page);
  await logIn(page, artist);
  await page.waitForURL('/studio/services?from=a%20letter');
  await expect(page.getByRole('heading', { name: 'Small flash' })).toBeVisible();
});

test('login does not lead to another site', async ({ page, artist }) => {
  for (const next of [
    'https://elsewhere.example/',
    '//elsewhere.example/',
    '/\\elsewhere.example/',
    '/\t/elsewhere.example/',
    'javascript:alert(1)',
    'studio/services',
  ])
    await test.step(next, async () => {
      await startAnew(page);
      await open(page, `?next=${encodeURIComponent(next)}`);
      await logIn(page, artist);
      await expectHome(page);
    });
});

test('pages of signing up and logging in lead an artist who is logged in to their home', async ({
  page,
  artist,
}) => {
  await logInAs(page, artist);
  for (const path of AUTH_PAGES)
    await test.step(path, async () => {
      await page.goto(path);
      await expectHome(page);
    });
});

test('logging in on one tab is seen by the others, and so is logging out', async ({
  page,
  context,
  artist,
}) => {
  const [landing, login] = [await context.newPage(), await context.newPage()];
  await landing.goto('/');
  await open(login);
  await open(page);
  await logIn(page, artist);
  for (const tab of [page, landing, login]) await expectHome(tab);

  await button(page, 'More').click();
  await page.getByLabel('More of the studio').getByRole('button', { name: 'Log out' }).click();
  for (const tab of [page, landing, login]) {
    await tab.waitForURL(/\/login/);
    expect(await heldToken(tab)).toBeNull();
  }
});

test('what was typed before the scripts arrived stays, and is not sent without them', async ({
  page,
  artist,
}) => {
  const scripts = Promise.withResolvers<void>();
  await page.route('**/_astro/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto('/login', { waitUntil: 'commit' });
  await email(page).fill(artist.self.email);
  await password(page).fill(PASSWORD);
  await password(page).press('Enter');
  await expect(button(page, 'Log In')).toBeDisabled();
  expect(new URL(page.url()).search).toBe('');
  scripts.resolve();
  await scriptsDone(page);
  await expect(email(page)).toHaveValue(artist.self.email);
  await button(page, 'Log In').click();
  await expectHome(page);
});

test('forms of signing up and logging in never put a password into an address', async ({
  page,
}) => {
  for (const path of AUTH_PAGES)
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.locator('form')).toHaveAttribute('method', 'post');
      await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
    });
});
