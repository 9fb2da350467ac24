import { expect, test } from '#support/browser.ts';
import { callSite } from '#support/browser_api.ts';
import { button, waitForHydration } from '#support/browser_booking.ts';
import { logInAs } from '#support/browser_login.ts';
import { expectOk } from '#support/call_api.ts';
import { PASSWORD } from '#support/new_artist.ts';

const LANDING = 'Simple Scheduling for Tattoo Artists';

test('an artist who is logged in gets the studio’s home at /, and the landing page never flashes', async ({
  page,
  artist,
}) => {
  await logInAs(page, artist);
  await using _ = await page.addInitScript(() => {
    const seen: string[] = [];
    Reflect.set(window, 'seenHeadings', seen);
    const recordHeading = () => {
      const heading = document.querySelector('h1');
      if (heading?.checkVisibility()) seen.push(heading.textContent ?? '');
      requestAnimationFrame(recordHeading);
    };
    recordHeading();
  });
  const scripts = Promise.withResolvers<void>();
  await page.route('**/_astro/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  await expect(page.getByRole('heading', { name: LANDING, includeHidden: true })).toBeHidden();
  for (const element of await page.locator('body > *').all()) await expect(element).toBeHidden();
  scripts.resolve();
  await expect(page.getByRole('heading', { level: 1, name: 'Hello, Ines' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/');
  await expect(page).toHaveTitle('Home · Linework');
  await expect(page.getByRole('heading', { name: LANDING, includeHidden: true })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeAttached();
  const seen = await page.evaluate(() => Reflect.get(window, 'seenHeadings'));
  expect(seen).not.toContainEqual(expect.stringContaining(LANDING));
});

test('the landing page is shown when the scripts of the studio fail to load', async ({
  page,
  artist,
  watch,
}) => {
  watch.expectError(/_astro\/.*ERR_FAILED/);
  await logInAs(page, artist);
  await page.route('**/_astro/*.js', (route) => route.abort());
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: LANDING })).toBeVisible();
});

test('form input survives an expired login and is restored after the next login', async ({
  page,
  artist,
  watch,
}) => {
  const { token, self } = artist;
  await logInAs(page, artist);
  await page.goto('/studio/services');
  await button(page, 'Add service').click();
  await page.getByLabel('Name').fill('Cover-up');
  await page.getByLabel('Description').fill('Bring a photo.');
  // A new password invalidates every token.
  await expectOk(
    callSite('PATCH /users/me/password', {
      token,
      json: { current_password: PASSWORD, new_password: 'battery staple' },
    }),
  );
  watch.expectError(/: 401$/);
  await page.getByRole('dialog').getByRole('button', { name: 'Add service' }).click();
  await page.waitForURL('/login?next=%2Fstudio%2Fservices');
  await waitForHydration(page);
  await page.getByLabel('Email').fill(self.email);
  await page.getByLabel('Password', { exact: true }).fill('battery staple');
  await button(page, 'Log In').click();

  await page.waitForURL('/studio/services');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name')).toHaveValue('Cover-up');
  await expect(dialog.getByLabel('Description')).toHaveValue('Bring a photo.');
  await dialog.getByRole('button', { name: 'Add service' }).click();
  await expect(page.getByRole('heading', { name: 'Cover-up' })).toBeVisible();
});

test('an unknown page of the studio shows the 404 page, which links to the landing page', async ({
  page,
  watch,
}) => {
  watch.expectError(/GET \/studio\/no\/such\/page: 404$/);
  const response = await page.goto('/studio/no/such/page');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1, name: 'Oops!' })).toBeVisible();
  await expect(page.getByText('Page not found.')).toBeVisible();
  await page.getByRole('link', { name: 'Go back' }).click();
  await page.waitForURL('/');
  await expect(page.getByRole('heading', { level: 1, name: LANDING })).toBeVisible();
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: 'Artist Login' })).toHaveAttribute('href', '/login');
  await expect(main.getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/signup');
});
