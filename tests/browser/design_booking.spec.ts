import type { Confirmation } from '#contract/appointment.ts';
import type { Design } from '#contract/design.ts';
import { expect, test } from '#support/browser.ts';
import { callSite, FILLED_FORM, listOpenDays } from '#support/browser_api.ts';
import { addDesigns } from '#support/browser_artwork.ts';
import { expectAccessible } from '#support/browser_axe.ts';
import {
  button,
  expectFieldValues,
  fillFields,
  waitForConfirmation,
  waitForHydration,
} from '#support/browser_booking.ts';
import { expectUncovered, setTextSize } from '#support/browser_layout.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';

const PHONE = { width: 390, height: 844 };
test.use({ viewport: PHONE });

const POLICY = 'Deposits are not refunded.\nPlease come rested.';

/** Adds four designs, changes the first, and sets the artist's terms. */
async function setUp({ token, ...artist }: TestArtist, changes: object): Promise<Design> {
  const [design] = await addDesigns({ token, ...artist }, ['Swallow', 'Moth', 'Fox', 'Owl']);
  if (!design) throw new Error('No design was added');
  await expectOk(callSite(`PATCH /designs/${design.id}`, { token, json: changes }));
  const json = { booking_policy: POLICY, deposit: { amount: 5_000 } };
  await expectOk(callSite('PATCH /users/me', { token, json }));
  return design;
}

test('a design with a length of its own is booked without a choice of a service, by terms that are read before', async ({
  page,
  artist,
}) => {
  await setUp(artist, { duration: 60, price: { kind: 'from', amount: 15_000 } });
  await page.goto(`/${artist.username}/`);
  const card = page.getByRole('article').filter({ hasText: 'Swallow' });
  await card.getByRole('link', { name: 'Book Now!' }).click();
  await waitForHydration(page);
  const main = page.getByRole('main');
  await expect(page.getByRole('heading', { name: 'Select Appointment' })).toHaveCount(0);
  await expect(main.locator('form').getByText('60 minute appt.')).toBeVisible();
  await expect(main.locator('form').getByText('From $150')).toBeVisible();
  await expect(main.getByText('A deposit of $50 is expected.')).toBeVisible();
  await expect(main.getByText('Deposits are not refunded.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: /^Soonest: / }).click();
  await fillFields(page, FILLED_FORM);
  await button(page, 'Save').click();
  await waitForConfirmation(page, artist.username);
  await waitForHydration(page);
  await expect(main.getByText('From $150')).toBeVisible();
  await expect(main.getByText('Deposits are not refunded.')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await setTextSize(page, '200%');
  const name = await main.getByText('Swallow', { exact: true }).boundingBox();
  expect(name?.height, 'large text does not break the name of the design').toBeLessThan(60);
  await setTextSize(page, '');
  await button(page, 'Confirm Appointment').click();
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
});

test('Back and Forward lead through the services when the one of the design is hidden', {
  tag: '@all',
}, async ({ page, artist }) => {
  const { token, username, service } = artist;
  const design = await setUp(artist, { service_id: service.id });
  const json = { name: 'Half day', description: '', duration: 240, is_available: true };
  await expectOk(callSite('POST /services', { token, json }));
  const hidden = { token, json: { is_available: false } };
  await expectOk(callSite(`PATCH /services/${service.id}`, hidden));
  await page.goto(`/${username}/scheduling?design=${design.id}`);
  await waitForHydration(page);
  await page.getByRole('link', { name: /Half day/ }).click();
  await expect(page.getByRole('heading', { name: 'Date and Time' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Select Appointment' })).toBeVisible();
  await page.goForward();
  await expect(page.getByRole('heading', { name: 'Date and Time' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Half day' })).toBeVisible();
});

test('of two clients who want the last piece, the second gets a message, sees what is alike and loses nothing', {
  tag: '@all',
}, async ({ page, artist, watch }) => {
  const design = await setUp(artist, { duration: 60, editions: 1 });
  await page.goto(`/${artist.username}/scheduling?design=${design.id}`);
  await waitForHydration(page);
  await page.getByRole('button', { name: /^Soonest: / }).click();
  await fillFields(page, FILLED_FORM);
  await bookLast(artist, design.id);
  watch.expectError(/^POST \/api\/v1\/appointments\/request\/service.*: 409$/);
  await button(page, 'Save').click();
  await expect(page.getByText('Sorry, this piece is gone.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Designs like it' }).getByText('Moth')).toBeVisible();
  await expectFieldValues(page, FILLED_FORM);
  await expectAccessible(page);
  // On a small phone with large text, Save and a part of the form stay in view.
  await page.setViewportSize({ width: 320, height: 568 });
  await setTextSize(page, '200%');
  await expectUncovered(page.getByText('Sorry, this piece is gone.'));
  await expectUncovered(button(page, 'Save'));
  expect((await page.locator('.bottom-bar').boundingBox())?.height).toBeLessThanOrEqual(568 * 0.9);
});

/** Another client books the design, at the last free time of the coming months. */
async function bookLast(artist: TestArtist, designId: string): Promise<Confirmation> {
  const slot = (await listOpenDays(artist)).at(-1)?.windows.at(-1);
  const json = { email: 'otto@example.com', service_id: null, design_id: designId, ...slot };
  return expectOk(
    callSite<Confirmation>(`POST /appointments/request/service?username=${artist.username}`, {
      json,
    }),
  );
}
