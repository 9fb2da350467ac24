import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { button, scriptsDone, toast } from '#support/browser_booking.ts';
import { call } from '#support/browser_studio.ts';
import { PASSWORD } from '#support/new_artist.ts';

const ACCOUNT = {
  'Full name': 'Ines Kowal',
  Username: '',
  Email: '',
  Password: PASSWORD,
  'Confirm password': PASSWORD,
};
const STUDIO = {
  'Studio name': 'Ink & Ivory',
  'Address line 1': '12 Example Street',
  City: 'New York',
  State: 'NY',
  'Zip code': '10002',
};

const input = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const zone = (page: Page) => page.getByRole('combobox', { name: 'Time zone' });

/** Nobody's yet. */
function newName(): string {
  return `ink-${crypto.randomUUID().slice(0, 13)}`;
}

async function open(page: Page): Promise<void> {
  await page.goto('/signup');
  await scriptsDone(page);
}

async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await input(page, label).fill(value);
}

async function fillAccount(page: Page, username: string): Promise<void> {
  await fill(page, { ...ACCOUNT, Username: username, Email: `${username}@example.com` });
}

/** On the second step, with the first filled in. */
async function openStudioStep(page: Page, username = newName()): Promise<string> {
  await open(page);
  await fillAccount(page, username);
  await button(page, 'Next').click();
  await expect(page.getByRole('heading', { name: 'Your studio' })).toBeFocused();
  return username;
}

test('an artist signs up in two steps and is told so at the login', async ({ page }) => {
  const username = await openStudioStep(page);
  await expect(zone(page)).toHaveValue('America/New York');
  await fill(page, STUDIO);
  await button(page, 'Sign Up').click();
  await page.waitForURL('/login');
  const news = page.getByRole('status').filter({ hasText: 'Account created.' });
  await expect(news).toContainText('Your account has been created successfully.');
  await expect(input(page, 'Email')).toHaveValue(`${username}@example.com`);

  await input(page, 'Password').fill(PASSWORD);
  await button(page, 'Log In').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hello, Ines' })).toBeVisible();
  const { body } = await call(`GET /users/artist/${username}`);
  expect(body).toMatchObject({
    full_name: 'Ines Kowal',
    scheduling_type: null,
    studio: { name: 'Ink & Ivory', address_two: null, time_zone: 'America/New_York' },
  });
});

test('Back keeps everything that was typed, and so does the way back of the browser', async ({
  page,
}) => {
  const username = await openStudioStep(page);
  await fill(page, STUDIO);
  for (const back of [() => button(page, 'Back').click(), () => page.goBack()]) {
    await back();
    await expect(page.getByRole('heading', { name: 'Your account' })).toBeFocused();
    await expect(input(page, 'Username')).toHaveValue(username);
    await expect(input(page, 'Password')).toHaveValue(PASSWORD);
    await button(page, 'Next').click();
    for (const [label, value] of Object.entries(STUDIO))
      await expect(input(page, label)).toHaveValue(value);
    await expect(zone(page)).toHaveValue('America/New York');
  }
});

test('a username that is taken is told, and marked on its step', async ({
  page,
  artist,
  watch,
}) => {
  await openStudioStep(page, artist.username);
  await fill(page, STUDIO);
  watch.expectTrouble(/users\/signup: 409$/);
  await button(page, 'Sign Up').click();
  await expect(toast(page, 'This username is already taken')).toBeVisible();
  await expect(input(page, 'Username')).toHaveAttribute('aria-invalid', 'true');
  const username = newName();
  await fillAccount(page, username);
  await button(page, 'Next').click();
  await button(page, 'Sign Up').click();
  await page.waitForURL('/login');
});

test('the time zone is found by typing, whatever the capitals and spaces', async ({ page }) => {
  await openStudioStep(page);
  await zone(page).click();
  await expect(page.getByRole('option')).not.toHaveCount(1);
  await zone(page).fill('los ANGELES');
  await expect(page.getByRole('option')).toHaveText(['America/Los Angeles']);
  await page.keyboard.press('Enter');
  await expect(zone(page)).toHaveValue('America/Los Angeles');
  await zone(page).fill('berlin');
  await page.getByRole('option', { name: 'Europe/Berlin' }).click();
  await expect(zone(page)).toHaveValue('Europe/Berlin');
  await zone(page).fill('America/New_York');
  await expect(page.getByRole('option')).toHaveCount(0);
  await zone(page).fill('europe/berlin');
  await zone(page).fill('gotham');
  await expect(page.getByText('No time zone is called that.')).toBeVisible();
  await zone(page).blur();
  await expect(zone(page)).toHaveValue('Europe/Berlin');
  await zone(page).fill('gotham');
  await page.keyboard.press('Escape');
  await input(page, 'City').focus();
  await expect(zone(page)).toHaveValue('Europe/Berlin');
  // What is left half typed is what stood first.
  await zone(page).fill('tokyo');
  await input(page, 'City').focus();
  await expect(zone(page)).toHaveValue('Asia/Tokyo');
});
