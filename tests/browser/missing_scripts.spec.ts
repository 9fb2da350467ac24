import type { BrowserContext, Page } from '@playwright/test';
import { STUDIO_PAGES } from '#islands/studio/studio_pages.ts';
import { clearBrowserCache, expect, test } from '#support/browser.ts';
import { bookSiteSlot, listOpenDays, newSiteArtist } from '#support/browser_api.ts';
import { button, field, waitForHydration } from '#support/browser_booking.ts';
import { logInAs } from '#support/browser_login.ts';

const SCRIPTS = /\/_astro\/.*\.js(\?|$)/;
const TIMEOUT_MS = 5000;

/** How the site's scripts fail to load. */
const FAILURES = ['not found', 'hanging'] as const;
type Failure = (typeof FAILURES)[number];

const alert = (page: Page) =>
  page.getByRole('alert').filter({ hasText: /did not load|not loaded/ });

/** Lets all scripts fail. @returns lets them load again; those that hang end with an error */
async function failScripts(page: Page, failure: Failure): Promise<() => Promise<void>> {
  const ended = Promise.withResolvers<void>();
  await page.route(SCRIPTS, async (route) => {
    if (failure === 'not found') return route.fulfill({ status: 404, body: 'Not found' });
    await ended.promise;
    // The page may be gone by then.
    await route.abort().catch(() => {});
  });
  return async () => {
    await page.unroute(SCRIPTS);
    ended.resolve();
  };
}

/** The paths of all pages that guests see with an island. */
async function guestPaths(): Promise<readonly string[]> {
  const [artist, managedArtist] = await Promise.all([
    newSiteArtist(),
    newSiteArtist({ scheduling_type: 'managed' }),
  ]);
  const [day] = await listOpenDays(artist);
  const slot = day?.windows[0];
  if (!slot) throw new Error('No open days');
  const { body } = await bookSiteSlot(artist, slot);
  return [
    `/${artist.username}/scheduling?service=${artist.service.id}`,
    `/${managedArtist.username}/scheduling`,
    `/${artist.username}/confirmation/${body.id}/`,
    '/login',
    '/signup',
    '/recover-password',
    '/reset-password?token=abc',
    '/prove-email?token=abc',
  ];
}

/** Opens a page whose scripts fail, reads the message, and reloads once the scripts are there. */
async function expectReload(context: BrowserContext, path: string, failure: Failure) {
  const page = await context.newPage();
  const restore = await failScripts(page, failure);
  await page.goto(path, { waitUntil: 'commit' });
  await expect(alert(page), path).toBeVisible({ timeout: TIMEOUT_MS });
  await restore();
  await alert(page).getByRole('button', { name: 'Reload' }).click();
  return page;
}

for (const failure of FAILURES) {
  test(`pages whose scripts are ${failure} say so within 5 seconds, and Reload repairs them`, async ({
    page,
    context,
    watch,
  }) => {
    await clearBrowserCache(page);
    if (failure === 'not found') watch.expectError(/_astro|astro-island|dynamically imported/);
    const paths = await guestPaths();
    for (const path of paths)
      await test.step(path, async () => {
        const tab = await expectReload(context, path, failure);
        await waitForHydration(tab);
        await expect(alert(tab)).toBeHidden();
        await tab.close();
      });
  });

  test(`pages of the studio whose scripts are ${failure} say so within 5 seconds, and Reload repairs them`, async ({
    page,
    context,
    artist,
    watch,
  }) => {
    await clearBrowserCache(page);
    if (failure === 'not found') watch.expectError(/_astro|astro-island|dynamically imported/);
    await page.goto('/explore/');
    await page.evaluate((token) => localStorage.setItem('access_token', token), artist.token);
    for (const { href } of STUDIO_PAGES)
      await test.step(href, async () => {
        const tab = await expectReload(context, href, failure);
        await expect(tab.getByRole('navigation', { name: 'Studio' })).toBeVisible();
        await expect(alert(tab)).toBeHidden();
        await tab.close();
      });
  });
}

test('the message goes away when the scripts arrive late, and what was typed stays', async ({
  page,
  managedArtist,
}) => {
  await clearBrowserCache(page);
  const arrived = Promise.withResolvers<void>();
  await page.route(SCRIPTS, async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await page.goto(`/${managedArtist.username}/scheduling`, { waitUntil: 'commit' });
  await field(page, 'first_name').fill('Rosa');
  await expect(alert(page)).toBeVisible();
  arrived.resolve();
  await expect(alert(page)).toBeHidden();
  await expect(field(page, 'first_name')).toHaveValue('Rosa');
  await expect(button(page, 'Save')).toBeEnabled();
});

test('the studio’s home replaces its message when its scripts arrive late', async ({
  page,
  artist,
}) => {
  await clearBrowserCache(page);
  await logInAs(page, artist);
  const arrived = Promise.withResolvers<void>();
  await page.route(SCRIPTS, async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  await expect(alert(page)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeHidden();
  arrived.resolve();
  await expect(page.getByRole('heading', { name: 'Hello, Ines' })).toBeVisible();
  await expect(alert(page)).toHaveCount(0);
});

test('until its script has loaded, no button of an island looks as if it worked', async ({
  page,
  context,
}) => {
  await clearBrowserCache(page);
  for (const path of await guestPaths())
    await test.step(path, async () => {
      const tab = await context.newPage();
      const restore = await failScripts(tab, 'hanging');
      await tab.goto(path, { waitUntil: 'commit' });
      await expect(tab.getByRole('contentinfo')).toBeVisible();
      const buttons = await tab.locator('astro-island button:visible').all();
      for (const one of buttons) {
        const name = `${path}: ${await one.textContent()}`;
        expect(
          Number(await one.evaluate((element) => getComputedStyle(element).opacity)),
          name,
        ).toBeLessThanOrEqual(0.5);
      }
      for (const name of ['Save', 'Cancel', 'Confirm Appointment', 'Log In', 'Next', 'Continue'])
        for (const one of await button(tab, name).all()) await expect(one).toBeDisabled();
      await restore();
      await tab.close();
    });
});
