import { randomUUID } from 'node:crypto';
import { expect, test } from '#support/browser.ts';
import { scriptsDone } from '#support/browser_booking.ts';
import { bookSlot, call, openDays } from '#support/browser_studio.ts';
import { expectOk } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';

async function bookedId(artist: TestArtist): Promise<string> {
  const [day] = await openDays(artist);
  const slot = day?.windows[0];
  if (!slot) throw new Error('No open days');
  return (await expectOk(bookSlot(artist, slot))).id;
}

test('an artist who is not there leads to /404 from each of their pages', async ({
  page,
  watch,
}) => {
  watch.expectTrouble(/^GET \/404: 404$/);
  for (const rest of ['/', '/services', '/about', '/contact', '/scheduling'])
    await test.step(rest, async () => {
      await page.goto(`/nobody-by-that-name${rest}`);
      expect(new URL(page.url()).pathname).toBe('/404');
      await expect(page.getByRole('heading', { name: '404' })).toBeVisible();
      await expect(page.getByText('Page not found.')).toBeVisible();
    });
});

test('an unknown address says so, with its status, and is not indexed', async ({ page, watch }) => {
  for (const path of ['/no/such/page', '/ana/no-such-page', '/ana/services/more']) {
    watch.expectTrouble(new RegExp(`^GET ${path}: 404$`));
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: '404' })).toBeVisible();
    await expect(page.getByText('Page not found.')).toBeVisible();
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  }
});

test('an appointment is not found under another artist, nor by a wrong id', async ({
  page,
  watch,
  artist,
}) => {
  const id = await bookedId(artist);
  const paths = [
    `/ana/confirmation/${id}/`,
    `/${artist.username}/confirmation/${randomUUID()}/`,
    `/${artist.username}/confirmation/not-an-id/`,
    `/ana/confirmation/${id}/appointment.ics`,
  ];
  for (const path of paths.slice(0, 3)) {
    watch.expectTrouble(new RegExp(`^GET ${path}: 404$`));
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page.getByText('Page not found.')).toBeVisible();
    await expect(page.getByText('Confirm')).toHaveCount(0);
  }
  expect((await page.request.get(paths[3] ?? '')).status()).toBe(404);
});

test('a confirmation is neither kept, indexed nor passed on', async ({ page, artist }) => {
  const id = await bookedId(artist);
  const response = await page.goto(`/${artist.username}/confirmation/${id}/`);
  expect(response?.headers()).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  });
  await scriptsDone(page);
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await expect(page.locator('link[rel=canonical], meta[property="og:url"]')).toHaveCount(0);
  const referred = page.waitForRequest((request) => request.isNavigationRequest());
  await page.getByRole('link', { name: 'About' }).click();
  expect((await (await referred).allHeaders())['referer']).toBeUndefined();
});

test('the link of a mail finds the appointment whatever its artist is called now', async ({
  page,
  watch,
  artist,
}) => {
  const id = await bookedId(artist);
  const username = `${artist.username}-2`;
  const renamed = call('PATCH /users/me', { token: artist.token, json: { username } });
  await expectOk(renamed);
  const answer = await page.request.get(`/confirmation/${id}`, { maxRedirects: 0 });
  expect(answer.status()).toBe(302);
  expect(answer.headers()).toMatchObject({
    location: `/${username}/confirmation/${id}`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  });
  await page.goto(`/confirmation/${id}/`);
  expect(new URL(page.url()).pathname).toMatch(new RegExp(`^/${username}/confirmation/${id}/?$`));
  await expect(page.getByRole('heading', { name: 'Confirm your appointment.' })).toBeVisible();
  await page.goto(`/confirmation/${id}?artist`);
  expect(new URL(page.url()).pathname).toMatch(new RegExp(`^/${username}/?$`));

  for (const unknown of [randomUUID(), 'not-an-id']) {
    watch.expectTrouble(new RegExp(`^GET /confirmation/${unknown}: 404$`));
    const response = await page.goto(`/confirmation/${unknown}`);
    expect(response?.status()).toBe(404);
    expect(response?.headers()).toMatchObject({ 'cache-control': 'no-store' });
    await expect(page.getByText('Page not found.')).toBeVisible();
  }
});

test('an artist who has not finished signing up says so instead of taking bookings', async ({
  page,
}) => {
  await page.goto('/cleo/scheduling');
  await expect(page.getByRole('main')).toContainText(
    'Something went wrong. This artist has not completed their sign up process yet.',
  );
  await expect(page.getByRole('button')).toHaveCount(0);
});

test('Book Now leads to the services, or to the request form of an artist who sets the times', async ({
  page,
  artist,
  managedArtist,
}) => {
  const cases = [
    [artist.username, 'services'],
    [managedArtist.username, 'scheduling'],
  ] as const;
  for (const [username, target] of cases) {
    await page.goto(`/${username}/about`);
    await page.getByRole('link', { name: 'Book Now' }).click();
    await page.waitForURL(`**/${username}/${target}`);
  }
});

test('the landing page leads to the artists, to logging in and to signing up', async ({ page }) => {
  await page.goto('/');
  await expect(
    page.getByRole('heading', { name: 'Simple Scheduling for Tattoo Artists', level: 1 }),
  ).toBeVisible();
  for (const name of ['For Artists', 'For Clients', 'Simple & Flexible'])
    await expect(page.getByRole('heading', { name })).toBeVisible();
  const link = (name: string) => page.getByRole('link', { name });
  await expect(link('Artist Login')).toHaveAttribute('href', '/login');
  await expect(link('Get Started')).toHaveAttribute('href', '/signup');
  await expect(page.getByRole('contentinfo')).toContainText(String(new Date().getUTCFullYear()));
  await link('Explore Artists').click();
  await expect(page.getByRole('heading', { name: 'Explore Artists' })).toBeVisible();
  await expect(page.getByText('Coming soon...')).toBeVisible();
});

test('a design on the wall leads to booking it', async ({ page }) => {
  await page.goto('/ana/');
  const card = page.getByRole('article').first();
  const name = (await card.getByRole('heading').textContent()) ?? '';
  await card.getByRole('link', { name: 'Book Now!' }).click();
  await page.waitForURL('**/ana/scheduling?design=*');
  await expect(
    page.getByRole('complementary', { name: 'Design' }).getByRole('heading', { name }),
  ).toBeVisible();
});
