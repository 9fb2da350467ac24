import { expect, test } from '#support/browser.ts';
import { expectAccessible } from '#support/browser_axe.ts';

test('the API docs send a call and show its response, without requests to other sites', async ({
  page,
  artist,
}) => {
  await page.goto('/api/v1/docs');
  await expect(page.getByRole('heading', { name: 'Linework API' })).toBeVisible();
  const call = page.locator('#get_users_artist_username');
  await call.locator('summary').click();
  await call.getByLabel('username').fill(artist.username);
  await call.getByRole('button', { name: 'Send' }).click();
  await expect(call.getByRole('status')).toContainText('200');
  await expect(call.getByRole('status')).toContainText(`"username": "${artist.username}"`);
  await expectAccessible(page);
});

test('the link of an operation opens its form, which sends an access token and a body', async ({
  page,
  artist,
}) => {
  await page.goto('/api/v1/docs/#patch_users_me');
  await page.getByLabel('Access token').fill(artist.token);
  const call = page.locator('#patch_users_me');
  await call.getByLabel('Body').fill('{ "full_name": "Ines Okonkwo" }');
  await call.getByRole('button', { name: 'Send' }).click();
  await expect(call.getByRole('status')).toContainText('"full_name": "Ines Okonkwo"');
});
