import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import {
  bookSiteSlot,
  callSite,
  confirmAppointment,
  FILLED_FORM,
  findOpenDay,
  listAppointments,
  updateAppointment,
} from '#support/browser_api.ts';
import { addDesigns } from '#support/browser_artwork.ts';
import {
  button,
  expectClearOfToasts,
  expectFieldValues,
  fillFields,
  formatTime,
  openBookingForm,
  openFilledForm,
  pickSlot,
  STUDIO_ZONE,
  saveAndOpenConfirmation,
  selectedTimeText,
  TIME_TAKEN_TEXT,
  toast,
  waitForHydration,
} from '#support/browser_booking.ts';
import { expireAppointment } from '#support/browser_expiry.ts';
import { logInAs } from '#support/browser_login.ts';
import { serveOtherSite } from '#support/browser_server.ts';
import { expectOk } from '#support/call_api.ts';
import { fetchPage, fetchSite, textsOf } from '#support/html_page.ts';

test.use({ viewport: { width: 390, height: 844 } });

/** The buttons of free times near to one that is taken. */
function nearestTimes(page: Page): Locator {
  const notice = page.getByRole('alert').filter({ hasText: 'Free times near it' });
  return notice.getByRole('listitem').getByRole('button');
}

/** Presses a free time near a taken one. No toast covers these times, and their heading has the focus. */
async function pickNearTime(page: Page, { start }: { readonly start: string }): Promise<void> {
  const words = page.getByText(/ is taken\. Free times near it:$/);
  await expect(words).toBeFocused();
  await expectClearOfToasts(page, words);
  for (const near of await nearestTimes(page).all()) await expectClearOfToasts(page, near);
  await nearestTimes(page)
    .filter({ hasText: formatTime(start, STUDIO_ZONE) })
    .first()
    .click();
}

test('a refused Save stays clear of its toast, which is not shown twice', async ({
  page,
  artist,
  watch,
}) => {
  const { day, slot } = await findOpenDay(artist);
  await openFilledForm(page, artist, { day, slot, values: FILLED_FORM });
  await page.route('**/api/v1/appointments/request/**', (route) =>
    route.fulfill({ status: 503, json: { detail: 'A lot is going on right now.' } }),
  );
  watch.expectError(/^POST \/api\/v1\/appointments\/request\/service.*: 503$/);
  for (const _ of [1, 2]) {
    await button(page, 'Save').click();
    await expect(toast(page, 'A lot is going on right now.')).toBeVisible();
    await expect(button(page, 'Saving…')).toHaveCount(0);
    await expectClearOfToasts(page, button(page, 'Save'));
    await expect(page.getByText('A lot is going on right now.')).toHaveCount(1);
  }
  await page.unrouteAll();
});

test('a refused confirmation stays clear of its toast', async ({ page, artist, watch }) => {
  const { slot } = await findOpenDay(artist);
  const { id } = await expectOk(bookSiteSlot(artist, slot));
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await waitForHydration(page);
  await page.route('**/api/v1/appointments/confirmation/**', (route) =>
    route.fulfill({ status: 503, json: { detail: 'A lot is going on right now.' } }),
  );
  watch.expectError(/^POST \/api\/v1\/appointments\/confirmation\/.*: 503$/);
  await button(page, 'Confirm Appointment').click();
  await expect(toast(page, 'A lot is going on right now.')).toBeVisible();
  await expectClearOfToasts(page, button(page, 'Confirm Appointment'));
  await page.unrouteAll();
});

test('the bar to save the hours stays clear of a toast', async ({ page, artist }) => {
  await logInAs(page, artist);
  // A toast from the page before, which stays open under the pointer. It is saved before the page's
  // scripts start: `waitForHydration` does not wait for effects, so an earlier page could show it.
  await page.addInitScript(() =>
    sessionStorage.setItem('linework:toast', JSON.stringify(['Success!', 'Your email is proven.'])),
  );
  await page.goto('/studio/hours');
  await waitForHydration(page);
  await page.getByText('Your email is proven.').hover();
  await page.getByLabel('Wednesday, until').fill('13:00');
  await expect(page.getByText('Not saved yet')).toBeVisible();
  await expectClearOfToasts(page, button(page, 'Save'));
  await expectClearOfToasts(page, button(page, 'Discard'));
});

test('free times near a taken one are above the times, clear of the toast, which goes away with the pick', async ({
  page,
  artist,
  watch,
}) => {
  const { day, slot, other } = await findOpenDay(artist);
  await openFilledForm(page, artist, { day, slot, values: FILLED_FORM });
  await expectOk(bookSiteSlot(artist, slot, { email: 'quick@example.com' }));
  watch.expectError(/^POST \/api\/v1\/appointments\/request\/service.*: 409$/);
  await button(page, 'Save').click();
  await expect(toast(page, TIME_TAKEN_TEXT)).toBeVisible();
  await pickNearTime(page, other);
  await expect(page.getByText(selectedTimeText(other))).toBeVisible();
  await expect(toast(page, TIME_TAKEN_TEXT)).toHaveCount(0);
  await expectFieldValues(page, FILLED_FORM);
});

