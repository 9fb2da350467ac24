import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Page } from '@playwright/test';
import type { Listed } from '#contract/common.ts';
import type { Design } from '#contract/design.ts';
import { expect, test } from '#support/browser.ts';
import {
  addDesigns,
  aPhoto,
  type ChosenFile,
  choose,
  chooseFor,
  drag,
  drop,
  namesIn,
} from '#support/browser_artwork.ts';
import { button, toast } from '#support/browser_booking.ts';
import { logInAs } from '#support/browser_login.ts';
import { call } from '#support/browser_studio.ts';
import { expectOk } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';

const NAMES = ['Swallow', 'Dagger', 'Anchor'];
const NO_PICTURE: ChosenFile = {
  name: 'notes.png',
  mimeType: 'image/png',
  buffer: Buffer.from('Ask about the elbow.'),
};

async function openPage(page: Page, artist: TestArtist): Promise<void> {
  await logInAs(page, artist);
  await page.goto('/studio/designs');
}

async function openThree(page: Page, artist: TestArtist): Promise<void> {
  await addDesigns(artist, NAMES);
  await openPage(page, artist);
  await expect(names(page)).toHaveText(NAMES);
}

const names = (page: Page) => namesIn(page, 'designs');
const uploads = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const row = (page: Page, file: string) =>
  uploads(page).getByRole('listitem').filter({ hasText: file });
const news = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

async function expectOffered({ username }: TestArtist, expected: readonly string[]) {
  await expect
    .poll(async () => {
      const { data } = await expectOk(call<Listed<Design>>(`GET /designs/${username}/available`));
      return data.map(({ name }) => name);
    })
    .toEqual(expected);
}

