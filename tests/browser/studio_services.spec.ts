import type { Page } from '@playwright/test';
import type { Listed } from '#contract/common.ts';
import type { Service } from '#contract/service.ts';
import { expect, test } from '#support/browser.ts';
import { chooseFor, drag, namesIn } from '#support/browser_artwork.ts';
import { button, toast } from '#support/browser_booking.ts';
import { tabTo } from '#support/browser_keyboard.ts';
import { logInAgain, logInAs } from '#support/browser_login.ts';
import { call, newArtist } from '#support/browser_studio.ts';
import { expectOk } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';

const NAMES = ['Small flash', 'Full day', 'Touch-up'];

/** The page of an artist with these three services. */
async function openThree(page: Page, artist: TestArtist): Promise<void> {
  for (const name of NAMES.slice(1)) await addService(artist, name);
  await openPage(page, artist);
  await expect(names(page)).toHaveText(NAMES);
}

async function openPage(page: Page, artist: TestArtist): Promise<void> {
  await logInAs(page, artist);
  await page.goto('/studio/services');
}

function addService({ token }: TestArtist, name: string): Promise<Service> {
  const json = { name, description: '', duration: 90 };
  return expectOk(call<Service>('POST /services', { token, json }));
}

const names = (page: Page) => namesIn(page, 'Services');

/** What clients can book, in their order. */
async function offered({ username }: TestArtist): Promise<string[]> {
  const { data } = await expectOk(call<Listed<Service>>(`GET /services/${username}/available`));
  return data.map(({ name }) => name);
}

async function expectOffered(artist: TestArtist, expected: readonly string[]): Promise<void> {
  await expect.poll(() => offered(artist)).toEqual(expected);
}

test('a newcomer adds a first service on a phone, and clients see it', async ({ page, artist }) => {
  const { token, service, username } = artist;
  await expectOk(call(`DELETE /services/${service.id}`, { token }));
  await openPage(page, artist);
  await expect(page.getByText('No services yet')).toBeVisible();

  await button(page, 'Add your first service').click();
  await page.getByLabel('Name').fill('Small flash, black');
  await button(page, '1 h 30 min').click();
  await page.getByLabel('Description').fill('Up to 3 inches.');
  await page.getByRole('dialog').getByRole('button', { name: 'Add service' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: 'Service added.' })).toBeVisible();
  await expect(names(page)).toHaveText(['Small flash, black']);

  await page.goto(`/${username}/services`);
  await expect(page.getByRole('heading', { name: 'Small flash, black' })).toBeVisible();
  await expect(page.getByText('90 minutes')).toBeVisible();
});

test('an artist who takes requests reads why no service is booked', async ({
  page,
  managedArtist,
}) => {
  await openPage(page, managedArtist);
  await expect(page.getByText('Clients send you requests and you set the times')).toBeVisible();
  await expect(page.getByRole('link', { name: 'How clients book' })).toHaveAttribute(
    'href',
    '/studio/profile#booking',
  );
});

test('what is wrong with a service stands beside its field, and nothing is sent', async ({
  page,
  artist,
}) => {
  await openPage(page, artist);
  await button(page, 'Add service').click();
  await page.getByLabel('Length in minutes').fill('3');
  await page.getByRole('dialog').getByRole('button', { name: 'Add service' }).click();
  await expect(page.getByText('Name is required')).toBeVisible();
  await expect(page.getByText('Must be 5 to 1440 whole minutes')).toBeVisible();
  await page.getByLabel('Length in minutes').fill('');
  await page.getByLabel('Length in minutes').blur();
  await expect(page.getByText('Must be 5 to 1440 whole minutes')).toBeVisible();
  expect(await offered(artist)).toEqual(['Small flash']);
});

