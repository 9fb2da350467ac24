import { expect, test } from '#support/browser.ts';
import { FILLED_FORM, requestAppointment, updateAppointment } from '#support/browser_api.ts';
import {
  appointmentDetail,
  appointmentList,
  dateAhead,
  enterAppointment,
  newYorkInstant,
  openActionDialog,
  openAppointment,
  pickTimeInDialog,
  slotFrom,
} from '#support/browser_appointments.ts';
import { button, waitForHydration } from '#support/browser_booking.ts';
import { expireAppointment } from '#support/browser_expiry.ts';
import { tabAndPress, tabAndType, tabTo } from '#support/browser_keyboard.ts';
import { expectFits } from '#support/browser_layout.ts';
import { logInAs } from '#support/browser_login.ts';

const PAGE = '/studio/appointments';
const OTTO = { first_name: 'Otto', last_name: 'Brandt', email: 'otto@example.com' };

test('on a phone an artist offers a time for a request, the client confirms, and the artist sees it', async ({
  page,
  managedArtist,
}) => {
  const { username, token } = managedArtist;
  const date = dateAhead(20);
  await enterAppointment(token, slotFrom(newYorkInstant(date, 10), 60), OTTO);
  const { id } = (await requestAppointment(username)).body;

  await logInAs(page, managedArtist);
  await page.goto(PAGE);
  await expect(button(page, 'Requests (1)')).toHaveAttribute('aria-pressed', 'true');
  await openAppointment(page, 'Rosa Quint');
  const detail = appointmentDetail(page);
  await expect(detail.getByText('A swallow, mid-flight.')).toBeVisible();
  const dialog = await openActionDialog(page, 'Offer a time', 'Offer Rosa a time');
  await pickTimeInDialog(dialog, { date, time: '10:30', minutes: '120' });
  await expect(dialog.getByText(/^Overlaps Otto Brandt/)).toBeVisible();
  await pickTimeInDialog(dialog, { time: '11:00' });
  await dialog.getByRole('button', { name: '2 h' }).click();
  await expect(dialog.getByText('This time is free.')).toBeVisible();
  await button(page, 'Make the offer').click();
  await expect(dialog).toHaveCount(0);
  await expect(detail.getByText('Offered, not confirmed yet')).toBeVisible();
  await expect(detail.getByText('11:00 AM - 1:00 PM')).toBeVisible();

  const client = await page.context().newPage();
  await client.goto(`/${username}/confirmation/${id}/`);
  await waitForHydration(client);
  await button(client, 'Confirm Appointment').click();
  await expect(client.getByRole('heading', { name: "You're booked!" })).toBeVisible();

  await page.reload();
  await expect(detail.getByText('Confirmed', { exact: true })).toBeVisible();
  await button(page, 'Back to the list').click();
  await button(page, 'Upcoming').click();
  await expect(page.getByRole('link', { name: /Rosa Quint.*11:00 AM - 1:00 PM/ })).toBeVisible();
});

test('on a phone the button of the time dialog stays in place when the day has loaded', async ({
  page,
  managedArtist,
}) => {
  await requestAppointment(managedArtist.username);
  await logInAs(page, managedArtist);
  await page.goto(PAGE);
  await openAppointment(page, 'Rosa Quint');
  const loaded = Promise.withResolvers<void>();
  await page.route(/\/api\/v1\/appointments\/schedule/, async (route) => {
    await loaded.promise;
    await route.continue();
  });
  const dialog = await openActionDialog(page, 'Offer a time', 'Offer Rosa a time');
  await expect(dialog.getByText('Loading day…')).toBeVisible();
  const before = await button(page, 'Make the offer').boundingBox();
  loaded.resolve();
  await expect(dialog.getByText('Nothing yet.')).toBeVisible();
  expect(await button(page, 'Make the offer').boundingBox()).toEqual(before);
});

test('a search survives a reload and Back, and Back keeps unsaved form input', async ({
  page,
  managedArtist,
}) => {
  const { username } = managedArtist;
  await requestAppointment(username);
  await requestAppointment(username, OTTO);
  await logInAs(page, managedArtist);
  await page.goto(PAGE);
  const list = appointmentList(page).getByRole('listitem');
  await expect(list).toHaveCount(2);
  const search = page.getByRole('searchbox', { name: 'Search by client name, email or phone' });
  await search.fill('TTO@exa');
  await page.waitForURL(/search=TTO/);
  await page.reload();
  await expect(search).toHaveValue('TTO@exa');
  await expect(list).toHaveCount(1);

  await openAppointment(page, 'Otto Brandt');
  const dialog = await openActionDialog(page, 'Enter an appointment', 'Enter an appointment');
  await dialog.getByLabel('First name').fill('Mei');
  await page.goBack();
  await expect(appointmentDetail(page)).toHaveCount(0);
  await expect(search).toHaveValue('TTO@exa');
  await expect(list).toHaveCount(1);
  await expect(dialog.getByLabel('First name')).toHaveValue('Mei');
});

