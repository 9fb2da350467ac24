import { expect, type Page } from '@playwright/test';
import { callSite, newSiteArtist } from './browser_api.ts';
import { chooseFiles, createPhoto } from './browser_artwork.ts';
import { button } from './browser_booking.ts';
import { enterAppointmentFor, findClient, successToast } from './browser_clients.ts';
import { openAs } from './browser_login.ts';
import { failsToLoad, type PageStates } from './browser_page_states.ts';
import { expectOk } from './call_api.ts';
import { PASSWORD, type TestArtist } from './new_artist.ts';

const ROSA = {
  first_name: 'Rosa',
  last_name: 'Quint',
  email: 'rosa@example.com',
  phone_number: '+12125550100',
};
const LONG_EMAIL = { email: `${'long'.repeat(14)}@${'example'.repeat(6)}.com` };

/** States of the studio's clients and profile. */
export const PROFILE_PAGE_STATES: PageStates = {
  'the clients': async (page) => {
    await openAs(page, await createArtistWithClients(), '/studio/clients');
    await expect(page.getByRole('link', { name: 'Rosa Quint' })).toBeVisible();
  },
  'no clients yet': async (page) => {
    await openAs(page, await newSiteArtist(), '/studio/clients');
    await expect(page.getByText('No clients yet')).toBeVisible();
  },
  'a search that finds nobody': async (page) => {
    await openAs(page, await createArtistWithClients(), '/studio/clients?search=nobody');
    await expect(page.getByText('Nobody found')).toBeVisible();
  },
  'clients that cannot be loaded': failsToLoad('/studio/clients', 'clients'),
  'a client with unsaved notes and a message': async (page) => {
    const artist = await createArtistWithClients();
    const { id } = await findClient(artist, ROSA.email);
    await openAs(page, artist, `/studio/clients?id=${id}`);
    await page.getByLabel('Your notes').fill('Nickel allergy');
    await page.getByLabel('Email', { exact: true }).fill('nowhere');
    await button(page, 'Save details').click();
    await expect(page.getByText('Invalid email address')).toBeVisible();
  },
  'a client who does not exist': async (page, watch) => {
    watch.expectError(/clients\/.*: 404/);
    await openAs(page, await newSiteArtist(), `/studio/clients?id=${crypto.randomUUID()}`);
    await expect(page.getByText('There is no such client')).toBeVisible();
  },
  'the profile': async (page) => {
    await openProfile(page, await newSiteArtist());
  },
  'the profile of a new artist, with messages': async (page) => {
    await openProfile(page, await newSiteArtist({ scheduling_type: null }));
    await page.getByLabel('Full name').fill('');
    await page.getByLabel('Instagram').fill('no handle!');
    await button(page, 'Save about you').click();
    await page.getByLabel('New password', { exact: true }).fill('short');
    await button(page, 'Change password').click();
    await page.getByLabel('City', { exact: true }).fill('');
    await button(page, 'Save studio').click();
    await expect(page.getByText('City is required')).toBeVisible();
  },
  'a picture being cropped': async (page) => {
    await openProfile(page, await newSiteArtist());
    await chooseFiles(page, 'Choose a picture', [await createPhoto('me.jpg')]);
    await expect(button(page, 'Use this picture')).toBeVisible();
  },
  'a profile with a picture, just saved': async (page) => {
    await openProfile(page, await newSiteArtist());
    await chooseFiles(page, 'Choose a picture', [await createPhoto('me.jpg')]);
    await button(page, 'Use this picture').click();
    await expect(successToast(page, 'Your new picture')).toBeVisible();
  },
  'the confirmation before changing the username': async (page) => {
    await openProfile(page, await newSiteArtist());
    await page.getByRole('textbox', { name: 'Username' }).fill('a-username-as-long-as-possible');
    await button(page, 'Change username').click();
    await expect(button(page, 'Change the address')).toBeVisible();
  },
  'the question before a new address and time zone are saved': async (page) => {
    await openProfile(page, await createArtistWithClients());
    await page.getByLabel('City', { exact: true }).fill('Los Angeles');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('los angeles');
    await page.getByRole('option', { name: /Los_Angeles/ }).click();
    await button(page, 'Save studio').click();
    await expect(page.getByText('becomes').first()).toBeVisible();
  },
  'a new email that waits, and what happened lately': async (page) => {
    const artist = await newSiteArtist();
    const json = { email: LONG_EMAIL.email, current_password: PASSWORD };
    await expectOk(callSite('PATCH /users/me', { token: artist.token, json }));
    await openProfile(page, artist);
    await page.getByText('What happened lately', { exact: true }).click();
    await expect(page.getByText('New email asked for')).toBeVisible();
  },
  'another email on the page, missing': async (page) => {
    await openProfile(page, await newSiteArtist());
    await page.getByText('Another email').click();
    await button(page, 'Save what clients see').click();
    await expect(page.getByText('Email is required')).toBeVisible();
  },
  'adding a passkey': async (page) => {
    await openProfile(page, await newSiteArtist());
    await button(page, 'Add a passkey…').click();
    await expect(page.getByRole('dialog', { name: 'Add a passkey' })).toBeVisible();
  },
  'deleting the account, after a wrong password': async (page, watch) => {
    watch.expectError(/POST .*\/access-token: 400/);
    await openProfile(page, await createArtistWithClients());
    await button(page, 'Delete the account…').click();
    await page.getByLabel('Your password', { exact: true }).fill('not the password');
    await button(page, 'Delete for good').click();
    await expect(page.getByText('That is not your password')).toBeVisible();
  },
};

/** An artist whose clients have past and future appointments. */
async function createArtistWithClients(): Promise<TestArtist> {
  const artist = await newSiteArtist();
  await enterAppointmentFor(artist, ROSA, -2);
  await enterAppointmentFor(artist, ROSA, 3);
  await enterAppointmentFor(artist, LONG_EMAIL, 4);
  const { id } = await findClient(artist, ROSA.email);
  const json = { notes: 'Sits well.', pronouns: 'she/her' };
  await expectOk(callSite(`PATCH /clients/${id}`, { token: artist.token, json }));
  return artist;
}

async function openProfile(page: Page, artist: TestArtist): Promise<void> {
  await openAs(page, artist, '/studio/profile');
  await expect(page.getByLabel('Full name')).toBeVisible();
}
