import { expect, test } from '#support/browser.ts';
import { listAppointments, loadDemoArtist, updateAppointment } from '#support/browser_api.ts';
import {
  button,
  field,
  formatFullDay,
  formatTimeRange,
  waitForConfirmation,
  waitForHydration,
} from '#support/browser_booking.ts';
import { tabAndPress, tabAndType, tabTo } from '#support/browser_keyboard.ts';

const BO_ZONE = 'America/Los_Angeles';

// Time zones are tested in time_zones.spec.ts, and the keyboard on a phone in
// service_booking.spec.ts. This page is wide.
test.use({ timezoneId: BO_ZONE, viewport: { width: 1280, height: 900 } });

test('a client requests a design and confirms the offered time, using only the keyboard', async ({
  page,
}, testInfo) => {
  const { token, designs } = await loadDemoArtist('bo');
  const design = designs[2];
  if (!design) throw new Error('bo has no designs');

  await page.goto('/bo/');
  const card = page.getByRole('article').filter({ hasText: design.name });
  await tabAndPress(page, card.getByRole('link', { name: 'Book Now!' }), 'Enter');
  await page.waitForURL(`**/bo/scheduling?design=${design.id}`);
  await waitForHydration(page);
  const aside = page.getByRole('complementary', { name: 'Design' });
  await expect(aside.getByRole('heading', { name: design.name })).toBeVisible();
  await expect(aside.getByRole('img', { name: design.image.title })).toBeVisible();
  await expect(button(page, 'Save')).toBeDisabled();

  await tabTo(page, field(page, 'location'));
  await page.keyboard.press('ArrowDown');
  await tabAndType(page, field(page, 'size'), 'Large');
  await tabAndType(page, field(page, 'first_name'), 'Rosa');
  await tabAndType(page, field(page, 'email'), 'rosa@example.com');
  await tabAndPress(page, button(page, 'Save'), 'Space');

  const id = await waitForConfirmation(page, 'bo');
  await expect(page.getByRole('heading', { name: 'Thanks for your request, Rosa' })).toBeVisible();
  await expect(
    page.getByText('Bo will receive the request to review and reach out soon.'),
  ).toBeVisible();
  await expect(page.getByText('Payment due at appointment')).toBeVisible();
  await expect(button(page, 'Confirm Appointment')).toHaveCount(0);

  // Each repetition of this test offers another day.
  const slot = offerOn(150 + testInfo.repeatEachIndex);
  await updateAppointment(token, id, slot);
  await page.reload();
  await waitForHydration(page);
  await expect(page.getByRole('heading', { name: 'Confirm your appointment.' })).toBeVisible();
  await expect(page.getByText(formatFullDay(slot.start, BO_ZONE))).toBeVisible();
  await expect(page.getByText(formatTimeRange(slot, BO_ZONE))).toBeVisible();
  await tabAndPress(page, button(page, 'Confirm Appointment'), 'Space');
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeFocused();

  const stored = (await listAppointments(token)).find((appointment) => appointment.id === id);
  expect(stored).toMatchObject({
    ...slot,
    status: 'confirmed',
    design: { id: design.id },
    location: 'arms',
    size: 'large',
    client: { first_name: 'Rosa', email: 'rosa@example.com' },
  });
});

/** Two hours from noon in bo's studio (standard time), so many days ahead. */
function offerOn(daysAhead: number) {
  const noon = new Date();
  noon.setUTCDate(noon.getUTCDate() + daysAhead);
  noon.setUTCHours(20, 0, 0, 0);
  const seconds = (when: number) => `${new Date(when).toISOString().slice(0, 19)}Z`;
  return { start: seconds(noon.getTime()), end: seconds(noon.getTime() + 119 * 60_000) };
}
