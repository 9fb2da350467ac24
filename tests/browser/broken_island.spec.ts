import { expect, test } from '#support/browser.ts';
import { button } from '#support/browser_booking.ts';

test('an island that cannot be rendered says so and offers to try again', async ({
  page,
  artist,
  watch,
}) => {
  watch.expectError(/^console error: TypeError/);
  // The island misses a property.
  await page.route(`**/${artist.username}/scheduling`, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({
      response,
      body: html.replace('&quot;artist&quot;', '&quot;nobody&quot;'),
    });
  });
  await page.goto(`/${artist.username}/scheduling`);
  await expect(page.getByText('Something went wrong.')).toBeVisible();
  await expect(button(page, 'Try again')).toBeVisible();
});
