import { brotliCompressSync } from 'node:zlib';
import type { Response as BrowserResponse, Page } from '@playwright/test';
import { clearBrowserCache, expect, test } from '#support/browser.ts';
import { bookSiteSlot, FILLED_FORM, findOpenDay } from '#support/browser_api.ts';
import { button, field, fillFields, pickSlot, waitForHydration } from '#support/browser_booking.ts';
import { listPagesWithoutScripts } from '#support/browser_page_states.ts';
import { expectOk } from '#support/call_api.ts';

const MAX_BYTES = 118_000;
const MAX_CONFIRMATION_BYTES = 96_000;
const MAX_LOGIN_BYTES = 90_000;
const MAX_SIGNUP_BYTES = 100_000;
const MAX_FILES = 11;
/** All scripts except structured data, which never runs. */
const SCRIPT = 'script:not([type="application/ld+json"])';
const MAX_FIRST_VIEW_BYTES = 60_000;

/** The landing page's only script checks whether an artist is logged in. */
const LANDING = '/';
/** The only script of a page with prices or sizes writes them as the visitor's locale does. */
const LOCAL_UNITS = 'data[data-unit]';
/** The only script of a page with plain forms keeps what is typed (KeptForms.astro). */
const PLAIN_FORMS = 'form[data-keep]';
/** The only script of a large picture lets Back close it (docs/decisions/0038). */
const LARGE_PICTURE = /^\/[^/]+\/about\/[^/]+$/;
const MAX_INLINE_BYTES = 1024;

test.beforeEach(({ page }) => clearBrowserCache(page));

test('public pages have no JavaScript, except one inline script of at most 1 KB on the landing page, on large pictures, beside prices and forms', async ({
  page,
}) => {
  const scripts = recordScripts(page);
  for (const path of await listPagesWithoutScripts())
    await test.step(path, async () => {
      await page.goto(path, { waitUntil: 'networkidle' });
      expect(scripts.map((response) => response.url())).toEqual([]);
      await expect(page.locator('script[src], link[rel=modulepreload], astro-island')).toHaveCount(
        0,
      );
      const needsScript = (await page.locator(`${LOCAL_UNITS}, ${PLAIN_FORMS}`).count()) > 0;
      const hasScript = path === LANDING || LARGE_PICTURE.test(path) || needsScript;
      await expect(page.locator(SCRIPT)).toHaveCount(hasScript ? 1 : 0);
      const markup = await page
        .locator(SCRIPT)
        .evaluateAll((elements) => elements.map((element) => element.outerHTML).join(''));
      if (hasScript) console.log(`${path}: ${Buffer.byteLength(markup)} bytes of JavaScript`);
      expect(Buffer.byteLength(markup)).toBeLessThanOrEqual(MAX_INLINE_BYTES);
      const handlers = await page.evaluate(() =>
        [...document.querySelectorAll('*')].flatMap((element) =>
          element.getAttributeNames().filter((name) => name.startsWith('on')),
        ),
      );
      expect(handlers).toEqual([]);
    });
});

test('the JavaScript of the scheduling page is at most 118 KB in Brotli, in at most 11 files, and is sent compressed', async ({
  page,
  artist,
}) => {
  const scripts = recordScripts(page);
  // Use the whole form, in case a part is loaded on demand.
  const { day, slot } = await findOpenDay(artist);
  await page.goto(`/${artist.username}/scheduling`);
  await waitForHydration(page);
  await page.getByRole('link', { name: 'Select Small flash' }).click();
  await pickSlot(page, day, slot);
  await fillFields(page, { ...FILLED_FORM, email: 'rosa@gmial.com' });
  await field(page, 'email').blur();
  await expect(button(page, 'Did you mean rosa@gmail.com?')).toBeVisible();
  await field(page, 'email').fill('nowhere');
  await button(page, 'Save').click();
  await expect(page.getByText('Invalid email address')).toBeVisible();

  await expectLightScripts(page, scripts, 'Scheduling page', MAX_BYTES);
  expect(scripts.length).toBeLessThanOrEqual(MAX_FILES);
});

