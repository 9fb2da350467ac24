// What a client sees when something changes, or they do, while the booking form is open.
import type { Page } from '@playwright/test';
import type { Service } from '#contract/service.ts';
import { expect, test } from '#support/browser.ts';
import { callSite, FILLED_FORM, findOpenDay, listAppointments } from '#support/browser_api.ts';
import { addDesigns } from '#support/browser_artwork.ts';
import {
  button,
  expectClearOfToasts,
  expectFieldValues,
  fillFields,
  openBookingForm,
  pickSlot,
  saveAndOpenConfirmation,
  selectedTimeText,
  toast,
  waitForHydration,
} from '#support/browser_booking.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';

test.use({ viewport: { width: 390, height: 844 } });

/** Picks the first time of the open form, and fills in all fields. */
async function fillForm(page: Page, artist: TestArtist) {
  const { day, slot } = await findOpenDay(artist);
  await pickSlot(page, day, slot);
  await fillFields(page, FILLED_FORM);
  return slot;
}

test('a service that changed while the form was open is shown as it is now, and the client goes on', async ({
  page,
  artist,
  watch,
}) => {
  await openBookingForm(page, artist);
  await fillForm(page, artist);
  const path = `/services/${artist.service.id}`;
  await expectOk(callSite(`PATCH ${path}`, { token: artist.token, json: { duration: 90 } }));
  watch.expectError(/^POST \/api\/v1\/appointments\/request\/service.*: 422$/);
  await button(page, 'Save').click();

  const message = toast(page, 'This service has changed. Please choose again.');
  await expect(message).toBeVisible();
  const words = page.getByText(`“${artist.service.name}” takes 90 minutes now.`);
  await expect(words).toBeFocused();
  await expectClearOfToasts(page, words);
  await expect(page.getByText('90 minute appt.')).toBeVisible();
  await expect(page.getByText('Selected Time')).toHaveCount(0);
  await expectFieldValues(page, FILLED_FORM);

  const { day, slot } = await findOpenDay(artist);
  await pickSlot(page, day, slot);
  await expect(message).toHaveCount(0);
  const id = await saveAndOpenConfirmation(page, artist.username);
  expect(await listAppointments(artist.token)).toMatchObject([{ id, ...slot, status: 'held' }]);
});

test('a service that is gone while the form was open leads to the others, and the client goes on', async ({
  page,
  artist,
  watch,
}) => {
  const { token, username } = artist;
  const json = { name: 'Half-day session', duration: 60 };
  const other = await expectOk(callSite<Service>('POST /services', { token, json }));
  await openBookingForm(page, artist);
  await fillForm(page, artist);
  await expectOk(callSite(`DELETE /services/${artist.service.id}`, { token }));
  watch.expectError(/^POST \/api\/v1\/appointments\/request\/service.*: 409$/);
  await button(page, 'Save').click();

  const message = toast(page, 'This service is no longer available. Please choose again.');
  await expect(message).toBeVisible();
  const words = page.getByText(
    `You had chosen “${artist.service.name}”. Everything you typed is still here.`,
  );
  await expect(words).toBeFocused();
  await expectClearOfToasts(page, words);
  await expect(page.getByRole('link', { name: /^Select / })).toHaveText([`Select ${other.name}`]);
  await page.getByRole('link', { name: `Select ${other.name}` }).click();
  await expect(message).toHaveCount(0);
  await expectFieldValues(page, FILLED_FORM);

  const { day, slot } = await findOpenDay({ ...artist, service: other });
  await pickSlot(page, day, slot);
  const id = await saveAndOpenConfirmation(page, username);
  expect(await listAppointments(token)).toMatchObject([{ id, ...slot, service: { id: other.id } }]);
});

test('a design that is claimed while the form was open can be left out, and the time stays', async ({
  page,
  artist,
  watch,
}) => {
  const { token, username, service } = artist;
  const [design] = await addDesigns(artist, ['Panther']);
  if (!design) throw new Error('No design');
  await page.goto(`/${username}/scheduling?design=${design.id}&service=${service.id}`);
  await waitForHydration(page);
  const slot = await fillForm(page, artist);
  const json = { status: 'claimed' };
  await expectOk(callSite(`PATCH /designs/${design.id}`, { token, json }));
  watch.expectError(/^POST \/api\/v1\/appointments\/request\/service.*: 409$/);
  await button(page, 'Save').click();

  const message = toast(page, 'This design is no longer available.');
  await expect(message).toBeVisible();
  await expectClearOfToasts(page, button(page, 'Save'));
  await expectClearOfToasts(page, button(page, 'Go on without the design'));
  await expect(page.getByText(selectedTimeText(slot))).toBeVisible();
  await button(page, 'Go on without the design').click();
  await expect(message).toHaveCount(0);
  await expectFieldValues(page, FILLED_FORM);
  const id = await saveAndOpenConfirmation(page, username);
  expect(await listAppointments(token)).toMatchObject([{ id, ...slot, design: null }]);
});

test('Cancel clears the form at once, and Undo brings back what was typed and chosen', async ({
  page,
  artist,
}) => {
  await openBookingForm(page, artist);
  const slot = await fillForm(page, artist);
  await button(page, 'Cancel').click();
  await expectFieldValues(page, {});
  await expect(page.getByText('Selected Time')).toHaveCount(0);
  await expect(button(page, 'Save')).toBeDisabled();

  await button(page, 'Undo').click();
  await expectFieldValues(page, FILLED_FORM);
  await expect(page.getByText(selectedTimeText(slot))).toBeVisible();
  await expect(page.getByText('Form cleared.')).toHaveCount(0);
  const id = await saveAndOpenConfirmation(page, artist.username);
  expect(await listAppointments(artist.token)).toMatchObject([{ id, ...slot, status: 'held' }]);
});