test('a service is changed, and a refusal keeps what was typed', async ({
  page,
  artist,
  watch,
}) => {
  watch.expectTrouble(/PATCH .*\/services\/.*ERR_FAILED/);
  await openThree(page, artist);
  await button(page, 'Edit Full day').click();
  await page.getByLabel('Name').fill('Full day, in color');
  await page.route(/\/services\/[^?]+$/, (route) => route.abort(), { times: 1 });
  await button(page, 'Save').click();
  await expect(page.getByRole('alert').filter({ hasText: 'still here' })).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue('Full day, in color');
  await button(page, 'Save').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(names(page)).toHaveText(['Small flash', 'Full day, in color', 'Touch-up']);
  await expectOffered(artist, ['Small flash', 'Full day, in color', 'Touch-up']);
});

test('a dialog asks before it drops what was typed', async ({ page, artist }) => {
  await openPage(page, artist);
  await button(page, 'Add service').click();
  await page.getByLabel('Name').fill('Cover-up');
  await page.keyboard.press('Escape');
  await expect(page.getByText('Discard your changes?')).toBeVisible();
  await button(page, 'Keep editing').click();
  await expect(page.getByLabel('Name')).toHaveValue('Cover-up');
  await button(page, 'Cancel').click();
  await button(page, 'Discard').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a hidden service is not offered to clients until it is shown again', async ({
  page,
  artist,
}) => {
  await openThree(page, artist);
  await chooseFor(page, 'Full day', 'Hide from clients');
  await expect(page.getByText('Clients do not see it.')).toBeVisible();
  await expectOffered(artist, ['Small flash', 'Touch-up']);
  await chooseFor(page, 'Full day', 'Show to clients');
  await expectOffered(artist, NAMES);
});

test('the order is changed by keyboard, is told, and clients see it', async ({ page, artist }) => {
  await openThree(page, artist);
  await tabTo(page, button(page, 'Move Touch-up'));
  await page.keyboard.press('Space');
  await expect(page.getByText('Picked up Touch-up, number 3 of 3.')).toBeAttached();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText('Touch-up would be number 2 of 3.')).toBeAttached();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText('Touch-up would be number 1 of 3.')).toBeAttached();
  await page.keyboard.press('Space');
  await expect(page.getByText('Touch-up is now number 1 of 3.')).toBeAttached();
  await expect(names(page)).toHaveText(['Touch-up', 'Small flash', 'Full day']);
  await expect(button(page, 'Move Touch-up')).toBeFocused();
  await expectOffered(artist, ['Touch-up', 'Small flash', 'Full day']);

  await page.goto(`/${artist.username}/services`);
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([
    'Touch-up',
    'Small flash',
    'Full day',
  ]);
});

test('Escape puts back what was picked up by keyboard', async ({ page, artist }) => {
  await openThree(page, artist);
  await button(page, 'Move Small flash').focus();
  await page.keyboard.press('Space');
  await expect(page.getByText(/^Picked up Small flash/)).toBeAttached();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByText('Small flash would be number 2 of 3.')).toBeAttached();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Small flash is back, number 1 of 3.')).toBeAttached();
  await expect(names(page)).toHaveText(NAMES);
  expect(await offered(artist)).toEqual(NAMES);
});

test('the order is changed with the mouse @desktop', async ({ page, artist }) => {
  await openThree(page, artist);
  await drag(page, 'Small flash', 'Touch-up');
  await expect(names(page)).toHaveText(['Full day', 'Touch-up', 'Small flash']);
  await expectOffered(artist, ['Full day', 'Touch-up', 'Small flash']);
});

test('the menu moves a service too, several times in a row', async ({ page, artist }) => {
  await openThree(page, artist);
  await chooseFor(page, 'Small flash', 'Move down');
  await chooseFor(page, 'Small flash', 'Move down');
  await chooseFor(page, 'Full day', 'Move to the end');
  await expect(button(page, 'More for Full day')).toBeFocused();
  await expect(page.getByText('Full day is now number 3 of 3.')).toBeAttached();
  await expectOffered(artist, ['Touch-up', 'Small flash', 'Full day']);
});

test('an order that cannot be saved is told and taken back', async ({ page, artist, watch }) => {
  watch.expectTrouble(/PATCH .*\/services\/.*ERR_FAILED/);
  await openThree(page, artist);
  await page.route(/\/services\/[^?]+$/, (route) => route.abort());
  await chooseFor(page, 'Touch-up', 'Move to the start');
  await expect(toast(page, 'The order was not saved.')).toBeVisible();
  await expect(names(page)).toHaveText(NAMES);
});

