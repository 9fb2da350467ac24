import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import {
  BLANK,
  button,
  expectMessage,
  expectTyped,
  field,
  fillIn,
  openForm,
  pickDay,
  pickSlot,
  saveAndGo,
  scriptsDone,
  selectedTime,
  slotButton,
  toast,
} from '#support/browser_booking.ts';
import {
  appointmentsOf,
  call,
  type Day,
  FILLED_FORM,
  openDays,
  type Slot,
} from '#support/browser_studio.ts';
import { expectOk } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';

async function fillForm(page: Page, artist: TestArtist) {
  const [day, nextDay] = await openDays(artist);
  const [slot, other] = day?.windows ?? [];
  if (!day || !nextDay || !slot || !other) throw new Error('No open days');
  await openForm(page, artist);
  await pickSlot(page, day, slot);
  await fillIn(page, FILLED_FORM);
  return { day, nextDay, slot, other } satisfies Record<string, Day | Slot>;
}

test('what was typed stays when another time and another day are picked', async ({
  page,
  artist,
}) => {
  const { nextDay, other } = await fillForm(page, artist);
  await slotButton(page, other).click();
  await expect(page.getByText(selectedTime(other))).toBeVisible();
  await expectTyped(page, FILLED_FORM);

  await pickDay(page, nextDay.date);
  // Picking a date clears the time.
  await expect(page.getByText('Selected Time')).toHaveCount(0);
  await expectTyped(page, FILLED_FORM);
});

test('a reload keeps what was typed and the time that was picked', async ({ page, artist }) => {
  const { slot } = await fillForm(page, artist);
  await page.reload();
  await scriptsDone(page);
  await expectTyped(page, FILLED_FORM);
  await expect(page.getByText(selectedTime(slot))).toBeVisible();
  const id = await saveAndGo(page, artist.username);
  expect(await appointmentsOf(artist.token)).toMatchObject([{ id, ...slot }]);
});

test('choosing another service keeps what was typed', async ({ page, artist }) => {
  await fillForm(page, artist);
  await page.getByRole('link', { name: 'Change appointment' }).click();
  await page.getByRole('link', { name: 'Select Small flash' }).click();
  await expectTyped(page, FILLED_FORM);
  await expect(page.getByText('Selected Time')).toHaveCount(0);
});

test('a refusal of the server is told, and what was typed stays', async ({
  page,
  artist,
  watch,
}) => {
  const { slot } = await fillForm(page, artist);
  // The artist makes the service longer while the form is open: the end no longer fits.
  await expectOk(
    call(`PATCH /services/${artist.service.id}`, { token: artist.token, json: { duration: 90 } }),
  );
  watch.expectTrouble(/request\/service.*: 422$/);
  await button(page, 'Save').click();
  await expect(toast(page, 'Does not belong to the service')).toBeVisible();
  await expectTyped(page, FILLED_FORM);
  await expect(page.getByText(selectedTime(slot))).toBeVisible();
  await expect(button(page, 'Save')).toBeEnabled();
});

test('what only the server finds wrong is told beside its field, and what was typed stays', async ({
  page,
  artist,
  watch,
}) => {
  await fillForm(page, artist);
  watch.expectTrouble(/request\/service.*: 422$/);
  await page.route(
    '**/api/v1/appointments/request/**',
    (route) => {
      const sent = { ...route.request().postDataJSON(), email: 'rosa@', phone_number: '12' };
      return route.continue({ postData: JSON.stringify(sent) });
    },
    { times: 1 },
  );
  await button(page, 'Save').click();
  await expectMessage(page, 'email', 'Invalid email address');
  await expectMessage(page, 'phone_number', 'Invalid phone number');
  await expect(field(page, 'phone_number')).toBeFocused();
  await expectTyped(page, FILLED_FORM);
  await saveAndGo(page, artist.username);
});

test('a server that is down is told in its own words, and what was typed stays', async ({
  page,
  artist,
  watch,
}) => {
  await fillForm(page, artist);
  watch.expectTrouble(/request\/service.*: 503$/);
  const detail = 'A part of the service is down. Please try again soon.';
  await page.route(
    '**/api/v1/appointments/request/**',
    (route) => route.fulfill({ status: 503, json: { detail } }),
    { times: 1 },
  );
  await button(page, 'Save').click();
  await expect(toast(page, detail)).toBeVisible();
  await expectTyped(page, FILLED_FORM);
  await button(page, 'Close: Something went wrong.').click();
  await expect(toast(page, detail)).toHaveCount(0);
  await saveAndGo(page, artist.username);
});

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

test('Cancel blanks the form, lets go of the time and forgets both', async ({ page, artist }) => {
  await fillForm(page, artist);
  await button(page, 'Cancel').click();
  await expectTyped(page, BLANK);
  await expect(page.getByText('Selected Time')).toHaveCount(0);
  await expect(button(page, 'Save')).toBeDisabled();
  await page.reload();
  await scriptsDone(page);
  await expectTyped(page, BLANK);
});

test('one artist’s draft does not show up at another', async ({ page, artist, managedArtist }) => {
  await fillForm(page, artist);
  await page.goto(`/${managedArtist.username}/scheduling`);
  await scriptsDone(page);
  await expectTyped(page, BLANK);
});

test('after a booking the form is blank again', async ({ page, artist }) => {
  await fillForm(page, artist);
  await saveAndGo(page, artist.username);
  await page.goBack();
  await scriptsDone(page);
  await expectTyped(page, BLANK);
  await expect(page.getByText('Selected Time')).toHaveCount(0);
  await expect(button(page, 'Save')).toBeDisabled();
});