test('the page of an expired hold says that its time is taken, and free times near it lead to the form', async ({
  page,
  artist,
  watch,
}) => {
  const { slot, other } = await findOpenDay(artist);
  const { id } = await expectOk(bookSiteSlot(artist, slot));
  await expireAppointment(id);
  await expectOk(bookSiteSlot(artist, slot, { email: 'quick@example.com' }));
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await waitForHydration(page);
  await expect(page.getByText(/If it is still free, you can confirm it now/)).toBeVisible();
  watch.expectError(/^POST \/api\/v1\/appointments\/confirmation\/.*: 409$/);
  await button(page, 'Confirm Appointment').click();
  await expect(toast(page, TIME_TAKEN_TEXT)).toBeVisible();
  await expect(page.getByText('You are welcome to book another time.')).toBeVisible();
  await expect(page.getByText(/If it is still free/)).toHaveCount(0);
  await expect(button(page, 'Confirm Appointment')).toHaveCount(0);
  await pickNearTime(page, other);
  await page.waitForURL(`**/${artist.username}/scheduling?service=*`);
  await expect(page.getByText(selectedTimeText(other))).toBeVisible();
});

test('a client who comes back and picks the time beside their own hold is not in their own way', async ({
  page,
  artist,
}) => {
  const { day, slot } = await findOpenDay(artist);
  await openFilledForm(page, artist, { day, slot, values: FILLED_FORM });
  const first = await saveAndOpenConfirmation(page, artist.username);
  // The same time once more: from another client, it would be taken.
  await openBookingForm(page, artist);
  const next = await findOpenDay(artist);
  await pickSlot(page, next.day, next.slot);
  await fillFields(page, FILLED_FORM);
  const second = await saveAndOpenConfirmation(page, artist.username);
  const statuses = (await listAppointments(artist.token)).map(({ id, status }) => [id, status]);
  expect(Object.fromEntries(statuses)).toEqual({ [first]: 'cancelled', [second]: 'held' });
});

test('a client confirms only what they saw: the page says that the artist has moved it', async ({
  page,
  artist,
  watch,
}) => {
  const { slot, other } = await findOpenDay(artist);
  const { id } = await expectOk(bookSiteSlot(artist, slot));
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await waitForHydration(page);
  await updateAppointment(artist.token, id, other);
  watch.expectError(/^POST \/api\/v1\/appointments\/confirmation\/.*: 409$/);
  await button(page, 'Confirm Appointment').click();
  const words = page.getByText(/moved this to/);
  await expect(words).toHaveText(
    `${artist.self.full_name} moved this to ${formatTime(other.start, STUDIO_ZONE)}.`,
  );
  await expect(words).toBeFocused();
  await button(page, 'Confirm Appointment').click();
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeFocused();
  expect(await confirmAppointment(id)).toMatchObject({ ...other, status: 'confirmed' });
});

test('an old link to a claimed or deleted design says so, and the form goes on without it', async ({
  page,
  artist,
}) => {
  const [claimed, deleted] = await addDesigns(artist, ['Panther', 'Moth']);
  if (!claimed || !deleted) throw new Error('No designs');
  const json = { status: 'claimed' };
  await expectOk(callSite(`PATCH /designs/${claimed.id}`, { token: artist.token, json }));
  await expectOk(callSite(`DELETE /designs/${deleted.id}`, { token: artist.token }));
  const search = (id: string) => `/${artist.username}/scheduling?design=${id}`;
  for (const { id } of [claimed, deleted]) {
    await page.goto(search(id));
    await expect(page.getByText('This design is no longer available.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Select Appointment' })).toBeVisible();
  }
  await page.goto(search(randomUUID()));
  await expect(page.getByRole('heading', { name: 'Select Appointment' })).toBeVisible();
  await expect(page.getByText('This design is no longer available.')).toHaveCount(0);

  await page.goto(search(claimed.id));
  await waitForHydration(page);
  await page.getByRole('link', { name: `Select ${artist.service.name}` }).click();
  const { day, slot } = await findOpenDay(artist);
  await pickSlot(page, day, slot);
  await fillFields(page, FILLED_FORM);
  const id = await saveAndOpenConfirmation(page, artist.username);
  expect(await listAppointments(artist.token)).toMatchObject([{ id, ...slot, design: null }]);
});

test('while the API cannot be reached, the page of an appointment says that it is safe, and its calendar file asks to try again', async () => {
  test.setTimeout(120_000);
  const stop = await serveOtherSite({ API_URL: 'http://127.0.0.1:9' });
  try {
    for (const path of [`/ana/confirmation/${randomUUID()}/`, `/confirmation/${randomUUID()}`]) {
      const { status, headers, document } = await fetchPage(path);
      expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '30']);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(textsOf(document, 'h1')).toEqual(['404']);
      expect(textsOf(document, 'main p')).toEqual([
        'Page not found.',
        'We cannot reach your appointment right now. It is safe.',
        'Try again',
      ]);
      expect(document.querySelector('main a')?.getAttribute('href')).toBe('');
    }
    const calendar = await fetchSite(`/ana/confirmation/${randomUUID()}/appointment.ics`);
    expect([calendar.status, calendar.headers.get('retry-after')]).toEqual([503, '30']);
    expect(calendar.headers.get('cache-control')).toBe('no-store');
  } finally {
    await stop();
  }
});
