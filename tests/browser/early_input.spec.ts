import { expect, test } from '#support/browser.ts';
import { FILLED_FORM, listAppointments } from '#support/browser_api.ts';
import {
  expectFieldValues,
  fillFields,
  saveAndOpenConfirmation,
  waitForHydration,
} from '#support/browser_booking.ts';

test('input typed before hydration stays and is sent', async ({ page, managedArtist }) => {
  const scripts = Promise.withResolvers<void>();
  await page.route('**/_astro/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto(`/${managedArtist.username}/scheduling`, { waitUntil: 'commit' });
  await fillFields(page, FILLED_FORM);
  scripts.resolve();
  await waitForHydration(page);
  await expectFieldValues(page, FILLED_FORM);
  await saveAndOpenConfirmation(page, managedArtist.username);
  expect(await listAppointments(managedArtist.token)).toMatchObject([
    { customer_notes: FILLED_FORM.customer_notes, client: { first_name: 'Rosa' } },
  ]);
});
