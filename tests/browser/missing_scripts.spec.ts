import type { Page } from '@playwright/test';
import { STUDIO_PAGES } from '#islands/studio/studio_pages.ts';
import { clearBrowserCache, expect, test } from '#support/browser.ts';
import {
  bookSiteSlot,
  findOpenDay,
  listAppointments,
  newSiteArtist,
} from '#support/browser_api.ts';
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

/** Its buttons work without scripts: they are those of forms. */
const FORMS_PAGE = 'the confirmation page';

const GUEST_PAGES: Readonly<Record<string, () => Promise<string>>> = {
  'the booking page': async () => {
    const { username, service } = await newSiteArtist();
    return `/${username}/scheduling?service=${service.id}`;
  },
  'the request page': async () => {
    const { username } = await newSiteArtist({ scheduling_type: 'managed' });
    return `/${username}/scheduling`;
  },
  [FORMS_PAGE]: async () => {
    const artist = await newSiteArtist();
    const { slot } = await findOpenDay(artist);
    const { body } = await bookSiteSlot(artist, slot);
    return `/${artist.username}/confirmation/${body.id}/`;
  },
  'the login page': async () => '/login',
  'the signup page': async () => '/signup',
  'the page to recover a password': async () => '/recover-password',
  'the page to reset a password': async () => '/reset-password?token=abc',
  'the page to prove an email': async () => '/prove-email?token=abc',
  'the page to undo a new email': async () => '/undo-email-change?token=abc',
};

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

for (const failure of FAILURES) {
  const promise = `with scripts that are ${failure} says so within 5 seconds and offers Reload`;

  for (const [name, createPath] of Object.entries(GUEST_PAGES))
    test(`${name} ${promise}`, async ({ page, watch }) => {
      if (failure === 'not found') watch.expectError(/_astro|astro-island/);
      await reloadAfterFailure(page, await createPath(), failure);
      await waitForHydration(page);
      await expect(alert(page)).toBeHidden();
    });

  for (const { name, href } of STUDIO_PAGES)
    test(`the studio’s page “${name}” ${promise}`, async ({ page, artist, watch }) => {
      if (failure === 'not found') watch.expectError(/_astro|astro-island/);
      await logInAs(page, artist);
      await reloadAfterFailure(page, href, failure);
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('navigation', { name: 'Studio' })).toBeVisible();
      await expect(alert(page)).toBeHidden();
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
  const loadingText = await page.evaluate(
    () => getComputedStyle(document.body, '::before').display,
  );
  expect(loadingText).toBe('none');
  arrived.resolve();
  await expect(page.getByRole('heading', { name: 'Hello, Ines' })).toBeVisible();
  await expect(alert(page)).toHaveCount(0);
});

for (const [name, createPath] of Object.entries(GUEST_PAGES)) {
  if (name === FORMS_PAGE) continue;
  test(`no button of ${name} looks ready before its script has loaded`, async ({ page }) => {
    await clearBrowserCache(page);
    const { endRequests } = await failScripts(page, 'hanging');
    await page.goto(await createPath(), { waitUntil: 'commit' });
    await expect(page.getByRole('contentinfo')).toBeVisible();
    const opacities = await page
      .locator('astro-island button:visible')
      .evaluateAll((buttons) => buttons.map((one) => Number(getComputedStyle(one).opacity)));
    for (const opacity of opacities) expect(opacity).toBeLessThanOrEqual(0.5);
    for (const label of MAIN_BUTTONS)
      for (const one of await button(page, label).all()) await expect(one).toBeDisabled();
    // Leaving cancels the requests, so that their end is no error of the page.
    await page.goto('/favicon.svg');
    endRequests();
  });
}

for (const failure of FAILURES)
  test(`an appointment is confirmed with scripts that are ${failure}, and a second press changes nothing`, async ({
    page,
    artist,
    watch,
  }) => {
    if (failure === 'not found') watch.expectError(/_astro|astro-island/);
    await clearBrowserCache(page);
    const { slot } = await findOpenDay(artist);
    const { body } = await bookSiteSlot(artist, slot);
    const { endRequests } = await failScripts(page, failure);
    await page.goto(`/${artist.username}/confirmation/${body.id}/`, { waitUntil: 'commit' });
    const confirm = button(page, 'Confirm Appointment');
    await expect(confirm).toBeInViewport({ ratio: 1 });
    expect(await confirm.evaluate((one) => getComputedStyle(one).opacity)).toBe('1');
    await confirm.dblclick();
    await expect(page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
    await page.goto('/favicon.svg');
    endRequests();
    expect(await listAppointments(artist.token)).toMatchObject([
      { id: body.id, status: 'confirmed', version: 2 },
    ]);
  });