test("the JavaScript of a client's page is at most 96 KB in Brotli, and is sent compressed", async ({
  page,
  artist,
}) => {
  const scripts = recordScripts(page);
  const { slot } = await findOpenDay(artist);
  const { id } = await expectOk(bookSiteSlot(artist, slot));
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await waitForHydration(page);
  await page.getByText('Not yours? Change it.').click();
  await page.getByLabel('Your email').fill('rosa@gmial.com');
  await page.getByLabel('Your email').blur();
  await expect(button(page, 'Did you mean rosa@gmail.com?')).toBeVisible();
  await expectLightScripts(page, scripts, 'Confirmation page', MAX_CONFIRMATION_BYTES);
});

test('the JavaScript that the login page loads is at most 90 KB in Brotli, that of the sign-up 100 KB', async ({
  page,
}) => {
  // The rest is loaded on demand: the schemas with the first validation, the time zones with step 2.
  const scripts = recordScripts(page);
  await page.goto('/login');
  await waitForHydration(page);
  await expectLightScripts(page, scripts, 'Login page', MAX_LOGIN_BYTES);
  await clearBrowserCache(page);
  const loaded = scripts.length;
  await page.goto('/signup');
  await waitForHydration(page);
  await expectLightScripts(page, scripts.slice(loaded), 'Sign-up page', MAX_SIGNUP_BYTES);
});

test('the designs page is at most 60 KB compressed without its pictures, and loads no script', async ({
  page,
}) => {
  const sizes: Promise<{ kind: string; path: string; bytes: number }>[] = [];
  page.on('response', (response) => {
    const kind = response.request().resourceType();
    const path = new URL(response.url()).pathname;
    // Fonts are compressed already.
    const size = (body: Buffer) => (kind === 'font' ? body : brotliCompressSync(body)).length;
    if (['document', 'stylesheet', 'font', 'script'].includes(kind))
      sizes.push(response.body().then((body) => ({ kind, path, bytes: size(body) })));
  });
  await page.goto('/ana/', { waitUntil: 'networkidle' });
  const parts = await Promise.all(sizes);
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  const summary = parts.map(({ path, bytes }) => `${path} ${bytes}`).join(', ');
  console.log(`Designs page: ${total} bytes before pictures: ${summary}`);
  expect(parts.filter(({ kind }) => kind === 'script')).toEqual([]);
  await expect(page.locator('script[src], link[rel=modulepreload], astro-island')).toHaveCount(0);
  expect(parts.filter(({ kind }) => kind === 'font')).toHaveLength(2);
  expect(total, summary).toBeLessThanOrEqual(MAX_FIRST_VIEW_BYTES);
});

async function expectLightScripts(
  page: Page,
  scripts: readonly BrowserResponse[],
  name: string,
  maxBytes: number,
): Promise<void> {
  const inline = await page
    .locator(`${SCRIPT}:not([src])`)
    .evaluateAll((elements) => elements.map((element) => element.textContent ?? ''));
  const parts = await Promise.all(
    scripts.map(async (response) => ({
      name: new URL(response.url()).pathname,
      encoding: response.headers()['content-encoding'] ?? 'none',
      bytes: brotliCompressSync(await response.body()).byteLength,
      bytesUncompressed: (await response.body()).byteLength,
    })),
  );
  const inPage = inline.reduce((sum, text) => sum + brotliCompressSync(text).byteLength, 0);
  const total = parts.reduce((sum, { bytes }) => sum + bytes, inPage);
  console.log(`${name}: ${total} bytes of JavaScript in Brotli, ${parts.length} files`);
  expect(parts.length).toBeGreaterThan(0);
  expect(
    total,
    `${total} bytes: ${parts.map(({ name: path, bytes }) => `${path} ${bytes}`).join(', ')}, in the page ${inPage}`,
  ).toBeLessThanOrEqual(maxBytes);
  // Smaller files are not compressed.
  const large = parts.filter(({ bytesUncompressed }) => bytesUncompressed >= 512);
  expect(large.filter(({ encoding }) => encoding !== 'br')).toEqual([]);
}

function recordScripts(page: Page): readonly BrowserResponse[] {
  const scripts: BrowserResponse[] = [];
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? '';
    if (response.request().resourceType() === 'script' || type.includes('javascript'))
      scripts.push(response);
  });
  return scripts;
}
