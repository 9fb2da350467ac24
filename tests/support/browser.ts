import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test';
import { startAnew } from './browser_login.ts';
import { siteUrl } from './browser_server.ts';
import { newArtist } from './browser_studio.ts';
import { type Watch, watchBrowser } from './browser_watch.ts';
import type { TestArtist } from './new_artist.ts';

interface WorkerFixtures {
  /** The browser context of the test before, if it was made for the same. */
  contexts: { open(made: BrowserContextOptions): Promise<BrowserContext> };
}

interface Fixtures {
  /** Hears all that goes wrong in the browser; what a test did not expect fails it. */
  watch: Watch;
  /** An artist of this test alone, in New York, whose clients book times themselves. */
  artist: TestArtist;
  /** The same, who sets the times. */
  managedArtist: TestArtist;
}

/**
 * Every browser test: on the site that `npm start` serves, and nothing may go wrong unheard.
 *
 * Tests that ask for the same kind of browser follow each other on one page: a page of its own for
 * each test costs more than the test. It begins as for somebody who has never been here, but for
 * files of the site in the browser's cache; a test about those calls `forgetFiles`.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  contexts: [
    async ({ browser }, use) => {
      let kept: { readonly key: string; readonly context: BrowserContext } | undefined;
      await use({
        async open(made) {
          const key = JSON.stringify(made);
          if (kept?.key !== key) {
            await kept?.context.close();
            kept = { key, context: await browser.newContext(made) };
          }
          return kept.context;
        },
      });
      await kept?.context.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ contexts, viewport, timezoneId, javaScriptEnabled, contextOptions }, use) => {
    const context = await contexts.open({
      ...contextOptions,
      ...(timezoneId !== undefined && { timezoneId }),
      baseURL: siteUrl(),
      viewport,
      javaScriptEnabled,
    });
    await use(context);
    await Promise.all(context.pages().map((page, index) => index > 0 && page.close()));
    await Promise.all([context.clearCookies(), context.clearPermissions()]);
  },
  page: async ({ context, viewport }, use) => {
    const page = context.pages()[0] ?? (await context.newPage());
    if (viewport) await page.setViewportSize(viewport);
    await use(page);
    // While this test's watch still listens: what goes wrong as the page is left belongs to it.
    if (!page.isClosed()) await startAnew(page);
    page.removeAllListeners();
  },
  baseURL: async ({ browserName }, use) => {
    if (browserName !== 'chromium') throw new Error(`No tests for ${browserName}`);
    await use(siteUrl());
  },
  watch: [
    async ({ context }, use) => {
      const watch = await watchBrowser(context);
      await use(watch);
      expect(watch.surprises(), 'what went wrong in the browser').toEqual([]);
      await watch.stop();
    },
    { auto: true },
  ],
  artist: async ({ baseURL: _ }, use) => use(await newArtist()),
  managedArtist: async ({ baseURL: _ }, use) =>
    use(await newArtist({ scheduling_type: 'managed' })),
});

/** No file of the site is in the browser's cache, as on somebody's first visit. */
export async function forgetFiles(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await session.detach();
}

export { expect };
