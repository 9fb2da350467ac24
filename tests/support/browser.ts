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
     * A browser context with these options: that of the test before, if its options are equal. What
     * the configuration sets for all tests is not compared.
     */
    contextFor(options: BrowserContextOptions): Promise<BrowserContext>;
    /** Closes it, so that the next test is given a new one. */
    close(): Promise<void>;
  };
}

interface Fixtures {
  /** Hears all that goes wrong in the browser; what a test did not expect fails it. */
  watch: ErrorWatch;
  /** An artist of this test alone, in New York, whose clients book times themselves. */
  artist: TestArtist;
  /** The same, who sets the times. */
  managedArtist: TestArtist;
}

/** What tests listen to on a page. Playwright itself listens to other events of it. */
const WATCHED_EVENTS = ['request', 'response', 'dialog'] as const;

/**
 * Every browser test: on the site that `npm start` serves, and nothing may go wrong unheard.
 *
 * Tests that ask for the same kind of browser follow each other on one page: a page of its own for
 * each test costs more than the test. It begins as for somebody who has never been here, but for
 * files of the site in the browser's cache; a test about those calls `clearBrowserCache`.
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
  context: async ({ contexts, viewport, timezoneId, javaScriptEnabled, contextOptions }, use) => {
    const context = await contexts.contextFor({
      ...contextOptions,
      ...(timezoneId !== undefined && { timezoneId }),
      baseURL: siteUrl(),
      viewport,
      javaScriptEnabled,
    });
    await use(context);
    // Without its page, what that left behind cannot be emptied.
    if (context.pages().length === 0) return contexts.close();
    await Promise.all([context.clearCookies(), context.clearPermissions()]);
  },
  page: async ({ context, viewport }, use) => {
    const page = context.pages()[0] ?? (await context.newPage());
    if (viewport) await page.setViewportSize(viewport);
    await use(page);
    // While this test's watch still listens: what goes wrong as pages are left belongs to it.
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
      expect(watch.unexpectedErrors(), 'what went wrong in the browser').toEqual([]);
      await watch.stop();
    },
    { auto: true },
  ],
  artist: async ({ baseURL: _ }, use) => use(await newSiteArtist()),
  managedArtist: async ({ baseURL: _ }, use) =>
    use(await newSiteArtist({ scheduling_type: 'managed' })),
});

/** Empties the browser's cache, as on somebody's first visit. */
export async function clearBrowserCache(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await session.detach();
}

export { expect };
