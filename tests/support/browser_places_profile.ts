import { expect, type Page } from '@playwright/test';
import { aPhoto, choose } from './browser_artwork.ts';
import { button } from './browser_booking.ts';
import { clientOf, enterVisit, told } from './browser_clients.ts';
import { logInAs } from './browser_login.ts';
import type { Place } from './browser_places.ts';
import { call, newArtist } from './browser_studio.ts';
import { expectOk } from './calls.ts';
import type { TestArtist } from './new_artist.ts';

const ROSA = {
  first_name: 'Rosa',
  last_name: 'Quint',
  email: 'rosa@example.com',
  phone_number: '+12125550100',
};
const LONG = { email: `${'long'.repeat(14)}@${'example'.repeat(6)}.com` };

/** The studio's clients and profile in what they can show. */
export const PROFILE_PLACES: readonly Place[] = [
  {
    name: 'the clients',
    async open(page) {
      await openClients(page, await visited());
      await expect(page.getByRole('link', { name: 'Rosa Quint' })).toBeVisible();
    },
  },
  {
    name: 'no clients yet',
    async open(page) {
      await openClients(page, await newArtist());
      await expect(page.getByText('No clients yet')).toBeVisible();
    },
  },
  {
    name: 'a search that finds nobody',
    async open(page) {
      await openClients(page, await visited(), '?search=nobody');
      await expect(page.getByText('Nobody found')).toBeVisible();
    },
  },
  {
    name: 'clients that cannot be loaded',
    async open(page, watch) {
      watch.expectTrouble(/clients.*ERR_FAILED/);
      await page.route('**/api/v1/clients/?*', (route) => route.abort());
      await openClients(page, await newArtist());
      await expect(button(page, 'Try again')).toBeVisible();
    },
  },
  {
    name: 'a client, with a message and notes that are being typed',
    async open(page) {
      const artist = await visited();
      const { id } = await clientOf(artist, ROSA.email);
      await openClients(page, artist, `?id=${id}`);
      await page.getByLabel('Your notes').fill('Nickel allergy');
      await page.getByLabel('Email', { exact: true }).fill('nowhere');
      await button(page, 'Save details').click();
      await expect(page.getByText('Invalid email address')).toBeVisible();
    },
  },
  {
    name: 'a client who is not there',
    async open(page, watch) {
      watch.expectTrouble(/clients\/.*: 404/);
      await openClients(page, await newArtist(), `?id=${crypto.randomUUID()}`);
      await expect(page.getByText('There is no such client')).toBeVisible();
    },
  },
  {
    name: 'the profile',
    async open(page) {
      await openProfile(page, await newArtist());
    },
  },
  {
    name: 'the profile of a newcomer, with messages',
    async open(page) {
      await openProfile(page, await newArtist({ scheduling_type: null }));
      await page.getByLabel('Full name').fill('');
      await page.getByLabel('Instagram').fill('no handle!');
      await button(page, 'Save about you').click();
      await page.getByLabel('New password', { exact: true }).fill('short');
      await button(page, 'Change password').click();
      await page.getByLabel('City').fill('');
      await button(page, 'Save studio').click();
      await expect(page.getByText('City is required')).toBeVisible();
    },
  },
  {
    name: 'a picture that is being cropped',
    async open(page) {
      await openProfile(page, await newArtist());
      await choose(page, 'Choose a picture', [await aPhoto('me.jpg')]);
      await expect(button(page, 'Use this picture')).toBeVisible();
    },
  },
  {
    name: 'a profile with a picture, just saved',
    async open(page) {
      await openProfile(page, await newArtist());
      await choose(page, 'Choose a picture', [await aPhoto('me.jpg')]);
      await button(page, 'Use this picture').click();
      await expect(told(page, 'Your new picture')).toBeVisible();
    },
  },
  {
    name: 'the question before a new username',
    async open(page) {
      await openProfile(page, await newArtist());
      await page.getByRole('textbox', { name: 'Username' }).fill('a-username-as-long-as-possible');
      await button(page, 'Change username').click();
      await expect(button(page, 'Change the address')).toBeVisible();
    },
  },
  {
    name: 'what a new address and time zone affect',
    async open(page) {
      await openProfile(page, await visited());
      await page.getByLabel('City').fill('Los Angeles');
      await page.getByRole('combobox', { name: 'Time zone' }).fill('los angeles');
      await page.getByRole('option', { name: /Los Angeles/ }).click();
      await expect(page.getByText('becomes').first()).toBeVisible();
    },
  },
  {
    name: 'the way out of an account, after a wrong password',
    async open(page, watch) {
      watch.expectTrouble(/POST .*\/access-token: 400/);
      await openProfile(page, await visited());
      await button(page, 'Delete the account…').click();
      await page.getByLabel('Your password', { exact: true }).fill('not the password');
      await button(page, 'Delete for good').click();
      await expect(page.getByText('That is not your password')).toBeVisible();
    },
  },
];

/** An artist who has been visited and will be. */
async function visited(): Promise<TestArtist> {
  const artist = await newArtist();
  await enterVisit(artist, ROSA, -2);
  await enterVisit(artist, ROSA, 3);
  await enterVisit(artist, LONG, 4);
  const { id } = await clientOf(artist, ROSA.email);
  const json = { notes: 'Sits well.', pronouns: 'she/her' };
  await expectOk(call(`PATCH /clients/${id}`, { token: artist.token, json }));
  return artist;
}

async function openClients(page: Page, artist: TestArtist, query = ''): Promise<void> {
  await logInAs(page, artist);
  await page.goto(`/studio/clients${query}`);
}

async function openProfile(page: Page, artist: TestArtist): Promise<void> {
  await logInAs(page, artist);
  await page.goto('/studio/profile');
  await expect(page.getByLabel('Full name')).toBeVisible();
}