test('a first design is added on a phone, and clients see it in several widths', async ({
  page,
  managedArtist: artist,
}) => {
  await openPage(page, artist);
  await expect(page.getByText('No designs yet')).toBeVisible();
  await choose(page, 'Add your first designs', [await aPhoto('swallow_02.jpg')]);
  await expect(news(page, 'Design added.')).toBeVisible();
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

test('several files are added in the order they were chosen, each with its progress, and one is refused in words', async ({
  page,
  managedArtist: artist,
  watch,
}) => {
  watch.expectTrouble(/POST .*\/designs\/: 415/);
  await openPage(page, artist);
  const held = Promise.withResolvers<void>();
  await page.route('**/api/v1/designs/', async (route) => {
    await held.promise;
    await route.continue();
  });
  await choose(page, 'Add designs', [
    await aPhoto('one.jpg'),
    NO_PICTURE,
    await aPhoto('IMG_2041.jpg', 1),
  ]);
  await expect(row(page, 'one.jpg').getByRole('progressbar')).toBeVisible();
  await expect(row(page, 'IMG_2041.jpg').getByText('Waiting…')).toBeVisible();
  held.resolve();

  await expect(news(page, '2 designs added.')).toBeVisible();
  await expect(names(page)).toHaveText(['One', 'New design']);
  const refused = row(page, 'notes.png');
  await expect(
    refused.getByText('Only JPEG, PNG, WebP and AVIF pictures can be used'),
  ).toBeVisible();
  await expect(button(page, 'Retry notes.png')).toHaveCount(0);
  await button(page, 'Remove notes.png').click();
  await expect(uploads(page)).toHaveCount(0);
});

test('what cannot be taken is refused before it is sent', async ({
  page,
  managedArtist: artist,
}, testInfo) => {
  const heavy = testInfo.outputPath('heavy.jpg');
  await mkdir(dirname(heavy), { recursive: true });
  await writeFile(heavy, Buffer.alloc(15 * 1024 * 1024 + 1));
  await openPage(page, artist);
  await choose(page, 'Add designs', heavy);
  await choose(page, 'Add designs', [
    { name: 'blank.png', mimeType: 'image/png', buffer: Buffer.alloc(0) },
    { name: 'line.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
  ]);
  await expect(row(page, 'heavy.jpg').getByText('at most 15 MB')).toBeVisible();
  await expect(row(page, 'blank.png').getByText('This file is empty')).toBeVisible();
  await expect(row(page, 'line.svg').getByText('Only JPEG, PNG, WebP and AVIF')).toBeVisible();
});

test('a file whose connection was lost waits for another try', async ({
  page,
  managedArtist: artist,
  watch,
}) => {
  watch.expectTrouble(/POST .*\/designs\/: net::ERR_FAILED/);
  await openPage(page, artist);
  await page.route('**/api/v1/designs/', (route) => route.abort(), { times: 1 });
  await choose(page, 'Add designs', [await aPhoto('dagger.jpg')]);
  await expect(row(page, 'dagger.jpg').getByText('The connection was lost.')).toBeVisible();
  await button(page, 'Retry dagger.jpg').click();
  await expect(names(page)).toHaveText(['Dagger']);
});

test('an upload is called off', async ({ page, managedArtist: artist }) => {
  await openPage(page, artist);
  await page.route('**/api/v1/designs/', () => {});
  await choose(page, 'Add designs', [await aPhoto('anchor.jpg')]);
  await button(page, 'Cancel anchor.jpg').click();
  await expect(uploads(page)).toHaveCount(0);
  await expect(page.getByText('No designs yet')).toBeVisible();
});

test('the browser asks before an upload is left', async ({ page, managedArtist: artist }) => {
  await openPage(page, artist);
  await page.route('**/api/v1/designs/', () => {});
  await choose(page, 'Add designs', [await aPhoto('anchor.jpg')]);
  await expect(row(page, 'anchor.jpg')).toBeVisible();
  const asked = page.waitForEvent('dialog');
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.accept();
  // The next test would begin on a page that is still closing.
  await closed;
});

test('files that are dropped anywhere on the page are added @desktop', async ({
  page,
  managedArtist: artist,
}) => {
  await openPage(page, artist);
  await expect(page.getByText('No designs yet')).toBeVisible();
  await drop(page, [await aPhoto('rose.jpg'), await aPhoto('panther.jpg', 1)]);
  await expect(news(page, '2 designs added.')).toBeVisible();
  await expect(names(page).filter({ hasText: 'Rose' })).toBeVisible();
  await expect(names(page).filter({ hasText: 'Panther' })).toBeVisible();
});

test('the order of the grid is changed by mouse and by keyboard @desktop', async ({
  page,
  managedArtist: artist,
}) => {
  await openThree(page, artist);
  await drag(page, 'Swallow', 'Anchor');
  await expect(names(page)).toHaveText(['Dagger', 'Anchor', 'Swallow']);
  await expectOffered(artist, ['Dagger', 'Anchor', 'Swallow']);

  await button(page, 'Move Swallow').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Picked up Swallow, number 3 of 3.')).toBeAttached();
  // A person takes a moment too: a key in the same instant was lost in one of some twenty runs.
  await page.waitForTimeout(200);
  // Along the order, wherever a row ends.
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByText('Swallow would be number 2 of 3.')).toBeAttached();
  await page.keyboard.press('Enter');
  await expectOffered(artist, ['Dagger', 'Swallow', 'Anchor']);
});

test('a claimed and a hidden design are off the public page', async ({
  page,
  managedArtist: artist,
}) => {
  await openThree(page, artist);
  await chooseFor(page, 'Swallow', 'Mark as claimed');
  await expectOffered(artist, ['Dagger', 'Anchor']);
  await button(page, 'Edit Dagger').click();
  await page.getByLabel('Only you see it.').check();
  await button(page, 'Save').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectOffered(artist, ['Anchor']);
  await chooseFor(page, 'Dagger', 'Make available');
  await expectOffered(artist, ['Dagger', 'Anchor']);
  await page.reload();
  await expect(names(page)).toHaveText(NAMES);
});

test('a design is deleted for good by leaving, and Undo brings one back', async ({
  page,
  managedArtist: artist,
}) => {
  await openThree(page, artist);
  await chooseFor(page, 'Dagger', 'Delete');
  await button(page, 'Undo').click();
  await expect(names(page)).toHaveText(NAMES);
  await chooseFor(page, 'Anchor', 'Delete');
  await expect(names(page)).toHaveText(['Swallow', 'Dagger']);
  // A page without designs: one that still showed it could ask for a picture that is gone.
  await page.goto(`/${artist.username}/contact`);
  await expectOffered(artist, ['Swallow', 'Dagger']);
});

test('a change of status that fails is told and taken back', async ({
  page,
  managedArtist: artist,
  watch,
}) => {
  watch.expectTrouble(/PATCH .*\/designs\/.*ERR_FAILED/);
  await openThree(page, artist);
  await page.route(/\/designs\/[^?]+$/, (route) => route.abort());
  await chooseFor(page, 'Dagger', 'Hide from clients');
  await expect(toast(page, '“Dagger” was not changed.')).toBeVisible();
  await expect(page.getByText('Hidden', { exact: true })).toHaveCount(0);
});