test('appointments with very long names fit on every screen', async ({ page, managedArtist }) => {
  const long = 'Maximiliana-Theodora-Konstantina';
  const { id } = (
    await requestAppointment(managedArtist.username, {
      ...FILLED_FORM,
      first_name: long,
      last_name: long,
      email: `${long}.${long}@example.com`,
    })
  ).body;
  await logInAs(page, managedArtist);
  await page.goto(PAGE);
  await expect(page.getByRole('link', { name: long })).toBeVisible();
  await expectFits(page);
  await page.goto(`${PAGE}?id=${id}`);
  await expect(button(page, 'Offer a time')).toBeVisible();
  await expectFits(page);
});

test('an artist makes and cancels an offer using only the keyboard, on a narrow and a wide page', async ({
  page,
  managedArtist,
}) => {
  await requestAppointment(managedArtist.username);
  await logInAs(page, managedArtist);
  await page.goto(PAGE);
  await tabAndPress(page, appointmentList(page).getByRole('link', { name: 'Rosa Quint' }), 'Enter');
  await expect(page.getByRole('heading', { name: 'Rosa Quint', level: 2 })).toBeFocused();
  await tabAndPress(page, button(page, 'Offer a time'), 'Enter');
  const dialog = page.getByRole('dialog', { name: 'Offer Rosa a time' });
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button(page, 'Offer a time')).toBeFocused();
  await page.keyboard.press('Enter');
  await tabAndPress(page, dialog.getByRole('button', { name: '3 h' }), 'Space');
  await tabAndPress(page, dialog.getByRole('button', { name: 'Make the offer' }), 'Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Rosa Quint', level: 2 })).toBeFocused();
  await expect(appointmentDetail(page).getByText('Offered, not confirmed yet')).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 900 });
  await tabAndPress(page, button(page, 'Cancel appointment'), 'Enter');
  const cancelDialog = page.getByRole('dialog', { name: 'Cancel this appointment?' });
  await tabAndType(page, cancelDialog.getByLabel(/^A note to Rosa/), 'I am ill.');
  await tabTo(page, cancelDialog.getByRole('button', { name: 'Keep it' }));
  await tabAndPress(
    page,
    cancelDialog.getByRole('button', { name: 'Cancel appointment' }),
    'Enter',
  );
  await expect(appointmentDetail(page).getByText('Cancelled', { exact: true })).toBeVisible();
});

test('on a phone a past appointment is marked, the mark is undone and corrected, and the history tells it', async ({
  page,
  managedArtist,
}) => {
  const yesterday = slotFrom(newYorkInstant(dateAhead(-1), 10), 60);
  const { id } = await enterAppointment(managedArtist.token, yesterday, OTTO);
  await logInAs(page, managedArtist);
  await page.goto(`${PAGE}?id=${id}`);
  const detail = appointmentDetail(page);
  await button(page, 'Did not come').click();
  await expect(page.getByText('It is noted that Otto Brandt did not come.')).toBeVisible();
  await expect(button(page, 'Back to booked')).toBeVisible();
  await button(page, 'Undo').click();
  await expect(page.getByText('Undone.')).toBeVisible();
  await button(page, 'Completed').click();
  await expect(detail.getByText('Completed', { exact: true })).toBeVisible();
  await button(page, 'Did not come').click();
  await expect(detail.getByText('Did not come', { exact: true })).toBeVisible();
  await button(page, 'Back to booked').click();
  await expect(detail.getByText('Confirmed', { exact: true })).toBeVisible();
  await expect(detail.getByRole('list', { name: 'History' }).getByRole('listitem')).toContainText([
    'You entered the appointment for',
    'You noted that Otto did not come',
    'You marked it as booked again',
    'You marked it as completed',
    'You noted that Otto did not come',
    'You marked it as booked again',
  ]);
  await expectFits(page);
});

test('on a phone a request is offered a time again after its offer ended, with a note that the client reads', async ({
  page,
  managedArtist,
}) => {
  const { username, token } = managedArtist;
  const { id } = (await requestAppointment(username)).body;
  await updateAppointment(token, id, slotFrom(newYorkInstant(dateAhead(5), 10), 60));
  await expireAppointment(id);
  await logInAs(page, managedArtist);
  await page.goto(PAGE);
  await expect(appointmentList(page).getByText(/^The offer of .* 10:00 AM ended$/)).toBeVisible();
  await openAppointment(page, 'Rosa Quint');
  const detail = appointmentDetail(page);
  await expect(detail.getByText('Waiting for your answer')).toBeVisible();
  await expect(detail.getByRole('list', { name: 'History' }).getByRole('listitem')).toContainText([
    'Rosa asked for an appointment',
    'You offered',
    /^The offer of .* ended/,
  ]);
  const dialog = await openActionDialog(page, 'Offer a time', 'Offer Rosa a time');
  await pickTimeInDialog(dialog, { date: dateAhead(6), time: '11:00', minutes: '60' });
  await dialog.getByLabel(/^A note to Rosa/).fill('Bring the sketch, please.');
  await button(page, 'Make the offer').click();
  await expect(detail.getByText('Offered, not confirmed yet')).toBeVisible();

  const client = await page.context().newPage();
  await client.goto(`/${username}/confirmation/${id}/`);
  await expect(client.getByText('Bring the sketch, please.')).toBeVisible();
});
