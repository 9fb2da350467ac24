import type { Page } from '@playwright/test';
import type { ListPage } from '#contract/common.ts';
import { expect, test } from '#support/browser.ts';
import { callSite, FILLED_FORM, findOpenDay, listAppointments } from '#support/browser_api.ts';
import { addDesigns, addPictures, chooseFiles, createPhoto } from '#support/browser_artwork.ts';
import {
  button,
  fillFields,
  pickSlot,
  saveAndOpenConfirmation,
  waitForHydration,
} from '#support/browser_booking.ts';
import { apiUrl, siteUrl } from '#support/browser_server.ts';
import { expectOk } from '#support/call_api.ts';
import { PASSWORD } from '#support/new_artist.ts';
import { serveOnWorkers } from './serve_on_workers.ts';

const PUBLIC = 'https://book.example.com';

// These tests use their own site: in the Cloudflare Workers runtime, with a separate API on Node.
test.describe.configure({ mode: 'default' });
let stop: (() => Promise<void>) | undefined;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  stop = await serveOnWorkers({ SITE_URL: PUBLIC, PRODUCT_NAME: 'Nadel' });
});

test.afterAll(() => stop?.());

/** Records the browser's API calls at their response, as `GET https://…/services`. */
function recordApiCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('response', (response) => {
    const request = response.request();
    if (new URL(request.url()).pathname.startsWith('/api/'))
      calls.push(`${request.method()} ${request.url()}`);
  });
  return calls;
}

/** Every picture of the page loads, and comes from the API's origin. */
async function expectPicturesFromApi(page: Page, minCount: number): Promise<void> {
  const pictures = page.locator('img[src*="/media/"]');
  await expect.poll(() => pictures.count()).toBeGreaterThanOrEqual(minCount);
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth))
      .toBeGreaterThan(0);
    const source = await picture.evaluate((img: HTMLImageElement) => img.currentSrc);
    expect(new URL(source).origin).toBe(apiUrl());
  }
}

test('a client books and confirms a slot on a site on Workers', async ({ page, artist }) => {
  const [design] = await addDesigns(artist, ['Swallow']);
  const { day, slot } = await findOpenDay(artist);
  if (!design) throw new Error('No open days');
  const calls = recordApiCalls(page);

  await page.goto(`/${artist.username}/`);
  await expectPicturesFromApi(page, 1);
  await page.getByRole('article').getByRole('link', { name: 'Book Now!' }).click();
  await page.waitForURL(`**/${artist.username}/scheduling?design=*`);
  await waitForHydration(page);
  await page.getByRole('link', { name: 'Select Small flash' }).click();
  await pickSlot(page, day, slot);
  await fillFields(page, FILLED_FORM);
  const id = await saveAndOpenConfirmation(page, artist.username);
  await expectPicturesFromApi(page, 1);
  await button(page, 'Confirm Appointment').click();
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeVisible();

  expect(await listAppointments(artist.token)).toMatchObject([
    { id, ...slot, status: 'confirmed', client: { email: FILLED_FORM.email } },
  ]);
  expect(calls.map((call) => call.replace(/[?].*/, ''))).toEqual(
    expect.arrayContaining([
      `POST ${apiUrl()}/api/v1/appointments/request/service`,
      `POST ${apiUrl()}/api/v1/appointments/confirmation/${id}`,
    ]),
  );
  expect(calls.filter((call) => call.includes(siteUrl()))).toEqual([]);
});

test('an artist logs in and uploads pictures to the separate API', async ({ page, artist }) => {
  await page.goto('/login');
  await waitForHydration(page);
  await page.getByLabel('Email', { exact: true }).fill(artist.self.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Log In').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hello, Ines' })).toBeVisible();

  await page.goto('/studio/portfolio');
  const calls = recordApiCalls(page);
  await chooseFiles(page, 'Add your first pictures', [await createPhoto('IMG_1.jpg')]);
  await expect(page.getByRole('status').filter({ hasText: 'Picture added.' })).toBeVisible();
  await expectPicturesFromApi(page, 1);
  expect(calls).toContain(`POST ${apiUrl()}/api/v1/images/portfolio/upload`);

  await page.goto('/studio/profile');
  await chooseFiles(page, 'Choose a picture', [await createPhoto('me.jpg', 1)]);
  await button(page, 'Use this picture').click();
  const avatar = page.getByRole('img', { name: 'You, as clients see you' });
  await expect(avatar).toHaveAttribute('src', new RegExp(`^${apiUrl()}/media/`));

  await page.goto(`/${artist.username}/about`);
  await expectPicturesFromApi(page, 2);
});

test('pages have the same headers, metadata and sitemap as on Node', async ({
  page,
  artist,
  watch,
}) => {
  await addPictures(artist, 1);
  const response = await page.goto(`/${artist.username}/`);
  expect(response?.headers()).toMatchObject({
    'cache-control': 'public, max-age=0, must-revalidate',
    'surrogate-control': expect.stringMatching(/^max-age=\d+, stale-while-revalidate=\d+$/),
    'cache-tag': expect.stringContaining(`designs:${artist.self.id}`),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'speculation-rules': '"/artist-prefetch.json"',
  });
  await expect(page).toHaveTitle(/ · Nadel$/);
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute(
    'href',
    `${PUBLIC}/${artist.username}/`,
  );
  const card = await page.locator('meta[property="og:image"]').getAttribute('content');
  expect(new URL(card ?? '').origin).toBe(apiUrl());
  expect((await page.request.get(card ?? '')).headers()['content-type']).toBe('image/jpeg');
  const robots = await page.request.get('/robots.txt');
  expect(await robots.text()).toContain(`Sitemap: ${PUBLIC}/sitemap.xml`);
  const sitemap = await page.request.get('/sitemap.xml');
  expect(await sitemap.text()).toContain(`<loc>${PUBLIC}/ana/about</loc>`);
  expect(await sitemap.text()).toContain(`<image:loc>${apiUrl()}/media/`);

  watch.expectError(/^GET \/404: 404$/);
  await page.goto('/nobody-by-that-name');
  expect(new URL(page.url()).pathname).toBe('/404');
  await expect(page.getByText('Page not found.')).toBeVisible();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the contact form sends a message', async ({ page, artist }) => {
    await page.goto(`/${artist.username}/contact`);
    await page.getByLabel('Name').fill('Rosa Quint');
    await page.getByLabel('Email', { exact: true }).fill('rosa@example.com');
    await page.getByLabel('Message').fill('Do you do cover-ups?');
    await button(page, 'Send Message').click();
    await expect(page.getByRole('status')).toContainText('Thank you, your message was sent.');
    const { data } = await expectOk(
      callSite<ListPage<{ message: string }>>('GET /users/me/messages', { token: artist.token }),
    );
    expect(data).toMatchObject([{ message: 'Do you do cover-ups?' }]);
  });
});
