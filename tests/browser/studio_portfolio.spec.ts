import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { chooseFiles, createPhoto } from '#support/browser_artwork.ts';
import { button } from '#support/browser_booking.ts';
import { logInAs } from '#support/browser_login.ts';
import type { TestArtist } from '#support/new_artist.ts';

async function openPage(page: Page, artist: TestArtist): Promise<void> {
  await logInAs(page, artist);
  await page.goto('/studio/portfolio');
}

const pictures = (page: Page) => page.getByRole('list', { name: 'pictures' }).getByRole('article');

test('an artist adds pictures and describes one, and clients see it', async ({ page, artist }) => {
  await openPage(page, artist);
  await expect(page.getByText('No pictures yet')).toBeVisible();
  await chooseFiles(page, 'Add your first pictures', [
    await createPhoto('IMG_1.jpg'),
    await createPhoto('IMG_2.jpg', 1),
    await createPhoto('IMG_3.jpg', 2),
  ]);
  await expect(page.getByRole('status').filter({ hasText: '3 pictures added.' })).toBeVisible();
  await expect(pictures(page)).toHaveCount(3);

  await button(page, 'Edit picture 2').click();
  await page.getByRole('textbox', { name: 'Description' }).fill('Forearm with a panther.');
  await button(page, 'Save').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('Forearm with a panther.')).toBeVisible();

  await page.goto(`/${artist.username}/about`);
  const picture = page.getByRole('img', { name: 'Forearm with a panther.' });
  await expect(picture).toBeVisible();
  await expect(page.locator('picture', { has: picture }).locator('source').last()).toHaveAttribute(
    'srcset',
    /320w.* 640w/,
  );
});
