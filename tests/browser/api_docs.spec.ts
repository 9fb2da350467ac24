import { expect, test } from '#support/browser.ts';
import { expectAccessible } from '#support/browser_axe.ts';

test('the API docs send calls with a token and a body and show the responses, without requests to other sites', {
  tag: '@all',
}, async ({ page, artist }) => {
  await page.goto('/api/v1/docs/#patch_users_me');
  await page.getByLabel('Access token').fill(artist.token);
  const change = page.locator('#patch_users_me');
  await change.getByLabel('Body').fill('{ "full_name": "Ines Okonkwo" }');
  await change.getByRole('button', { name: 'Send' }).click();
  await expect(change.getByRole('status')).toContainText('"full_name": "Ines Okonkwo"');

  const read = page.locator('#get_users_artist_username');
  await read.locator('summary').click();
  await read.getByLabel('username').fill(artist.username);
  await read.getByRole('button', { name: 'Send' }).click();
  await expect(read.getByRole('status')).toContainText('200');
  await expect(read.getByRole('status')).toContainText(`"username": "${artist.username}"`);
  await expectAccessible(page);
});
