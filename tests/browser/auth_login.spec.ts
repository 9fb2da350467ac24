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

function storedToken(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem('access_token'));
}

test('login redirects back to the page that required it', async ({ page, artist }) => {
  await page.goto('/studio/services?from=a%20letter');
  await page.waitForURL(/\/login\?next=/);
  await waitForHydration(page);
  await logIn(page, artist);
  await page.waitForURL('/studio/services?from=a%20letter');
  await expect(page.getByRole('heading', { name: 'Small flash' })).toBeVisible();
});

test('logging in and out in one tab applies to every open tab', { tag: '@all' }, async ({
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

test('forms of auth pages use POST, so that no password is in a URL; the login links to the others', {
  tag: '@all',
}, async () => {
  for (const path of GUEST_PAGES) {
    const { html } = await fetchPage(path);
    expect(html.match(/<form\b[^>]*>/g), path).toEqual([expect.stringContaining(' method="post"')]);
    // An inline script redirects an artist who is logged in before the first paint.
    expect(html).toContain("location.replace('/')");
  }
  const { html: login } = await fetchPage('/login');
  expect(login).toMatch(/<a [^>]*href="\/signup"[^>]*>[^<]*Sign up/);
  expect(login).toMatch(/<a [^>]*href="\/recover-password"[^>]*>[^<]*Forgot/);
});
