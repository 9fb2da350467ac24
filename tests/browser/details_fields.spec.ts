import { expect, test } from '#support/browser.ts';
import { button, field, waitForHydration } from '#support/browser_booking.ts';
import { expectFits } from '#support/browser_layout.ts';

test('a tap on Another country right after a number of another country opens the countries', {
  tag: '@all',
}, async ({ page, managedArtist }) => {
  await page.goto(`/${managedArtist.username}/scheduling`);
  await waitForHydration(page);
  await page.setViewportSize({ width: 320, height: 844 });
  await field(page, 'phone_number').fill('0170 1234567');
  await button(page, 'Another country').scrollIntoViewIfNeeded();
  const box = await button(page, 'Another country').boundingBox();
  if (!box) throw new Error('The button is not visible');
  expect(box.height).toBeGreaterThanOrEqual(44);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  // The error appears before the finger is lifted.
  await expect(field(page, 'phone_number')).toHaveAttribute('aria-invalid', 'true');
  await page.mouse.up();
  await page.getByLabel('Country of the number').selectOption('DE');
  await expect(field(page, 'phone_number')).toHaveValue('+49 170 1234567');
  await expectFits(page);
});
