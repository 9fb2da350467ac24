import { expect, test } from '#support/browser.ts';
import { FILLED_FORM, findOpenDay, listAppointments } from '#support/browser_api.ts';
import {
  button,
  expectFieldValues,
  openFilledForm,
  saveAndOpenConfirmation,
  selectedTimeText,
  toast,
  waitForHydration,
} from '#support/browser_booking.ts';

const LOST = 'The connection was lost, so we cannot tell whether this was sent.';

test('a lost connection, a lost response and a reload keep the form input, and retries book once', async ({
  page,
  context,
  artist,
  watch,
}) => {
  const { day, third: slot } = await findOpenDay(artist);
  await openFilledForm(page, artist, { day, slot, values: FILLED_FORM });

  await test.step('while offline the details and the slot stay', async () => {
    watch.expectError(/request\/service.*: net::ERR_INTERNET_DISCONNECTED/);
    await context.setOffline(true);
    await button(page, 'Save').click();
    await expect(toast(page, LOST)).toBeVisible();
    await context.setOffline(false);
    await expectFieldValues(page, FILLED_FORM);
    await expect(page.getByText(selectedTimeText(slot))).toBeVisible();
    expect(await listAppointments(artist.token)).toEqual([]);
    await button(page, 'Close: Something went wrong.').click();
    await expect(toast(page, LOST)).toHaveCount(0);
  });

  await test.step('the server books, and its response is lost', async () => {
    watch.expectError(/request\/service.*: net::ERR_CONNECTION_RESET/);
    await page.route(
      '**/api/v1/appointments/request/**',
      async (route) => {
        expect((await route.fetch()).status()).toBe(201);
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await button(page, 'Save').click();
    await expect(toast(page, LOST)).toBeVisible();
  });
  const [first] = await listAppointments(artist.token);

  await test.step('a reload keeps the details and the slot', async () => {
    await page.reload();
    await waitForHydration(page);
    await expectFieldValues(page, FILLED_FORM);
    await expect(page.getByText(selectedTimeText(slot))).toBeVisible();
  });

  await test.step('a retry opens the first booking', async () => {
    const id = await saveAndOpenConfirmation(page, artist.username);
    expect(id).toBe(first?.id);
    expect(await listAppointments(artist.token)).toMatchObject([{ id, ...slot, status: 'held' }]);
  });
});
