import type { Response as BrowserResponse, Page } from '@playwright/test';
import { clearBrowserCache, expect, test } from '#support/browser.ts';
import { waitForRender } from '#support/browser_frames.ts';

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
  for (const path of ['/', DESIGNS, '/ana/about', '/ana/services'])
    await test.step(path, async () => {
      await clearBrowserCache(page);
      const { promise: picturesAllowed, resolve: allowPictures } = Promise.withResolvers<void>();
      await page.route(PICTURES, async (route) => {
        await picturesAllowed;
        await route.continue();
      });
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      await expect(page.locator('body')).toHaveCSS('display', 'flex');
      await page.evaluate(async () => {
        // Fonts start to load after layout.
        document.body.getBoundingClientRect();
        await document.fonts.ready;
      });
      // Container queries apply when the page is rendered.
      await waitForRender(page);
      const before = await measureLayout(page);
      allowPictures();
      await page.waitForLoadState('load');
      expect(await measureLayout(page)).toEqual(before);
    });
});

/** The vertical position and height of every element. */
function measureLayout(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main *, footer')].map((element) => {
      const { top, height } = element.getBoundingClientRect();
      return `${element.tagName} ${Math.round(top)} ${Math.round(height)}`;
    }),
  );
}

function kindOf(response: BrowserResponse): string {
  return response.request().resourceType();
}

function recordResponses(page: Page): BrowserResponse[] {
  const responses: BrowserResponse[] = [];
  page.on('response', (response) => responses.push(response));
  return responses;
}
