import { type Browser, expect } from '@playwright/test';
import { test } from '#support/browser.ts';
import { FILLED_FORM } from '#support/browser_api.ts';
import {
  appointmentDetail,
  dateAhead,
  openActionDialog,
  openAppointment,
  pickTimeInDialog,
} from '#support/browser_appointments.ts';
import { chooseFiles, createPhoto } from '#support/browser_artwork.ts';
import {
  button,
  fillFields,
  saveAndOpenConfirmation,
  waitForConfirmation,
  waitForHydration,
} from '#support/browser_booking.ts';
import { watchErrors } from '#support/browser_errors.ts';
import { openAs } from '#support/browser_login.ts';
import { PASSWORD, signupSteps } from '#support/new_artist.ts';

/** A client's phone: another browser context without a login. */
async function clientPhone(browser: Browser) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const watch = await watchErrors(context);
  return {
    page: await context.newPage(),
    async close() {
      await context.close();
      expect(watch.unexpectedErrors(), "errors in the client's browser").toEqual([]);
    },
  };
}

test('an artist signs up on a phone and gets a first booking', async ({ page, browser }) => {
  const username = `new-${crypto.randomUUID().slice(0, 13)}`;
  const [accountStep, studioStep] = signupSteps(username);
  const fill = async (values: Readonly<Record<string, string>>) => {
    for (const [label, value] of Object.entries(values))
      await page.getByLabel(label, { exact: true }).fill(value);
  };
  await page.goto('/');
  await page.getByRole('link', { name: 'Get Started' }).click();
  await page.waitForURL('/signup');
  await waitForHydration(page);
  await fill(accountStep);
  await button(page, 'Next').click();
  await fill(studioStep);
  await button(page, 'Sign Up').click();
  await page.waitForURL('/login');
  await waitForHydration(page);
  const email = page.getByLabel('Email', { exact: true });
  await expect(email).toHaveValue(`${username}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Log In').click();
  await expect(
    page.getByRole('heading', { name: 'Get ready for your first booking' }),
  ).toBeVisible();
  await page.getByRole('button', { name: /^Choose this.*Clients book open times/ }).click();
  await expect(page.getByRole('button', { name: 'Change how clients book' })).toBeVisible();

  await page.getByRole('link', { name: 'Set your hours' }).click();
  await button(page, 'Start with Tuesday to Saturday, 10 to 6').click();
  await button(page, 'Save').click();
  await expect(page.getByText('Hours saved.')).toBeVisible();

  await page
    .getByRole('navigation', { name: 'Studio' })
    .getByRole('link', { name: 'Home' })
    .click();
  await page.getByRole('link', { name: 'Add a service' }).click();
  await button(page, 'Add your first service').click();
  await page.getByLabel('Name').fill('Small flash');
  await button(page, '1 h').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add service' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Service added.' })).toBeVisible();

  const client = await clientPhone(browser);
  await client.page.goto(`/${username}/`);
  await client.page.getByRole('link', { name: 'Book Now', exact: true }).click();
  await client.page.getByRole('link', { name: 'Book Now!' }).click();
  await waitForHydration(client.page);
  const calendar = client.page.getByRole('grid');
  await expect(client.page.getByText(/\d days? with available times/)).toBeAttached();
  await calendar.locator('button:enabled').last().click();
  // On the last open day of a month, the first times may be over.
  const times = client.page.getByRole('group', { name: /^[A-Z]\w+day, / }).getByRole('button');
  const start = (await times.last().textContent()) ?? '';
  await times.last().click();
  await fillFields(client.page, FILLED_FORM);
  await saveAndOpenConfirmation(client.page, username);
  await button(client.page, 'Confirm Appointment').click();
  await expect(client.page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
  await client.close();

  await page
    .getByRole('navigation', { name: 'Studio' })
    .getByRole('link', { name: 'Bookings' })
    .click();
  await button(page, 'Upcoming').click();
  await openAppointment(page, 'Rosa Quint');
  await expect(appointmentDetail(page).getByText(new RegExp(`^${start} - `))).toBeVisible();
  await expect(appointmentDetail(page).getByText('Confirmed', { exact: true })).toBeVisible();
});

test('an artist who sets the times adds a design, gets a request and makes an offer, which the client confirms', async ({
  page,
  browser,
  managedArtist: artist,
}) => {
  const { username } = artist;
  await openAs(page, artist, '/studio/designs');
  await chooseFiles(page, 'Add your first designs', [await createPhoto('black_swallow.jpg')]);
  await expect(page.getByRole('heading', { name: 'Black swallow' })).toBeVisible();

  const client = await clientPhone(browser);
  await client.page.goto(`/${username}/`);
  await client.page.getByRole('link', { name: 'Book Now!' }).click();
  await waitForHydration(client.page);
  await fillFields(client.page, FILLED_FORM);
  await button(client.page, 'Save').click();
  const id = await waitForConfirmation(client.page, username);
  await expect(
    client.page.getByRole('heading', { name: 'Thanks for your request, Rosa' }),
  ).toBeVisible();

  await page
    .getByRole('navigation', { name: 'Studio' })
    .getByRole('link', { name: 'Home' })
    .click();
  await page.getByRole('link', { name: /Rosa Quint/ }).click();
  await expect(appointmentDetail(page).getByText('Black swallow')).toBeVisible();
  const dialog = await openActionDialog(page, 'Offer a time', 'Offer Rosa a time');
  await pickTimeInDialog(dialog, { date: dateAhead(9), time: '14:00', minutes: '120' });
  await button(page, 'Make the offer').click();
  await expect(appointmentDetail(page).getByText('Offered, not confirmed yet')).toBeVisible();

  await client.page.goto(`/${username}/confirmation/${id}/`);
  await waitForHydration(client.page);
  await expect(client.page.getByText('2:00 PM - 4:00 PM')).toBeVisible();
  await button(client.page, 'Confirm Appointment').click();
  await expect(client.page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
  await client.close();

  await page.reload();
  await expect(appointmentDetail(page).getByText('Confirmed', { exact: true })).toBeVisible();
});
