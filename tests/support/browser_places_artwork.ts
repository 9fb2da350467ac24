import { expect, type Page } from '@playwright/test';
import { addDesigns, addPictures, aPhoto, choose } from './browser_artwork.ts';
import { button } from './browser_booking.ts';
import { logInAs } from './browser_login.ts';
import type { Place } from './browser_places.ts';
import { call, newArtist } from './browser_studio.ts';
import { expectOk } from './calls.ts';
import type { TestArtist } from './new_artist.ts';

/** The studio's services, designs and portfolio in what they can show. */
export const ARTWORK_PLACES: readonly Place[] = [
  {
    name: 'the services, one of them hidden and its menu open',
    async open(page) {
      const artist = await newArtist();
      const json = { name: 'Full day', description: 'Bring snacks.', duration: 480 };
      await expectOk(
        call('POST /services', { token: artist.token, json: { ...json, is_available: false } }),
      );
      await openPage(page, 'services', artist);
      await button(page, 'More for Full day').click();
      await expect(button(page, 'Show to clients')).toBeVisible();
    },
  },
  {
    name: 'no services yet',
    async open(page) {
      const artist = await newArtist();
      await expectOk(call(`DELETE /services/${artist.service.id}`, { token: artist.token }));
      await openPage(page, 'services', artist);
      await expect(page.getByText('No services yet')).toBeVisible();
    },
  },
  {
    name: 'services that cannot be loaded',
    async open(page, watch) {
      watch.expectTrouble(/services.*ERR_FAILED/);
      await page.route('**/api/v1/services/?*', (route) => route.abort());
      await openPage(page, 'services', await newArtist());
      await expect(button(page, 'Try again')).toBeVisible();
    },
  },
  {
    name: 'a new service with messages',
    async open(page) {
      await openPage(page, 'services', await newArtist());
      await button(page, 'Add service').click();
      await page.getByLabel('Length in minutes').fill('1');
      await page.getByRole('dialog').getByRole('button', { name: 'Add service' }).click();
      await expect(page.getByText('Name is required')).toBeVisible();
    },
  },
  {
    name: 'a dialog that asks whether to drop what was typed',
    async open(page) {
      await openPage(page, 'services', await newArtist());
      await button(page, 'Edit Small flash').click();
      await page.getByLabel('Name').fill('Smaller flash');
      await button(page, 'Cancel').click();
      await expect(button(page, 'Discard')).toBeVisible();
    },
  },
  {
    name: 'services after one was deleted',
    async open(page) {
      await openPage(page, 'services', await newArtist());
      await button(page, 'More for Small flash').click();
      await button(page, 'Delete').click();
      await expect(button(page, 'Undo')).toBeVisible();
    },
  },
  {
    name: 'no designs yet',
    async open(page) {
      await openPage(page, 'designs', await newArtist());
      await expect(page.getByText('No designs yet')).toBeVisible();
    },
  },
  {
    name: 'designs of every status',
    async open(page) {
      const artist = await newArtist();
      const [, claimed, hidden] = await addDesigns(artist, ['Swallow', 'Dagger', 'Anchor']);
      await setStatus(artist, claimed?.id, 'claimed');
      await setStatus(artist, hidden?.id, 'hidden');
      await openPage(page, 'designs', artist);
      await expect(page.getByText('Claimed', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'a design that is edited',
    async open(page) {
      const artist = await newArtist();
      await addDesigns(artist, ['Swallow']);
      await openPage(page, 'designs', artist);
      await button(page, 'Edit Swallow').click();
      await page.getByLabel('Name').fill('');
      await button(page, 'Save').click();
      await expect(page.getByText('Name is required')).toBeVisible();
    },
  },
  {
    name: 'pictures on their way, one of them refused',
    async open(page) {
      await page.route('**/api/v1/designs/', () => {});
      await openPage(page, 'designs', await newArtist());
      await choose(page, 'Add designs', [
        await aPhoto('swallow_with_a_very_long_name_from_the_sketchbook_of_last_winter.jpg'),
        { name: 'line.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
        await aPhoto('dagger.jpg', 1),
        await aPhoto('anchor.jpg', 2),
      ]);
      await expect(page.getByText('Waiting…')).toHaveCount(2);
    },
  },
  {
    name: 'the portfolio',
    async open(page) {
      const artist = await newArtist();
      await addPictures(artist, 3);
      await openPage(page, 'portfolio', artist);
      await expect(page.getByRole('article')).toHaveCount(3);
    },
  },
  {
    name: 'no portfolio yet',
    async open(page) {
      await openPage(page, 'portfolio', await newArtist());
      await expect(page.getByText('No pictures yet')).toBeVisible();
    },
  },
  {
    name: 'a picture that is described',
    async open(page) {
      const artist = await newArtist();
      await addPictures(artist, 1);
      await openPage(page, 'portfolio', artist);
      await button(page, 'Edit picture 1').click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
];

async function openPage(page: Page, section: string, artist: TestArtist): Promise<void> {
  await logInAs(page, artist);
  await page.goto(`/studio/${section}`);
}

async function setStatus(
  { token }: TestArtist,
  id: string | undefined,
  status: string,
): Promise<void> {
  await expectOk(call(`PATCH /designs/${id}`, { token, json: { status } }));
}
