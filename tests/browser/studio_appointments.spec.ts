import { expect, test } from '#support/browser.ts';
import { requestAppointment } from '#support/browser_api.ts';
import { appointmentDetail, appointmentList } from '#support/browser_appointments.ts';
import { button } from '#support/browser_booking.ts';
import { tabAndPress, tabAndType, tabTo } from '#support/browser_keyboard.ts';
import { logInAs } from '#support/browser_login.ts';

const PAGE = '/studio/appointments';

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
