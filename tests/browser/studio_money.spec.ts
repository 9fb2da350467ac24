import { expect, test } from '#support/browser.ts';
import { callSite } from '#support/browser_api.ts';
import {
  appointmentDetail,
  dateAhead,
  openActionDialog,
  pickTimeInDialog,
} from '#support/browser_appointments.ts';
import { addDesigns } from '#support/browser_artwork.ts';
import { expectAccessible } from '#support/browser_axe.ts';
import { button } from '#support/browser_booking.ts';
import { expectFits } from '#support/browser_layout.ts';
import { logInAs } from '#support/browser_login.ts';
import { expectOk } from '#support/call_api.ts';

const PAGE = '/studio/appointments?show=all';
const PHONE = { width: 390, height: 844 };
const PRIVATE_NOTES = 'Afraid of needles.';

test('on a phone an artist enters an appointment with a design, a price and notes, notes a payment, books the next session and sees the month', async ({
  page,
  artist,
}) => {
  const { token, username, service } = artist;
  const [rose] = await addDesigns(artist, ['Open rose']);
  const facts = { price: { kind: 'fixed', amount: 15_000 }, service_id: service.id };
  await expectOk(callSite(`PATCH /designs/${rose?.id}`, { token, json: facts }));
  await logInAs(page, artist);
  await page.goto(PAGE);
  const entry = await openActionDialog(page, 'Enter an appointment', 'Enter an appointment');
  await entry.getByLabel('First name').fill('Rosa');
  await entry.getByLabel('Email').fill('rosa@example.com');
  await entry.getByLabel('Design (optional)').selectOption('Open rose');
  await expect(entry.getByLabel('Amount')).toHaveValue('150');
  await expect(entry.getByLabel('Service (optional)')).toHaveValue(service.id);
  await entry.getByLabel('A note to the client (optional)').fill('Please eat before.');
  await entry.getByLabel('Private notes (optional)').fill(PRIVATE_NOTES);
  await pickTimeInDialog(entry, { date: dateAhead(10), time: '11:00' });
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await button(page, 'Enter appointment').click();
  await expect(entry).toHaveCount(0);

  const detail = appointmentDetail(page);
  await expect(detail.getByText('$150', { exact: true })).toBeVisible();
  await expect(detail.getByText(PRIVATE_NOTES)).toBeVisible();
  const payment = await openActionDialog(page, 'Note a payment', 'Note a payment');
  await expect(payment.getByLabel('Amount')).toHaveValue('150');
  await payment.getByLabel('Amount').fill('50');
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await button(page, 'Note payment').click();
  await expect(payment).toHaveCount(0);
  await expect(detail.getByText(/^\$50 in cash, /)).toBeVisible();
  await expect(detail.getByText('Outstanding: $100')).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  await page.setViewportSize(PHONE);

  const id = new URL(page.url()).searchParams.get('id');
  const next = await openActionDialog(page, 'Book next session', 'Book the next session');
  await expect(next.getByLabel('Private notes (optional)')).toHaveValue(PRIVATE_NOTES);
  await expect(next.getByLabel('Design (optional)')).toHaveValue(String(rose?.id));
  await expect(next.getByLabel('Amount')).toHaveValue('150');
  await pickTimeInDialog(next, { date: dateAhead(20), time: '12:00' });
  await button(page, 'Book session').click();
  await expect(next).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Sessions of this tattoo (2)' })).toBeVisible();
  await expect(detail.getByText('Open rose')).toBeVisible();
  await detail.getByRole('list', { name: 'Sessions of this tattoo (2)' }).getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`id=${id}`));

  await page.goto('/');
  const month = page.getByRole('region', { name: 'Received', exact: true });
  await expect(month.getByText('$50', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  await page.setViewportSize(PHONE);
  await page.goto(`/${username}/confirmation/${id}/`);
  await expect(page.getByText('Please eat before.')).toBeVisible();
  expect(await page.content()).not.toContain(PRIVATE_NOTES);
  const confirmation = await callSite(`GET /appointments/confirmation/${id}`);
  expect(JSON.stringify(confirmation.body)).not.toContain(PRIVATE_NOTES);
});
