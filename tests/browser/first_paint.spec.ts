import type { Response as BrowserResponse, Page } from '@playwright/test';
import { clearBrowserCache, expect, test } from '#support/browser.ts';
import { waitForRender } from '#support/browser_frames.ts';

const DESIGNS = '/ana/';
const PICTURES = /\.(svg|avif|webp)$/;

test.beforeEach(({ page }) => clearBrowserCache(page));

for (const path of [DESIGNS, '/ana/about', '/ana/services', '/ana/scheduling', '/', '/explore/']) {
  test(`${path} preloads exactly the fonts that it shows`, async ({ page }) => {
    const answers = answersOf(page);
    await page.goto(path, { waitUntil: 'networkidle' });
    const preloaded = await page
      .locator('link[rel=preload][as=font]')
      .evaluateAll((links) => links.map((link) => Reflect.get(link, 'href')));
    const shown = await page.evaluate(() =>
      [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
    );
    const fetched = answers.filter((answer) => kindOf(answer) === 'font');
    expect(fetched.map((answer) => answer.url()).toSorted()).toEqual(preloaded.toSorted());
    expect(shown.map((family) => family.replaceAll('"', '')).toSorted()).toEqual(
      expect.arrayContaining(['Instrument Sans Variable', 'Young Serif']),
    );
  });
}

test('letters that our fonts leave out come from their other files', async ({ page, watch }) => {
  const answers = answersOf(page);
  await page.goto(DESIGNS, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { level: 1 }).evaluate((heading) => {
    heading.textContent = 'Łukasz ″ Ő';
  });
  await expect.poll(() => answers.filter((answer) => kindOf(answer) === 'font').length).toBe(4);
  expect(watch.errors).toEqual([]);
});

for (const width of [390, 1280]) {
  test(`at ${width} pixels the first design is fetched first, and no wider than is shown`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(DESIGNS, { waitUntil: 'networkidle' });
    const pictures = await page.locator('main img').evaluateAll((images) =>
      images.map((image) => {
        if (!(image instanceof HTMLImageElement)) throw new Error('Not a picture');
        const { loading, fetchPriority, currentSrc, sizes } = image;
        const source = image.parentElement?.querySelector('source');
        const [wanted = 0] = [...(source?.srcset ?? '').matchAll(/ (\d+)w/g)]
          .map(([, wide]) => Number(wide))
          .filter((wide) => wide >= image.clientWidth * devicePixelRatio);
        const shown = Number(/(\d+)\.\w+$/.exec(currentSrc)?.[1] ?? 0);
        return { loading, fetchPriority, currentSrc, sizes, shown, wanted };
      }),
    );
    const [first, ...others] = pictures;
    expect(first).toMatchObject({ loading: 'eager', fetchPriority: 'high' });
    expect(others.length).toBeGreaterThan(4);
    for (const { loading, fetchPriority } of others)
      expect({ loading, fetchPriority }).toEqual({ loading: 'lazy', fetchPriority: 'auto' });
    for (const { currentSrc, shown, wanted } of pictures.filter((one) => one.currentSrc !== ''))
      expect(shown, currentSrc).toBe(wanted);
  });
}

for (const path of ['/', DESIGNS, '/ana/about', '/ana/services']) {
  test(`${path} moves nothing when its pictures come late`, async ({ page }) => {
    const { promise: awaited, resolve: letThrough } = Promise.withResolvers<void>();
    await page.route(PICTURES, async (route) => {
      await awaited;
      await route.continue();
    });
    await page.goto(path, { waitUntil: 'domcontentloaded' });
    await expect(page.locator('body')).toHaveCSS('display', 'flex');
    await page.evaluate(async () => {
      // Only what is laid out asks for its fonts.
      document.body.getBoundingClientRect();
      await document.fonts.ready;
    });
    // What is sized by its container has its styles once it is drawn.
    await waitForRender(page);
    const before = await placesIn(page);
    letThrough();
    await page.waitForLoadState('load');
    expect(await placesIn(page)).toEqual(before);
  });
}

test('a small picture of the artist is fetched for a small circle', async ({ page }) => {
  await page.goto(DESIGNS, { waitUntil: 'networkidle' });
  const picture = page.getByRole('banner').locator('img');
  const fetched = picture.evaluate((image) => Reflect.get(image, 'currentSrc'));
  expect(await fetched).toMatch(/\/160\.avif$/);
});

for (const path of [DESIGNS, '/ana/about', '/', '/explore/', '/login']) {
  test(`${path} has one stylesheet, with nothing of the studio`, async ({ page }) => {
    const answers = answersOf(page);
    await page.goto(path, { waitUntil: 'networkidle' });
    const sheets = answers.filter((answer) => kindOf(answer) === 'stylesheet');
    expect(sheets).toHaveLength(1);
    const styles = (await sheets[0]?.text()) ?? '';
    expect(styles).toContain('.stipple');
    expect(styles).not.toMatch(/--fc-|\.ReactCrop|\.calendar-month|\.cursor-grab/);
  });
}

/** Where everything is, from the top of the page. */
function placesIn(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main *, footer')].map((element) => {
      const { top, height } = element.getBoundingClientRect();
      return `${element.tagName} ${Math.round(top)} ${Math.round(height)}`;
    }),
  );
}

function kindOf(answer: BrowserResponse): string {
  return answer.request().resourceType();
}

function answersOf(page: Page): readonly BrowserResponse[] {
  const answers: BrowserResponse[] = [];
  page.on('response', (answer) => answers.push(answer));
  return answers;
}