test('a deleted service comes back to its place with Undo', async ({ page, artist }) => {
  await openThree(page, artist);
  await chooseFor(page, 'Full day', 'Delete');
  await expect(names(page)).toHaveText(['Small flash', 'Touch-up']);
  // Whoever works by keyboard goes on from there.
  await expect(page.getByRole('list', { name: 'Services' })).toBeFocused();
  await button(page, 'Undo').click();
  await expect(names(page)).toHaveText(NAMES);
  await page.reload();
  await expect(names(page)).toHaveText(NAMES);
  expect(await offered(artist)).toEqual(NAMES);
});

test('without Undo a deleted service is gone once its message is', async ({ page, artist }) => {
  await openThree(page, artist);
  await chooseFor(page, 'Full day', 'Delete');
  await expect(button(page, 'Undo')).toBeVisible();
  expect(await offered(artist)).toEqual(NAMES);
  await button(page, 'Close: Deleted.').click();
  await expectOffered(artist, ['Small flash', 'Touch-up']);
  await expect(names(page)).toHaveText(['Small flash', 'Touch-up']);
});

test('leaving the page deletes what was about to be deleted', async ({ page, artist }) => {
  await openThree(page, artist);
  await chooseFor(page, 'Full day', 'Delete');
  await chooseFor(page, 'Touch-up', 'Delete');
  await page.goto(`/${artist.username}/services`);
  await expectOffered(artist, ['Small flash']);
});

test('logging out deletes what was about to be deleted', async ({ page, artist }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await openThree(page, artist);
  await chooseFor(page, 'Touch-up', 'Delete');
  await button(page, 'Log out').click();
  await page.waitForURL('**/login');
  await expectOffered(artist, ['Small flash', 'Full day']);
});

test('a service that cannot be deleted comes back, and the artist is told', async ({
  page,
  artist,
  watch,
}) => {
  watch.expectTrouble(/DELETE .*\/services\/.*ERR_FAILED/);
  await openThree(page, artist);
  await page.route(/\/services\/[^?]+$/, (route) => route.abort());
  await chooseFor(page, 'Full day', 'Delete');
  await expect(names(page)).toHaveText(['Small flash', 'Touch-up']);
  await button(page, 'Close: Deleted.').click();
  await expect(toast(page, '“Full day” was not deleted.')).toBeVisible();
  await expect(names(page)).toHaveText(NAMES);
});

test('what was typed into a service outlives an expired login', async ({ page, artist, watch }) => {
  watch.expectTrouble(/POST .*\/services\/: 401/);
  await openPage(page, artist);
  await button(page, 'Add service').click();
  await page.getByLabel('Name').fill('Cover-up');
  await button(page, '3 h').click();
  await page.route(
    '**/api/v1/services/',
    (route) => route.fulfill({ status: 401, json: { detail: 'Please log in' } }),
    { times: 1 },
  );
  await page.getByRole('dialog').getByRole('button', { name: 'Add service' }).click();
  await page.waitForURL(/\/login\?next=%2Fstudio%2Fservices/);

  await logInAgain(page, artist);
  await page.goto('/studio/services');
  await expect(page.getByLabel('Name')).toHaveValue('Cover-up');
  await expect(page.getByLabel('Length in minutes')).toHaveValue('180');
  await page.getByRole('dialog').getByRole('button', { name: 'Add service' }).click();
  await expectOffered(artist, ['Small flash', 'Cover-up']);
});

test('a list that cannot be loaded says so and is tried again', async ({ page, watch }) => {
  watch.expectTrouble(/GET .*\/services\/.*: 503/);
  const artist = await newArtist();
  await page.route(
    '**/api/v1/services/?*',
    (route) => route.fulfill({ status: 503, json: { detail: 'Too busy' } }),
    { times: 1 },
  );
  await openPage(page, artist);
  await expect(page.getByText('The services could not be loaded. Too busy')).toBeVisible();
  await button(page, 'Try again').click();
  await expect(names(page)).toHaveText(['Small flash']);
});
