import { expect, test } from '#support/browser.ts';
import { FILLED_FORM, findOpenDay } from '#support/browser_api.ts';
import { button, openFilledForm, saveAndOpenConfirmation } from '#support/browser_booking.ts';

const PAPER = { light: 'rgb(250, 247, 241)', dark: 'rgb(20, 18, 17)' };
const BOARD_INK = 'rgb(244, 239, 230)';

test('a service is booked, and colours are right, in a browser without Map.groupBy, AbortSignal.any and light-dark() @all', async ({
  page,
  artist,
}) => {
  await using _ = await page.addInitScript(() => {
    for (const owner of [Map, Object]) Reflect.deleteProperty(owner, 'groupBy');
    Reflect.deleteProperty(AbortSignal, 'any');
  });
  await page.route('**/*.css', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll('light-dark(', 'no(');
    await route.fulfill({ response, body });
  });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`/${artist.username}/`);
    await expect(page.locator('body')).toHaveCSS('background-color', PAPER[colorScheme]);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', BOARD_INK);
  }
  const { day, slot } = await findOpenDay(artist);
  await openFilledForm(page, artist, { day, slot, values: FILLED_FORM });
  await saveAndOpenConfirmation(page, artist.username);
  await button(page, 'Confirm Appointment').click();
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
});
