import type { Response as BrowserResponse, Page } from '@playwright/test';
import { clearBrowserCache, expect, test } from '#support/browser.ts';
import { callSite, loadDemoArtist } from '#support/browser_api.ts';
import { addDesigns, chooseFiles, createPhoto } from '#support/browser_artwork.ts';
import { waitForHydration } from '#support/browser_booking.ts';
import { waitForRender } from '#support/browser_frames.ts';
import { expectFits, setTextSize } from '#support/browser_layout.ts';
import { openAs } from '#support/browser_login.ts';
import { expectOk } from '#support/call_api.ts';

const DESIGNS = '/ana/';
const PICTURES = /\.(svg|avif|webp)$/;

test.beforeEach(({ page }) => clearBrowserCache(page));

test('pages preload exactly the fonts that they use, and have one stylesheet without styles of the studio', async ({
  page,
}) => {
  const responses = recordResponses(page);
  for (const path of [DESIGNS, '/ana/about', '/ana/scheduling', '/', '/explore/'])
    await test.step(path, async () => {
      await clearBrowserCache(page);
      responses.length = 0;
      await page.goto(path, { waitUntil: 'networkidle' });
      const preloaded = await page
        .locator('link[rel=preload][as=font]')
        .evaluateAll((links) => links.map((link) => Reflect.get(link, 'href')));
      const urlsOf = (kind: string) =>
        responses.filter((response) => kindOf(response) === kind).map((response) => response.url());
      expect(urlsOf('font').toSorted()).toEqual(preloaded.toSorted());
      const shown = await page.evaluate(() =>
        [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
      );
      expect(shown.map((family) => family.replaceAll('"', '')).toSorted()).toEqual(
        expect.arrayContaining(['Instrument Sans Variable', 'Young Serif']),
      );
      const sheets = responses.filter((response) => kindOf(response) === 'stylesheet');
      expect(sheets).toHaveLength(1);
      const styles = (await sheets[0]?.text()) ?? '';
      expect(styles).toContain('.stipple');
      if (path !== '/ana/scheduling') expect(styles).not.toMatch(/--fc-|\.ReactCrop|\.cursor-grab/);
    });
});

test('only the first design loads eagerly, and pictures load the smallest sufficient width', {
  tag: '@all',
}, async ({ page }) => {
  for (const width of [390, 1280]) {
    await clearBrowserCache(page);
    await page.setViewportSize({ width, height: 900 });
    await page.goto(DESIGNS, { waitUntil: 'networkidle' });
    const pictures = await page.locator('main img').evaluateAll((images) =>
      images.map((image) => {
        if (!(image instanceof HTMLImageElement)) throw new Error('Not a picture');
        const { loading, fetchPriority, currentSrc, sizes } = image;
        const source = image.parentElement?.querySelector('source');
        const [expected = 0] = [...(source?.srcset ?? '').matchAll(/ (\d+)w/g)]
          .map(([, wide]) => Number(wide))
          .filter((wide) => wide >= image.clientWidth * devicePixelRatio);
        const shown = Number(/(\d+)\.\w+$/.exec(currentSrc)?.[1] ?? 0);
        return { loading, fetchPriority, currentSrc, sizes, shown, expected };
      }),
    );
    const [first, ...others] = pictures;
    expect(first).toMatchObject({ loading: 'eager', fetchPriority: 'high' });
    expect(others.length).toBeGreaterThan(4);
    for (const { loading, fetchPriority } of others)
      expect({ loading, fetchPriority }).toEqual({ loading: 'lazy', fetchPriority: 'auto' });
    for (const { currentSrc, shown, expected } of pictures.filter(
      ({ currentSrc }) => currentSrc !== '',
    ))
      expect(shown, currentSrc).toBe(expected);
  }
});

test('pages have no layout shift when their pictures load late', {
  tag: '@all',
}, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 4000 });
  for (const path of ['/', DESIGNS, '/ana/about', '/ana/services'])
    await test.step(path, async () => {
      await clearBrowserCache(page);
      const { promise: picturesAllowed, resolve: allowPictures } = Promise.withResolvers<void>();
      await page.route(PICTURES, async (route) => {
        await picturesAllowed;
        await route.continue();
      });
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      // Fonts start to load after layout; container queries apply when the page is rendered.
      await waitForRender(page);
      await page.evaluate(() => document.fonts.ready.then(() => {}));
      await waitForRender(page);
      const start = await page.evaluate(() => performance.now());
      allowPictures();
      await page.waitForLoadState('load');
      expect(await layoutShift(page, start)).toBe(0);
    });
});

