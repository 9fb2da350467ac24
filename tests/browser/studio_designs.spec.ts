import type { Page } from '@playwright/test';
import type { ListPage } from '#contract/common.ts';
import type { Design } from '#contract/design.ts';
import { expect, test } from '#support/browser.ts';
import { callSite } from '#support/browser_api.ts';
import {
  addDesigns,
  chooseFiles,
  createPhoto,
  dragItem,
  dropFiles,
  grabByKeyboard,
  itemNames,
} from '#support/browser_artwork.ts';
import { button } from '#support/browser_booking.ts';
import { logInAs } from '#support/browser_login.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';

const NAMES = ['Swallow', 'Dagger', 'Anchor'];

async function openPage(page: Page, artist: TestArtist): Promise<void> {
  await logInAs(page, artist);
  await page.goto('/studio/designs');
}

async function openThree(page: Page, artist: TestArtist): Promise<void> {
  await addDesigns(artist, NAMES);
  await openPage(page, artist);
  await expect(names(page)).toHaveText(NAMES);
}

const names = (page: Page) => itemNames(page, 'designs');
const uploads = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const toast = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

async function expectAvailable({ username }: TestArtist, expected: readonly string[]) {
  await expect
    .poll(async () => {
      const { data } = await expectOk(
        callSite<ListPage<Design>>(`GET /designs/${username}/available`),
      );
      return data.map(({ name }) => name);
    })
    .toEqual(expected);
}

test('an artist adds a first design on a phone, and clients see it in several widths', async ({
  page,
  managedArtist: artist,
}) => {
  await openPage(page, artist);
  await expect(page.getByText('No designs yet')).toBeVisible();
  await chooseFiles(page, 'Add your first designs', [await createPhoto('swallow_02.jpg')]);
  await expect(toast(page, 'Design added.')).toBeVisible();
  await expect(names(page)).toHaveText(['Swallow 02']);
  await expect(uploads(page)).toHaveCount(0);

  await button(page, 'Add a description of Swallow 02').click();
  await page.getByRole('textbox', { name: 'Description' }).fill('A swallow, wings wide open.');
  await button(page, 'Save').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(button(page, 'Add a description of Swallow 02')).toHaveCount(0);

  await page.goto(`/${artist.username}/`);
  await expect(page.getByRole('heading', { name: 'Swallow 02' })).toBeVisible();
  const picture = page.getByRole('img', { name: 'A swallow, wings wide open.' });
  await expect(picture).toHaveJSProperty('complete', true);
  const sources = page.locator('picture', { has: picture }).locator('source');
  await expect(sources.last()).toHaveAttribute('srcset', /320w.* 640w/);
});

test('designs are reordered by keyboard and by mouse, and dropping files adds designs', {
  tag: '@all',
}, async ({ page, managedArtist: artist }) => {
  await openThree(page, artist);
  await test.step('the arrow keys move a design along the order, across rows', async () => {
    await button(page, 'Move Anchor').focus();
    await grabByKeyboard(page, 'Enter', 'Picked up Anchor, number 3 of 3.');
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByText('Anchor would be number 2 of 3.')).toBeAttached();
    await page.keyboard.press('Enter');
    await expectAvailable(artist, ['Swallow', 'Anchor', 'Dagger']);
  });

  await test.step('the mouse drags a design to the place of another on a wide page', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await dragItem(page, 'Swallow', 'Dagger');
    await expect(names(page)).toHaveText(['Anchor', 'Dagger', 'Swallow']);
    await expectAvailable(artist, ['Anchor', 'Dagger', 'Swallow']);
  });

  await dropFiles(page, [await createPhoto('rose.jpg'), await createPhoto('panther.jpg', 1)]);
  await expect(toast(page, '2 designs added.')).toBeVisible();
  await expect(names(page)).toHaveText(['Anchor', 'Dagger', 'Swallow', 'Rose', 'Panther']);
});
