import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { CurrentArtist } from '#contract/artist.ts';
import { callSite, newSiteArtist } from '#support/browser_api.ts';
import { addDesigns, addPictures, chooseFiles, createPhoto } from '#support/browser_artwork.ts';
import { SUBSCRIPTION_STATES } from '#support/browser_billing.ts';
import { button } from '#support/browser_booking.ts';
import { enterAppointmentFor, findClient } from '#support/browser_clients.ts';
import { runStatement } from '#support/browser_database.ts';
import { openAs } from '#support/browser_login.ts';
import type { PageStates } from '#support/browser_page_states.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';

const FACTS = {
  description: 'A swallow in flight.',
  price: { kind: 'range', amount: 60_000, amount_to: 90_000 },
  width_mm: 100,
  height_mm: 120,
  placements: ['arms', 'legs', 'chest', 'back'],
  color: 'black',
  editions: 3,
};

const ROSA = {
  first_name: 'Rosa',
  last_name: 'Quint',
  email: 'rosa@example.com',
  phone_number: '+12125550100',
};

/** States of the studio's services, designs and portfolio, with prices and facts. */
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
  'a new service with messages': async (page) => {
    await openAs(page, await newSiteArtist(), '/studio/services');
    await button(page, 'Add service').click();
    await page.getByLabel('Length in minutes').fill('1');
    await page.getByRole('dialog').getByRole('button', { name: 'Add service' }).click();
    await expect(page.getByText('Name is required')).toBeVisible();
  },
  'designs of every status': async (page) => {
    const artist = await newSiteArtist();
    const [design, claimed, hidden] = await addDesigns(artist, ['Swallow', 'Dagger', 'Anchor']);
    for (const [id, json] of [
      [design?.id, FACTS],
      [claimed?.id, { status: 'claimed' }],
      [hidden?.id, { status: 'hidden' }],
    ] as const)
      await expectOk(callSite(`PATCH /designs/${id}`, { token: artist.token, json }));
    await openAs(page, artist, '/studio/designs');
    await expect(page.getByText('Claimed', { exact: true })).toBeVisible();
  },
  'a design being edited, with messages': async (page) => {
    const artist = await newSiteArtist();
    const [design] = await addDesigns(artist, ['Swallow']);
    await expectOk(callSite(`PATCH /designs/${design?.id}`, { token: artist.token, json: FACTS }));
    await openAs(page, artist, '/studio/designs');
    await button(page, 'Edit Swallow').click();
    await expect(page.getByLabel('Highest amount')).toHaveValue('900');
    await page.getByLabel('Name').fill('');
    await button(page, 'Save').click();
    await expect(page.getByText('Name is required')).toBeVisible();
  },
  'the portfolio': async (page) => {
    const artist = await newSiteArtist();
    await addPictures(artist, 3);
    await openAs(page, artist, '/studio/portfolio');
    await expect(page.getByRole('article')).toHaveCount(3);
  },
  'drafts as a sheet, with messages': async (page) => {
    await openAs(page, await newSiteArtist(), '/studio/designs');
    await chooseFiles(page, 'Add designs', [
      await createPhoto('rose.jpg'),
      await createPhoto('moth.jpg', 1),
    ]);
    const rose = page.getByRole('group', { name: 'Rose' });
    await rose.getByLabel('Price').fill('cheap');
    await rose.getByLabel('Width (in)').fill('wide');
    await rose.getByLabel('How often (empty: any)').fill('0');
    await button(page, 'Publish all 2').click();
    await expect(page.getByText(/^Must be a length up to/)).toBeVisible();
  },
};

const LONG_EMAIL = { email: `${'long'.repeat(14)}@${'example'.repeat(6)}.com` };

/** States of the studio's clients, profile, billing and operator's page. */
export const OTHER_PAGE_STATES: PageStates = {
  'the clients': async (page) => {
    await openAs(page, await createArtistWithClients(), '/studio/clients');
    await expect(page.getByRole('link', { name: 'Rosa Quint' })).toBeVisible();
  },
  'a client with unsaved notes and a message': async (page) => {
    const artist = await createArtistWithClients();
    const { id } = await findClient(artist, ROSA.email);
    await openAs(page, artist, `/studio/clients?id=${id}`);
    await page.getByLabel('Your notes').fill('Nickel allergy');
    await page.getByLabel('Email', { exact: true }).fill('nowhere');
    await button(page, 'Save details').click();
    await expect(page.getByText('Invalid email address')).toBeVisible();
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
  'prices and terms of the profile, with messages': async (page) => {
    await openAs(page, await newSiteArtist(), '/studio/profile#prices');
    await page.getByLabel('Expected deposit').fill('a lot');
    await button(page, 'Save prices and terms').click();
    await expect(page.getByText('Write the amount like 1,234.50')).toBeVisible();
  },
  'billing when the card provider does not answer': async (page, watch) => {
    watch.expectError(/create-checkout-session\/?: 503/);
    await page.route('**/create-checkout-session*', (route) =>
      route.fulfill({ status: 503, json: { detail: 'Please try again soon.' } }),
    );
    await mockSubscription(page, SUBSCRIPTION_STATES.trialOver);
    await openAs(page, await newSiteArtist(), '/studio/billing');
    await button(page, 'Subscribe').click();
    await expect(page.getByText('did not open')).toBeVisible();
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

/** Overrides fields of the artist's own record in the API response. */
async function mockSubscription(page: Page, changes: Partial<CurrentArtist>): Promise<void> {
  await page.route('**/api/v1/users/me', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...changes } });
  });
}

/** Creates a superuser of the tested site. */
async function newSiteSuperuser(): Promise<TestArtist> {
  const superuser = await newSiteArtist();
  await runStatement('UPDATE artists SET is_superuser = true WHERE id = $1', [superuser.self.id]);
  return superuser;
}

const ERROR_STACK = `at Client.query (/linework/node_modules/pg/lib/client.js:526:17)
at process.processTicksAndRejections (node:internal/process/task_queues:104:5)
at run (file:///linework/src/server/database/prepared_statements.ts:46:39)`;

/** Adds an error of a call; returns the id of its request. */
async function addServerError(): Promise<string> {
  const requestId = randomUUID();
  await runStatement(
    `INSERT INTO server_errors (request_id, route, status, name, code, message, stack)
    VALUES ($1, 'GET /api/v1/services/:service_id', 500, 'error', '42P01',
      'relation "clients" does not exist', $2)`,
    [requestId, ERROR_STACK],
  );
  return requestId;
}