test('nothing jumps when the answers of the API come (Cumulative Layout Shift); the spinner has its size, and stands still with reduced motion', {
  tag: '@all',
}, async ({ page, artist }) => {
  await page.goto(`/${artist.username}/scheduling`);
  await waitForHydration(page);
  const { promise, resolve: allowAnswers } = Promise.withResolvers<void>();
  await page.route('**/availability*', (route) => promise.then(() => route.continue()));
  await page.getByRole('link', { name: /^Select/ }).click();
  await waitForRender(page);
  const start = await page.evaluate(() => performance.now());
  allowAnswers();
  await expect(page.getByRole('button', { name: /^Soonest: / })).toBeVisible();
  await waitForRender(page);
  expect(await layoutShift(page, start), 'calendar of a month').toBeLessThan(0.02);
  for (const path of ['/', '/studio/calendar', '/studio/designs'])
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await openAs(page, artist, path);
      await page.waitForLoadState('networkidle');
      await expect(page.getByText(/^Loading /)).toHaveCount(0);
      if (path === '/studio/calendar') {
        await page.getByRole('button', { name: /^Next / }).click();
        await page.waitForLoadState('networkidle');
        await waitForRender(page);
      }
      if (path === '/studio/designs') {
        const uploads = page.getByRole('region', { name: 'Uploads' });
        const photos = [await createPhoto('a'), await createPhoto('b')];
        await Promise.all([uploads.waitFor(), chooseFiles(page, 'Add designs', photos)]);
        await uploads.waitFor({ state: 'detached' });
        await expect(page.getByRole('heading', { name: 'Drafts' })).toBeInViewport();
        await waitForRender(page);
      }
      expect(await layoutShift(page), `${path} ${width}`).toBeLessThan(0.02);
    }
  await page.route('**/api/v1/users/me', () => {});
  await page.reload();
  const spinner = page.getByText('Loading studio…').locator('..').locator('[aria-hidden]');
  // Who asked for less motion sees it stand still.
  await expect(spinner).toHaveCSS('animation-iteration-count', '1');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect(spinner).toHaveCSS('height', '120px');
  await expect(spinner).toHaveCSS('animation-duration', '1.4s');
});

test('a phone shows a design’s price and button at once, any username and long words', async ({
  page,
  artist,
}) => {
  const { token, username, service } = artist;
  const [design] = await addDesigns(artist, ['Swallow', 'Moth']);
  const facts = { duration: 90, price: { kind: 'fixed', amount: 15_000 } };
  await expectOk(callSite(`PATCH /designs/${design?.id}`, { token, json: facts }));
  const home = `/${username}/`;
  await page.goto(`${home}designs/${design?.id}`);
  for (const text of ['Swallow', '$150', '1 hour 30 minutes', 'Book Now!'])
    await expect(page.locator('.bottom-bar').getByText(text)).toBeInViewport({ ratio: 1 });
  await page.goto(home);
  await expect(page.getByRole('link', { name: 'Book Now!' }).first()).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('link', { name: 'Book Now', exact: true })).toHaveClass(
    /button-main/,
  );
  await page.setViewportSize({ width: 1280, height: 800 });
  const photo = `/ana/about/${(await loadDemoArtist('ana')).portfolio[1]?.id}`;
  for (const path of [home, `${home}designs/${design?.id}`, photo]) {
    await page.goto(path);
    const picture = await page.locator('main img').first().boundingBox();
    expect(picture?.height, path).toBeLessThanOrEqual(480);
  }
  const city = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch';
  const json = { username: `${username}.${'m'.repeat(9)}-tattoo_ink`.slice(-30), studio: { city } };
  await expectOk(callSite(`PATCH /services/${service.id}`, { token, json: { description: city } }));
  await expectOk(callSite('PATCH /users/me', { token, json }));
  await page.setViewportSize({ width: 320, height: 844 });
  await page.goto(`/${json.username}/`);
  const name = await page.locator('h1').evaluate((name) => ({
    isCut: name.scrollWidth > name.clientWidth,
    size: Number.parseFloat(getComputedStyle(name).fontSize),
  }));
  expect(name).toEqual({ isCut: false, size: 16 });
  await expect(page.getByRole('link', { name: 'Email Me' })).toBeVisible();
  // The navigation is one line.
  const tops = await page
    .getByRole('navigation', { name: 'Artist' })
    .getByRole('link')
    .evaluateAll((links) =>
      links.map((link) => {
        const text = document.createRange();
        text.selectNodeContents(link);
        const { top, height } = text.getBoundingClientRect();
        return Math.round(top + height / 2);
      }),
    );
  expect(new Set(tops).size, String(tops)).toBe(1);
  await page.setViewportSize({ width: 390, height: 844 });
  expect((await page.locator('h1').boundingBox())?.height, 'one line').toBeLessThan(30);
  await setTextSize(page, '200%');
  const bookNow = await page.getByRole('link', { name: 'Book Now', exact: true }).boundingBox();
  expect(bookNow?.height, 'one line').toBeLessThan(100);
  for (const path of ['', 'services', 'scheduling', 'about', 'contact']) {
    await page.goto(`/${json.username}/${path}`);
    await expectFits(page);
  }
  await page.goto(`/explore/?city=${city}`);
  await expect(page.getByRole('list', { name: 'Cities' }).getByText(city)).toBeVisible();
  await expectFits(page);
});

/** How far the visible parts of the page have jumped since a moment, also after input. */
function layoutShift(page: Page, start = 0): Promise<number> {
  return page.evaluate(async (start) => {
    let sum = 0;
    const observer = new PerformanceObserver((list) => {
      for (const shift of list.getEntries())
        if (shift.startTime >= start) sum += Number(Reflect.get(shift, 'value'));
    });
    observer.observe({ type: 'layout-shift', buffered: true });
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return sum;
  }, start);
}

function kindOf(response: BrowserResponse): string {
  return response.request().resourceType();
}

function recordResponses(page: Page): BrowserResponse[] {
  const responses: BrowserResponse[] = [];
  page.on('response', (response) => responses.push(response));
  return responses;
}
