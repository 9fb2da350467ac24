import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { button, waitForHydration } from '#support/browser_booking.ts';
import { fetchPage } from '#support/html_page.ts';
import { PASSWORD, type TestArtist } from '#support/new_artist.ts';

const GUEST_PAGES = ['/signup', '/login', '/recover-password', '/reset-password?token=abc'];

const email = (page: Page) => page.getByLabel('Email', { exact: true });
const password = (page: Page) => page.getByLabel('Password', { exact: true });

async function open(page: Page, query = ''): Promise<void> {
  await page.goto(`/login${query}`);
  await waitForHydration(page);
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

test('login leads back to the page that asked for it', async ({ page, artist }) => {
  await page.goto('/studio/services?from=a%20letter');
  await page.waitForURL(/\/login\?next=/);
  await waitForHydration(page);
  await logIn(page, artist);
  await page.waitForURL('/studio/services?from=a%20letter');
  await expect(page.getByRole('heading', { name: 'Small flash' })).toBeVisible();
});

test('login leads every tab to the studio’s home and holds the token, until one tab logs out', async ({
  page,
  context,
  artist,
}) => {
  const [landing, login] = [await context.newPage(), await context.newPage()];
  await landing.goto('/');
  await open(login);
  await open(page);
  await logIn(page, artist);
  for (const tab of [page, landing, login]) {
    await expectHome(tab);
    expect(await heldToken(tab)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  }

  // Pages for guests are left before they are shown.
  await landing.goto('/signup');
  await expectHome(landing);

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
  await waitForHydration(page);
  await expect(email(page)).toHaveValue(artist.self.email);
  await button(page, 'Log In').click();
  await expectHome(page);
});

test('pages of signing up and logging in are not indexed, and never put a password into an address', async () => {
  for (const path of GUEST_PAGES)
    await test.step(path, async () => {
      const { html } = await fetchPage(path);
      expect(html.match(/<form\b[^>]*>/g)).toEqual([expect.stringContaining(' method="post"')]);
      expect(html).toMatch(/<meta name="robots" content="noindex"/);
      // Redirects an artist who is logged in before the page is painted.
      expect(html).toContain("location.replace('/')");
    });
});

test('the login leads to signing up and to a lost password', async () => {
  const { html: login } = await fetchPage('/login');
  expect(login).toMatch(/<a [^>]*href="\/signup"[^>]*>[^<]*Sign up/);
  expect(login).toMatch(/<a [^>]*href="\/recover-password"[^>]*>[^<]*Forgot/);
});
