import { expect, test } from '#support/browser.ts';
import { logInAs } from '#support/browser_login.ts';

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
