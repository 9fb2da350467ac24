import type { Page } from '@playwright/test';
import { clearBrowserCache, expect, test } from '#support/browser.ts';
import { button, field, waitForHydration } from '#support/browser_booking.ts';
import { logInAs } from '#support/browser_login.ts';

const SCRIPTS = /\/_astro\/.*\.js(\?|$)/;
const TIMEOUT_MS = 5000;

/** The buttons that send a form or leave it. */
const MAIN_BUTTONS = [
  ...['Save', 'Cancel', 'Log In', 'Next', 'Continue'],
  ...['Reset Password', 'Confirm This Email'],
];

/** How the site's scripts fail to load. */
const FAILURES = ['not found', 'hanging'] as const;
type Failure = (typeof FAILURES)[number];

const alert = (page: Page) => page.getByRole('alert').filter({ hasText: /did not load/ });

/** Lets all scripts fail. `restore` lets them load again; `endRequests` ends those that hang. */
async function failScripts(page: Page, failure: Failure) {
  let isFailing = true;
  const ended = Promise.withResolvers<void>();
  await page.route(SCRIPTS, async (route) => {
    if (!isFailing) return route.continue();
    if (failure === 'not found') return route.fulfill({ status: 404, body: 'Not found' });
    await ended.promise;
    // The page that asked may be gone by then.
    await route.abort().catch(() => {});
  });
  const restore = () => {
    isFailing = false;
  };
  return { restore, endRequests: ended.resolve };
}

/** Measures in the page, which a busy machine delays less than the test. */
async function measureAlert(page: Page): Promise<() => Promise<number>> {
  const script = await page.addInitScript(() => {
    const start = performance.now();
    const observer = new MutationObserver(() => {
      if (!document.querySelector('[role="alert"]:not([hidden])')) return;
      observer.disconnect();
      Reflect.set(window, 'alertDelay', performance.now() - start);
    });
    observer.observe(document, { childList: true, attributes: true, subtree: true });
  });
  return async () => {
    await script.dispose();
    return page.evaluate(() => Number(Reflect.get(window, 'alertDelay')));
  };
}

/** The message lies over nothing, and nothing beside it says that the page still loads. */
async function expectAlertHasItsPlace(page: Page): Promise<void> {
  const covered = await alert(page).evaluate((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return [...document.querySelectorAll('h1, h2, h3, p, a, button, input, select, label')]
      .filter((other) => {
        const box = other.getBoundingClientRect();
        const isBeside =
          box.right <= left || box.left >= right || box.bottom <= top || box.top >= bottom;
        return !isBeside && !node.contains(other) && other.checkVisibility();
      })
      .map((other) => other.outerHTML);
  });
  expect(covered).toEqual([]);
  for (const text of await page.getByText(/Loading/).all()) await expect(text).toBeHidden();
}

/** Opens a page whose scripts fail, reads its message, and reloads it once they can load. */
async function reloadAfterFailure(page: Page, path: string, failure: Failure): Promise<void> {
  await clearBrowserCache(page);
  const { restore, endRequests } = await failScripts(page, failure);
  const readDelay = await measureAlert(page);
  await page.goto(path, { waitUntil: 'commit' });
  await expect(alert(page)).toBeVisible();
  expect(await readDelay()).toBeLessThan(TIMEOUT_MS);
  await expectAlertHasItsPlace(page);
  restore();
  await alert(page).getByRole('button', { name: 'Reload' }).click();
  endRequests();
}

// Each page with an island has the same inline script (tests/pages/island_watch.test.ts).
for (const failure of FAILURES)
  test(`pages whose scripts are ${failure} say so within 5 seconds and offer Reload`, {
    tag: failure === 'hanging' ? '@all' : [],
  }, async ({ page, artist, watch }) => {
    if (failure === 'not found') watch.expectError(/_astro|astro-island/);
    await reloadAfterFailure(page, `/${artist.username}/scheduling`, failure);
    await waitForHydration(page);
    await expect(alert(page)).toBeHidden();
    await logInAs(page, artist);
    await reloadAfterFailure(page, '/studio/hours', failure);
    await expect(page.getByRole('heading', { name: 'Weekly hours' })).toBeVisible();
    await expect(alert(page)).toBeHidden();
  });

test('the message goes away when the scripts arrive late, and what was typed stays', {
  tag: '@all',
}, async ({ page, managedArtist }) => {
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

test('no button looks ready before its script has loaded', { tag: '@all' }, async ({
  page,
  artist,
  managedArtist,
}) => {
  await clearBrowserCache(page);
  const { endRequests } = await failScripts(page, 'hanging');
  for (const path of [
    `/${artist.username}/scheduling?service=${artist.service.id}`,
    `/${managedArtist.username}/scheduling`,
    ...['/login', '/signup', '/recover-password'],
    ...['reset-password', 'prove-email', 'undo-email-change'].map((name) => `/${name}?token=abc`),
  ]) {
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.getByRole('contentinfo')).toBeVisible();
    const opacities = await page
      .locator('astro-island button:visible')
      .evaluateAll((buttons) => buttons.map((one) => Number(getComputedStyle(one).opacity)));
    for (const opacity of opacities) expect(opacity).toBeLessThanOrEqual(0.5);
    for (const label of MAIN_BUTTONS)
      for (const one of await button(page, label).all()) await expect(one).toBeDisabled();
  }
  // Leaving cancels the requests, so that their end is not an error of the page.
  await page.goto('/favicon.svg');
  endRequests();
});
