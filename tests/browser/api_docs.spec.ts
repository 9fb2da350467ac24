import { expect, test } from '#support/browser.ts';

test('the API can be browsed and tried, all of it from our own server', async ({
  page,
  artist,
  watch,
}) => {
  // Swagger UI writes style attributes; nothing else of the page's policy is loose.
  watch.expectTrouble(/^policy of \/api\/v1\/docs\/?: style-src is 'self' 'unsafe-inline'$/);
  await page.goto('/api/v1/docs');
  await expect(page.getByRole('heading', { name: /Linework API/ })).toBeVisible();
  const operation = page.locator('#operations-users-get_users_artist_username');
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByPlaceholder('username').fill(artist.username);
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table');
  await expect(answer).toContainText('200');
  await expect(answer).toContainText(`"username": "${artist.username}"`);

  await page.goto('/api/v1/docs/');
  await expect(operation).toBeVisible();
});
