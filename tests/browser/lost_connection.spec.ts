import type { Page } from '@playwright/test';
import { dateIn, monthAfter, monthOf, monthParts } from '#domain/show_time.ts';
import { expect, test } from '#support/browser.ts';
import {
  button,
  expectTyped,
  fillIn,
  openForm,
  pickSlot,
  STUDIO_ZONE,
  saveAndGo,
  scriptsDone,
  selectedTime,
  toast,
} from '#support/browser_booking.ts';
import { appointmentsOf, bookSlot, FILLED_FORM, openDays } from '#support/browser_studio.ts';
import type { Watch } from '#support/browser_watch.ts';
import { expectOk } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';

const LOST = 'The connection was lost, so we cannot tell whether this was sent.';
const REQUESTS = '**/api/v1/appointments/request/**';

/** The keys of the requests that the page sends from now on. */
function keysOf(page: Page): readonly string[] {
  const keys: string[] = [];
  page.on('request', (request) => {
    const key = request.headers()['idempotency-key'];
    if (key !== undefined) keys.push(key);
  });
  return keys;
}

async function fillForm(page: Page, artist: TestArtist) {
  const [day] = await openDays(artist);
  const slot = day?.windows[2];
  if (!day || !slot) throw new Error('No open days');
  await openForm(page, artist);
  await pickSlot(page, day, slot);
  await fillIn(page, FILLED_FORM);
  return slot;
}

/** Presses Save; the server books, but its answer never reaches the page. */
async function saveAndLoseTheAnswer(page: Page, watch: Watch): Promise<void> {
  watch.expectTrouble(/request\/(service|design).*: net::ERR_CONNECTION_RESET/);
  await page.route(
    REQUESTS,
    async (route) => {
      expect((await route.fetch()).status()).toBe(201);
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await button(page, 'Save').click();
  await expect(toast(page, LOST)).toBeVisible();
}

test('without a connection the details stay, and saving works once it is back', async ({
  page,
  context,
  artist,
  watch,
}) => {
  const slot = await fillForm(page, artist);
  const keys = keysOf(page);
  watch.expectTrouble(/request\/service.*: net::ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await button(page, 'Save').click();
  await expect(toast(page, LOST)).toBeVisible();
  await expectTyped(page, FILLED_FORM);
  await expect(page.getByText(selectedTime(slot))).toBeVisible();
  expect(await appointmentsOf(artist.token)).toEqual([]);

  await context.setOffline(false);
  const id = await saveAndGo(page, artist.username);
  expect(await appointmentsOf(artist.token)).toMatchObject([{ id, ...slot, status: 'held' }]);
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('an answer that was lost on its way books once: trying again leads to the first booking', {
  tag: '@desktop',
}, async ({ page, artist, watch }) => {
  const slot = await fillForm(page, artist);
  const keys = keysOf(page);
  await saveAndLoseTheAnswer(page, watch);
  await expectTyped(page, FILLED_FORM);
  const [first] = await appointmentsOf(artist.token);

  const id = await saveAndGo(page, artist.username);
  expect(id).toBe(first?.id);
  expect(await appointmentsOf(artist.token)).toMatchObject([{ id, ...slot, status: 'held' }]);
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('after a lost answer a reload and another try still book once', async ({
  page,
  artist,
  watch,
}) => {
  await fillForm(page, artist);
  await saveAndLoseTheAnswer(page, watch);
  await page.reload();
  await scriptsDone(page);
  await expectTyped(page, FILLED_FORM);
  const id = await saveAndGo(page, artist.username);
  expect(await appointmentsOf(artist.token)).toMatchObject([{ id }]);
});

test('a request whose answer was lost is made once', async ({ page, managedArtist, watch }) => {
  await page.goto(`/${managedArtist.username}/scheduling`);
  await fillIn(page, FILLED_FORM);
  const keys = keysOf(page);
  await saveAndLoseTheAnswer(page, watch);
  await expectTyped(page, FILLED_FORM);
  const id = await saveAndGo(page, managedArtist.username);
  expect(await appointmentsOf(managedArtist.token)).toMatchObject([{ id, status: 'requested' }]);
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('pressing Save twice sends once', async ({ page, artist }) => {
  await fillForm(page, artist);
  const keys = keysOf(page);
  await button(page, 'Save').dblclick();
  await page.waitForURL('**/confirmation/**');
  expect(keys).toHaveLength(1);
  expect(await appointmentsOf(artist.token)).toHaveLength(1);
});

test('a month that could not be loaded is told and can be tried again', async ({
  page,
  artist,
  watch,
}) => {
  watch.expectTrouble(/availability.*: net::ERR_CONNECTION_RESET/);
  await openForm(page, artist);
  // The first month comes with the page.
  const second = monthAfter(monthOf(dateIn(STUDIO_ZONE, Date.now())), 1);
  await page.route(
    `**/availability?*month=${monthParts(second).number}`,
    (route) => route.abort('connectionreset'),
    { times: 1 },
  );
  await button(page, 'Next').click();
  await expect(page.getByText('The available days could not be loaded.')).toBeVisible();
  await button(page, 'Try again').click();
  await expect(page.getByText('The available days could not be loaded.')).toHaveCount(0);
  const day = (await openDays(artist)).find(({ date }) => monthOf(date) === second);
  const slot = day?.windows[0];
  if (!day || !slot) throw new Error('No open days');
  await pickSlot(page, day, slot);
});

test('confirming without a connection says that it is safe to try again, and it is', async ({
  page,
  context,
  artist,
  watch,
}) => {
  const [day] = await openDays(artist);
  const slot = day?.windows[0];
  if (!slot) throw new Error('No open days');
  const { id } = await expectOk(bookSlot(artist, slot));
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await scriptsDone(page);
  watch.expectTrouble(/confirmation\/.*: net::ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await button(page, 'Confirm Appointment').click();
  await expect(toast(page, 'The connection was lost. It is safe to try again.')).toBeVisible();
  await context.setOffline(false);
  await button(page, 'Confirm Appointment').click();
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
});
