import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test';
import { newSiteArtist } from './browser_api.ts';
import { type ErrorWatch, watchErrors } from './browser_errors.ts';
import { resetPage } from './browser_login.ts';
import { siteUrl } from './browser_server.ts';
import type { TestArtist } from './new_artist.ts';

interface WorkerFixtures {
  contexts: {
    /**
     * A browser context with these options. It is the previous test's if the options are equal.
     * Options that the configuration sets for all tests are not compared.
     */
    contextFor(options: BrowserContextOptions): Promise<BrowserContext>;
    /** Closes the context, so that the next test gets a new one. */
    close(): Promise<void>;
  };
}

interface Fixtures {
  /** Records the browser's errors. An error that a test does not expect fails the test. */
  watch: ErrorWatch;
  /** An artist of this test alone, in New York, whose clients book times themselves. */
  artist: TestArtist;
  /** The same, but clients send requests and the artist sets the times. */
  managedArtist: TestArtist;
}

/** Events that tests listen to on a page. Playwright itself listens to others. */
const WATCHED_EVENTS = ['request', 'response', 'dialog'] as const;

/**
 * Every browser test runs on the site that `npm start` serves. An unexpected error in the browser
 * fails the test.
 *
 * Consecutive tests with the same browser options share one page: opening a new page for each test
 * takes longer than the test. The page starts without storage, cookies or routes. The HTTP cache of
 * the browser remains; a test about it calls `clearBrowserCache`.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  contexts: [
    async ({ browser }, use) => {
      let current: { readonly key: string; readonly context: BrowserContext } | undefined;
      const close = async () => {
        await current?.context.close();
        current = undefined;
      };
      await use({
        async contextFor(options) {
          const key = JSON.stringify(options);
          if (current?.key === key) return current.context;
          await close();
          const context = await browser.newContext(options);
          current = { key, context };
          return context;
        },
        close,
      });
      await close();
    },
    { scope: 'worker' },
  ],
  context: async (
    { contexts, baseURL, viewport, timezoneId, locale, javaScriptEnabled, contextOptions },
    use,
  ) => {
    const context = await contexts.contextFor({
      ...contextOptions,
      ...(timezoneId !== undefined && { timezoneId }),
      ...(locale !== undefined && { locale }),
      ...(baseURL !== undefined && { baseURL }),
      viewport,
      javaScriptEnabled,
    });
    await use(context);
    // Storage can be emptied only through the page, and the test closed it.
    if (context.pages().length === 0) return contexts.close();
    await Promise.all([context.clearCookies(), context.clearPermissions()]);
  },
  page: async ({ context, viewport }, use) => {
    const page = context.pages()[0] ?? (await context.newPage());
    if (viewport) await page.setViewportSize(viewport);
    await use(page);
    // This test's `watch` still listens: errors while its pages close belong to this test.
    await Promise.all(context.pages().map((one) => one !== page && one.close()));
    if (page.isClosed()) return;
    for (const event of WATCHED_EVENTS) page.removeAllListeners(event);
    await resetPage(page);
  },
  baseURL: async ({ browserName }, use) => {
    if (browserName !== 'chromium') throw new Error(`No tests for ${browserName}`);
    await use(siteUrl());
  },
  watch: [
    async ({ context }, use) => {
      const watch = await watchErrors(context);
      await use(watch);
      expect(watch.unexpectedErrors(), 'unexpected browser errors').toEqual([]);
      await watch.stop();
    },
    { auto: true },
  ],
  artist: async ({ baseURL: _ }, use) => use(await newSiteArtist()),
  managedArtist: async ({ baseURL: _ }, use) =>
    use(await newSiteArtist({ scheduling_type: 'managed' })),
});

/** Empties the browser's HTTP cache, as on a first visit. */
export async function clearBrowserCache(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await session.detach();
}

export { expect };
