import { expect, type Page } from '@playwright/test';
import { addFailedMail, addServerError, newSiteSuperuser } from './browser_admin.ts';
import { newSiteArtist } from './browser_api.ts';
import { button } from './browser_booking.ts';
import { openAs } from './browser_login.ts';
import type { PageStates } from './browser_page_states.ts';
import { PASSWORD } from './new_artist.ts';

/** States of the operator's page. */
export const ADMIN_PAGE_STATES: PageStates = {
  'the operator’s artists': async (page) => {
    await openAs(page, await newSiteSuperuser(), '/studio/admin');
    await expect(page.getByRole('list', { name: 'Artists' })).toBeVisible();
  },
  'a search for an artist that finds nobody': async (page) => {
    await openAs(page, await newSiteSuperuser(), '/studio/admin');
    await page.getByLabel('Search artists').fill('nobody at all');
    await expect(page.getByText('Nothing found')).toBeVisible();
  },
  'the question before a deactivation': async (page) => {
    const { username } = await openArtist(page);
    await button(page, `Deactivate… ${username}`).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  'a recovery link': async (page) => {
    const { username } = await openArtist(page);
    await button(page, `Recovery link… for ${username}`).click();
    await page.getByLabel('Your own password', { exact: true }).fill(PASSWORD);
    await button(page, 'Make the link').click();
    await expect(page.getByLabel('Link', { exact: true })).toBeVisible();
  },
  'the operator’s failed mail': async (page) => {
    await addFailedMail(await newSiteArtist());
    await openAs(page, await newSiteSuperuser(), '/studio/admin#mail');
    await expect(page.getByText('550 No such mailbox').first()).toBeVisible();
  },
  'the operator’s jobs': async (page) => {
    await openAs(page, await newSiteSuperuser(), '/studio/admin#jobs');
    await expect(page.getByText(/^Without jobs/)).toBeVisible();
  },
  'an error of the server': async (page) => {
    const requestId = await addServerError();
    await openAs(page, await newSiteSuperuser(), '/studio/admin#errors');
    await page.getByLabel('Search errors').fill(requestId);
    await expect(page.getByRole('list', { name: 'Errors' }).getByRole('listitem')).toHaveCount(1);
    await page.getByText('Where it happened').click();
  },
  'the server and what the doctor found': async (page) => {
    await openAs(page, await newSiteSuperuser(), '/studio/admin#server');
    await button(page, 'Check now').click();
    await page.getByText(/^What is fine/).click({ timeout: 30_000 });
    await expect(page.getByRole('list', { name: 'What is fine' })).toBeVisible();
  },
  'the operator’s actions': async (page) => {
    const { username } = await openArtist(page);
    await button(page, `Deactivate… ${username}`).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await expect(button(page, `Activate ${username}`)).toBeVisible();
    await page.getByRole('link', { name: 'Actions' }).click();
    await expect(page.getByText(`Deactivated ${username}`)).toBeVisible();
  },
  'the operator’s page for an artist': async (page) => {
    await openAs(page, await newSiteArtist(), '/studio/admin');
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  },
};

/** Opens the operator's page with one artist on it. */
async function openArtist(page: Page) {
  const artist = await newSiteArtist();
  await openAs(page, await newSiteSuperuser(), '/studio/admin');
  await page.getByLabel('Search artists').fill(artist.username);
  await expect(page.getByRole('list', { name: 'Artists' }).getByRole('listitem')).toHaveCount(1);
  return artist;
}
