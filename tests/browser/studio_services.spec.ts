import type { Locator, Page } from '@playwright/test';
import type { ListPage } from '#contract/common.ts';
import type { Service } from '#contract/service.ts';
import { expect, test } from '#support/browser.ts';
import { callSite } from '#support/browser_api.ts';
import { chooseMenuItem, dragItem, grabByKeyboard, itemNames } from '#support/browser_artwork.ts';
import { button } from '#support/browser_booking.ts';
import { tabTo } from '#support/browser_keyboard.ts';
import { logInAs } from '#support/browser_login.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';

const NAMES = ['Small flash', 'Full day', 'Touch-up'];

/** Opens the page of an artist with three services. */
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
  return expectOk(callSite<Service>('POST /services', { token, json }));
}

const names = (page: Page) => itemNames(page, 'Services');

/** The names of the services that clients can book, in order. */
async function fetchAvailableNames({ username }: TestArtist): Promise<string[]> {
  const { data } = await expectOk(
    callSite<ListPage<Service>>(`GET /services/${username}/available`),
  );
  return data.map(({ name }) => name);
}

async function expectAvailable(artist: TestArtist, expected: readonly string[]): Promise<void> {
  await expect.poll(() => fetchAvailableNames(artist)).toEqual(expected);
}

test('a new artist adds a first service on a phone, and clients see it', async ({
  page,
  artist,
}) => {
  const { token, service, username } = artist;
  await expectOk(callSite(`DELETE /services/${service.id}`, { token }));
  await openPage(page, artist);
  await expect(page.getByText('No services yet')).toBeVisible();

  await button(page, 'Add your first service').click();
  await page.getByLabel('Name').fill('Small flash, black');
  await page.keyboard.press('Escape');
  await expect(page.getByText('Discard your changes?')).toBeVisible();
  await button(page, 'Keep editing').click();
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

test('services are reordered by keyboard and by mouse and deleted, and clients see it', async ({
  page,
  artist,
}) => {
  await openThree(page, artist);
  await test.step('Escape cancels a move by keyboard', async () => {
    await button(page, 'Move Small flash').focus();
    await grabByKeyboard(page, 'Space', 'Picked up Small flash, number 1 of 3.');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByText('Small flash would be number 2 of 3.')).toBeAttached();
    await page.keyboard.press('Escape');
    await expect(page.getByText('Small flash is back, number 1 of 3.')).toBeAttached();
    await expect(names(page)).toHaveText(NAMES);
    expect(await fetchAvailableNames(artist)).toEqual(NAMES);
  });

  await test.step('the keyboard moves a service, with announcements, and keeps the focus', async () => {
    await tabTo(page, button(page, 'Move Touch-up'));
    await grabByKeyboard(page, 'Space', 'Picked up Touch-up, number 3 of 3.');
    await page.keyboard.press('ArrowUp');
    await expect(page.getByText('Touch-up would be number 2 of 3.')).toBeAttached();
    await page.keyboard.press('ArrowUp');
    await expect(page.getByText('Touch-up would be number 1 of 3.')).toBeAttached();
    await page.keyboard.press('Space');
    await expect(page.getByText('Touch-up is now number 1 of 3.')).toBeAttached();
    await expect(names(page)).toHaveText(['Touch-up', 'Small flash', 'Full day']);
    await expect(button(page, 'Move Touch-up')).toBeFocused();
    await expectAvailable(artist, ['Touch-up', 'Small flash', 'Full day']);
  });

  await test.step('the mouse moves a service on a wide page', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await dragItem(page, 'Touch-up', 'Full day');
    await expect(names(page)).toHaveText(['Small flash', 'Full day', 'Touch-up']);
    await expectAvailable(artist, NAMES);
  });

  await test.step('leaving the page sends a pending deletion immediately', async () => {
    await chooseMenuItem(page, 'Small flash', 'Delete');
    await page.goto(`/${artist.username}/services`);
    await expectAvailable(artist, ['Full day', 'Touch-up']);
  });

  await page.reload();
  await expect(page.getByRole('heading', { level: 3 })).toHaveText(['Full day', 'Touch-up']);
});

/** The browser closes the dialog on a later press, and the page opens it again before the next one. */
async function pressEscapeRepeatedly(page: Page, dialog: Locator): Promise<void> {
  for (let press = 1; press <= 5; press += 1) {
    await page.keyboard.press('Escape');
    await expect(dialog).toBeVisible();
  }
}

test('a dialog that the browser closes, as after repeated Escape, stays open with its input', async ({
  page,
  artist,
  watch,
}) => {
  await openPage(page, artist);
  const edit = button(page, `Edit ${artist.service.name}`);
  const dialog = page.getByRole('dialog', { name: 'Edit service' });
  await edit.click();
  await page.getByLabel('Description').fill('Up to 3 inches.');
  await pressEscapeRepeatedly(page, dialog);
  await expect(page.getByText('Discard your changes?')).toBeVisible();
  await button(page, 'Keep editing').click();
  await expect(page.getByLabel('Description')).toHaveValue('Up to 3 inches.');

  await test.step('also while it saves', async () => {
    watch.expectError(/PATCH .*services.*: 422/);
    const answered = Promise.withResolvers<void>();
    await page.route('**/api/v1/services/*', async (route) => {
      await answered.promise;
      const detail = [{ loc: ['body', 'name'], msg: 'Choose another name', type: 'value_error' }];
      await route.fulfill({ status: 422, json: { detail } });
    });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(button(page, 'Saving…')).toBeVisible();
    await pressEscapeRepeatedly(page, dialog);
    answered.resolve();
    await expect(dialog.getByText('Choose another name')).toBeVisible();
    await expect(page.getByLabel('Name')).toBeFocused();
  });

  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await button(page, 'Discard').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await edit.click();
  await expect(dialog).toBeVisible();
});
