import type { Page } from '@playwright/test';
import type { Listed } from '#contract/common.ts';
import type { Image } from '#contract/image.ts';
import { expect, test } from '#support/browser.ts';
import { addPictures, aPhoto, choose, chooseFor } from '#support/browser_artwork.ts';
import { button } from '#support/browser_booking.ts';
import { logInAs } from '#support/browser_login.ts';
import { call } from '#support/browser_studio.ts';
import { expectOk } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';

async function openPage(page: Page, artist: TestArtist): Promise<void> {
  await logInAs(page, artist);
  await page.goto('/studio/portfolio');
}

const pictures = (page: Page) => page.getByRole('list', { name: 'pictures' }).getByRole('article');

/** The public ids, in order. */
async function shown({ username }: TestArtist): Promise<string[]> {
  const { data } = await expectOk(
    call<Listed<Image>>(`GET /images/artist-portfolio?username=${username}`),
  );
  return data.map(({ id }) => id);
}

test('pictures are added and described, and clients see them', async ({ page, artist }) => {
  await openPage(page, artist);
  await expect(page.getByText('No pictures yet')).toBeVisible();
  await choose(page, 'Add your first pictures', [
    await aPhoto('IMG_1.jpg'),
    await aPhoto('IMG_2.jpg', 1),
    await aPhoto('IMG_3.jpg', 2),
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

test('pictures are put in order and deleted, and the public page follows', async ({
  page,
  artist,
}) => {
  await addPictures(artist, 3);
  const [first, second, third] = await shown(artist);
  await openPage(page, artist);
  await chooseFor(page, 'picture 3', 'Move to the start');
  await expect.poll(() => shown(artist)).toEqual([third, first, second]);
  await chooseFor(page, 'picture 1', 'Delete');
  await expect(pictures(page)).toHaveCount(2);
  await button(page, 'Close: Deleted.').click();
  await expect.poll(() => shown(artist)).toEqual([first, second]);
  await expect(pictures(page)).toHaveCount(2);
});
