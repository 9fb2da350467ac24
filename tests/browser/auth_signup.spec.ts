import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { callSite } from '#support/browser_api.ts';
import { button, waitForHydration } from '#support/browser_booking.ts';
import { PASSWORD } from '#support/new_artist.ts';

const ACCOUNT = {
  'Full name': 'Ines Kowal',
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

async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await input(page, label).fill(value);
}

/** Fills in the first step, opens the second, and returns the new username. */
async function openStudioStep(page: Page): Promise<string> {
  const username = `ink-${crypto.randomUUID().slice(0, 13)}`;
  await page.goto('/signup');
  await waitForHydration(page);
  await fill(page, { ...ACCOUNT, Username: username, Email: `${username}@example.com` });
  await button(page, 'Next').click();
  await expect(page.getByRole('heading', { name: 'Your studio' })).toBeFocused();
  return username;
}

test('an artist signs up in two steps, which keep their input, and the login page confirms it', async ({
  page,
}) => {
  const username = await openStudioStep(page);
  await expect(zone(page)).toHaveValue('America/New_York');
  await fill(page, STUDIO);
  await test.step('the Back button and browser Back keep all input', async () => {
    for (const goBack of [() => button(page, 'Back').click(), () => page.goBack()]) {
      await goBack();
      await expect(page.getByRole('heading', { name: 'Your account' })).toBeFocused();
      await expect(input(page, 'Username')).toHaveValue(username);
      await expect(input(page, 'Password')).toHaveValue(PASSWORD);
      await button(page, 'Next').click();
      for (const [label, value] of Object.entries(STUDIO))
        await expect(input(page, label)).toHaveValue(value);
      await expect(zone(page)).toHaveValue('America/New_York');
    }
  });
  await button(page, 'Sign Up').click();
  await page.waitForURL('/login');
  const toast = page.getByRole('status').filter({ hasText: 'Account created.' });
  await expect(toast).toContainText('Your account has been created successfully.');
  await expect(input(page, 'Email')).toHaveValue(`${username}@example.com`);

  await input(page, 'Password').fill(PASSWORD);
  await button(page, 'Log In').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hello, Ines' })).toBeVisible();
  const { body } = await callSite(`GET /users/artist/${username}`);
  expect(body).toMatchObject({
    full_name: 'Ines Kowal',
    scheduling_type: null,
    studio: { name: 'Ink & Ivory', address_two: null, time_zone: 'America/New_York' },
  });
});
