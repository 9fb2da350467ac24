import sharp from 'sharp';
import type { Artist } from '#contract/artist.ts';
import { expect, test } from '#support/browser.ts';
import { callSite } from '#support/browser_api.ts';
import { chooseFiles } from '#support/browser_artwork.ts';
import { button } from '#support/browser_booking.ts';
import { successToast } from '#support/browser_clients.ts';
import { openAs } from '#support/browser_login.ts';
import { expectOk } from '#support/call_api.ts';

/** A picture in four colors: red and green above, blue and white below. */
async function createFourColorPicture() {
  const side = 400;
  const part = (background: string) =>
    sharp({ create: { width: side, height: side, channels: 3, background } })
      .png()
      .toBuffer();
  const [red, green, blue] = await Promise.all(['#ff0000', '#00ff00', '#0000ff'].map(part));
  const buffer = await sharp({
    create: { width: 2 * side, height: 2 * side, channels: 3, background: '#ffffff' },
  })
    .composite([
      { input: red, left: 0, top: 0 },
      { input: green, left: side, top: 0 },
      { input: blue, left: 0, top: side },
    ])
    .png()
    .toBuffer();
  return { name: 'me.png', mimeType: 'image/png', buffer };
}

test('a picture is cropped, uploaded and shown on the page', {
  tag: '@all',
}, async ({ page, artist }) => {
  await openAs(page, artist, '/studio/profile');
  await chooseFiles(page, 'Choose a picture', [await createFourColorPicture()]);
  await expect(page.getByRole('dialog', { name: 'Crop your picture' })).toBeVisible();
  // Shrink the crop from the bottom right, then move it to the top left: only red remains.
  const corner = page.getByRole('button', { name: /^Bottom right corner/ });
  await corner.focus();
  for (let press = 0; press < 4; press += 1) await page.keyboard.press('Control+ArrowUp');
  const part = page.getByRole('group', { name: /^The part that is shown/ });
  await part.focus();
  await page.keyboard.press('Control+ArrowLeft');
  await page.keyboard.press('Control+ArrowUp');
  await button(page, 'Use this picture').click();
  await expect(successToast(page, 'Your new picture is on your page.')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const avatar = page.getByRole('img', { name: 'You, as clients see you' });
  await expect(avatar).toBeVisible();
  await expect(button(page, 'Choose another picture')).toBeVisible();

  const { avatar_url } = await expectOk(callSite<Artist>(`GET /users/artist/${artist.username}`));
  const response = await page.request.get(avatar_url ?? '');
  const picture = sharp(await response.body());
  const { width, height } = await picture.metadata();
  expect(width).toBe(height);
  const { channels } = await picture.stats();
  expect(channels.slice(0, 3).map(({ mean }) => Math.round(mean / 255))).toEqual([1, 0, 0]);

  await page.goto(`/${artist.username}/`);
  await expect(page.locator(`img[src="${avatar_url}"]`)).toBeVisible();
});
