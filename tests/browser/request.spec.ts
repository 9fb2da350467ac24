import { expect, test } from '#support/browser.ts';
import {
  arriveAtConfirmation,
  BLANK,
  button,
  expectTyped,
  field,
  fillIn,
  fullDay,
  saveAndGo,
  scriptsDone,
  timeRange,
} from '#support/browser_booking.ts';
import { tabAndPress, tabAndType, tabTo } from '#support/browser_keyboard.ts';
import { appointmentsOf, change, demoArtist, FILLED_FORM } from '#support/browser_studio.ts';

const BO_ZONE = 'America/Los_Angeles';

// Whose clock the page is on is tested elsewhere (zones.spec.ts).
test.use({ timezoneId: BO_ZONE });

test(
  'a client asks for a design and takes the offered time, by keyboard alone',
  {
    tag: '@desktop',
  },
  async ({ page }, testInfo) => {
    const { token, designs } = await demoArtist('bo');
    const design = designs[2];
    if (!design) throw new Error('bo has no designs');

    await page.goto('/bo/');
    const card = page.getByRole('article').filter({ hasText: design.name });
    await tabAndPress(page, card.getByRole('link', { name: 'Book Now!' }), 'Enter');
    await page.waitForURL(`**/bo/scheduling?design=${design.id}`);
    await scriptsDone(page);
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

    const id = await arriveAtConfirmation(page, 'bo');
    await expect(
      page.getByRole('heading', { name: 'Thanks for your request, Rosa' }),
    ).toBeVisible();
    await expect(
      page.getByText('Bo will receive the request to review and reach out soon.'),
    ).toBeVisible();
    await expect(page.getByText('Payment due at appointment')).toBeVisible();
    await expect(button(page, 'Confirm Appointment')).toHaveCount(0);

    // A day that no other run of this test offers.
    const daysAhead =
      150 + 2 * testInfo.repeatEachIndex + (testInfo.project.name === 'phone' ? 0 : 1);
    const slot = offerOn(daysAhead);
    await change(token, id, slot);
    await page.reload();
    await scriptsDone(page);
    await expect(page.getByRole('heading', { name: 'Confirm your appointment.' })).toBeVisible();
    await expect(page.getByText(fullDay(slot.start, BO_ZONE))).toBeVisible();
    await expect(page.getByText(timeRange(slot, BO_ZONE))).toBeVisible();
    await tabAndPress(page, button(page, 'Confirm Appointment'), 'Space');
    await expect(page.getByRole('heading', { name: "You're booked!" })).toBeFocused();

    const kept = (await appointmentsOf(token)).find((one) => one.id === id);
    expect(kept).toMatchObject({
      ...slot,
      status: 'confirmed',
      design: { id: design.id },
      location: 'arms',
      size: 'large',
      client: { first_name: 'Rosa', email: 'rosa@example.com' },
    });
  },
);

/** Two hours from noon, of a day so far ahead. */
function offerOn(daysAhead: number) {
  const noon = new Date();
  noon.setUTCDate(noon.getUTCDate() + daysAhead);
  noon.setUTCHours(20, 0, 0, 0);
  const seconds = (when: number) => `${new Date(when).toISOString().slice(0, 19)}Z`;
  return { start: seconds(noon.getTime()), end: seconds(noon.getTime() + 119 * 60_000) };
}

test('a request needs no name: its thanks name nobody', async ({ page, managedArtist }) => {
  await page.goto(`/${managedArtist.username}/scheduling`);
  await fillIn(page, { email: 'rosa@example.com' });
  const id = await saveAndGo(page, managedArtist.username);
  await expect(page.getByRole('heading', { name: 'Thanks for your request' })).toHaveText(
    'Thanks for your request',
  );
  expect(await appointmentsOf(managedArtist.token)).toMatchObject([
    { id, status: 'requested', start: null, design: null },
  ]);
});

test('Cancel leads back to the artist, and what was typed is gone', async ({
  page,
  managedArtist,
}) => {
  const { username } = managedArtist;
  await page.goto(`/${username}/scheduling`);
  await fillIn(page, FILLED_FORM);
  await button(page, 'Cancel').click();
  await page.waitForURL(`**/${username}/`);
  await page.goto(`/${username}/scheduling`);
  await scriptsDone(page);
  await expectTyped(page, BLANK);
  await expect(button(page, 'Save')).toBeDisabled();
});

test('a design that is gone from the wall is not asked for', async ({ page, managedArtist }) => {
  const { designs } = await demoArtist('bo');
  await page.goto(`/${managedArtist.username}/scheduling?design=${designs[0]?.id}`);
  await expect(page.getByRole('complementary', { name: 'Design' })).toHaveCount(0);
  await fillIn(page, { email: 'rosa@example.com' });
  await saveAndGo(page, managedArtist.username);
});
