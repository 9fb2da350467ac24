import { expect } from '@playwright/test';
import { callSite, newSiteArtist } from './browser_api.ts';
import { addDesigns, addPictures, chooseFiles, createPhoto } from './browser_artwork.ts';
import { button } from './browser_booking.ts';
import { openAs } from './browser_login.ts';
import { failsToLoad, type PageStates } from './browser_page_states.ts';
import { expectOk } from './call_api.ts';
import type { TestArtist } from './new_artist.ts';

/** States of the studio's services, designs and portfolio. */
export const ARTWORK_PAGE_STATES: PageStates = {
  'the services, one of them hidden and its menu open': async (page) => {
    const artist = await newSiteArtist();
    const json = { name: 'Full day', description: 'Bring snacks.', duration: 480 };
    await expectOk(
      callSite('POST /services', { token: artist.token, json: { ...json, is_available: false } }),
    );
    await openAs(page, artist, '/studio/services');
    await button(page, 'More for Full day').click();
    await expect(button(page, 'Show to clients')).toBeVisible();
  },
  'no services yet': async (page) => {
    const artist = await newSiteArtist();
    await expectOk(callSite(`DELETE /services/${artist.service.id}`, { token: artist.token }));
    await openAs(page, artist, '/studio/services');
    await expect(page.getByText('No services yet')).toBeVisible();
  },
  'services that cannot be loaded': failsToLoad('/studio/services', 'services'),
  'a new service with messages': async (page) => {
    await openAs(page, await newSiteArtist(), '/studio/services');
    await button(page, 'Add service').click();
    await page.getByLabel('Length in minutes').fill('1');
    await page.getByRole('dialog').getByRole('button', { name: 'Add service' }).click();
    await expect(page.getByText('Name is required')).toBeVisible();
  },
  'the dialog that asks whether to discard unsaved changes': async (page) => {
    await openAs(page, await newSiteArtist(), '/studio/services');
    await button(page, 'Edit Small flash').click();
    await page.getByLabel('Name').fill('Smaller flash');
    await button(page, 'Cancel').click();
    await expect(button(page, 'Discard')).toBeVisible();
  },
  'services after one was deleted': async (page) => {
    await openAs(page, await newSiteArtist(), '/studio/services');
    await button(page, 'More for Small flash').click();
    await button(page, 'Delete').click();
    await expect(button(page, 'Undo')).toBeVisible();
  },
  'no designs yet': async (page) => {
    await openAs(page, await newSiteArtist(), '/studio/designs');
    await expect(page.getByText('No designs yet')).toBeVisible();
  },
  'designs of every status': async (page) => {
    const artist = await newSiteArtist();
    const [, claimed, hidden] = await addDesigns(artist, ['Swallow', 'Dagger', 'Anchor']);
    await setStatus(artist, claimed?.id, 'claimed');
    await setStatus(artist, hidden?.id, 'hidden');
    await openAs(page, artist, '/studio/designs');
    await expect(page.getByText('Claimed', { exact: true })).toBeVisible();
  },
  'a design being edited, with messages': async (page) => {
    const artist = await newSiteArtist();
    await addDesigns(artist, ['Swallow']);
    await openAs(page, artist, '/studio/designs');
    await button(page, 'Edit Swallow').click();
    await page.getByLabel('Name').fill('');
    await button(page, 'Save').click();
    await expect(page.getByText('Name is required')).toBeVisible();
  },
  'pictures being uploaded, one of them refused': async (page) => {
    await page.route('**/api/v1/designs/', () => {});
    await openAs(page, await newSiteArtist(), '/studio/designs');
    await chooseFiles(page, 'Add designs', [
      await createPhoto('swallow_with_a_very_long_name_from_the_sketchbook_of_last_winter.jpg'),
      { name: 'line.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
      await createPhoto('dagger.jpg', 1),
      await createPhoto('anchor.jpg', 2),
    ]);
    await expect(page.getByText('Waiting…')).toHaveCount(2);
  },
  'the portfolio': async (page) => {
    const artist = await newSiteArtist();
    await addPictures(artist, 3);
    await openAs(page, artist, '/studio/portfolio');
    await expect(page.getByRole('article')).toHaveCount(3);
  },
  'no portfolio yet': async (page) => {
    await openAs(page, await newSiteArtist(), '/studio/portfolio');
    await expect(page.getByText('No pictures yet')).toBeVisible();
  },
  'a picture being edited': async (page) => {
    const artist = await newSiteArtist();
    await addPictures(artist, 1);
    await openAs(page, artist, '/studio/portfolio');
    await button(page, 'Edit picture 1').click();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
};

async function setStatus(
  { token }: TestArtist,
  id: string | undefined,
  status: string,
): Promise<void> {
  await expectOk(callSite(`PATCH /designs/${id}`, { token, json: { status } }));
}
