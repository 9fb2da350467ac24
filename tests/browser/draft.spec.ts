import { expect, test } from '#support/browser.ts';
import { expectTyped, fillIn, saveAndGo, scriptsDone } from '#support/browser_booking.ts';
import { appointmentsOf, FILLED_FORM } from '#support/browser_studio.ts';

test('what was typed before the scripts arrived stays', async ({ page, managedArtist }) => {
  const scripts = Promise.withResolvers<void>();
  await page.route('**/_astro/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto(`/${managedArtist.username}/scheduling`, { waitUntil: 'commit' });
  await fillIn(page, FILLED_FORM);
  scripts.resolve();
  await scriptsDone(page);
  await expectTyped(page, FILLED_FORM);
  await saveAndGo(page, managedArtist.username);
  expect(await appointmentsOf(managedArtist.token)).toMatchObject([
    { customer_notes: FILLED_FORM.customer_notes, client: { first_name: 'Rosa' } },
  ]);
});
