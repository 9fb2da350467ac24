import { test as base, expect } from '@playwright/test';
import { siteUrl } from './browser_server.ts';
import { newArtist } from './browser_studio.ts';
import { type Watch, watchBrowser } from './browser_watch.ts';
import type { TestArtist } from './new_artist.ts';

interface Fixtures {
  /** Hears all that goes wrong in the browser; what a test did not expect fails it. */
  watch: Watch;
  /** An artist of this test alone, in New York, whose clients book times themselves. */
  artist: TestArtist;
  /** The same, who sets the times. */
  managedArtist: TestArtist;
}

/** Every browser test: on the site that `npm start` serves, and nothing may go wrong unheard. */
export const test = base.extend<Fixtures>({
  baseURL: async ({ browserName }, use) => {
    if (browserName !== 'chromium') throw new Error(`No tests for ${browserName}`);
    await use(siteUrl());
  },
  watch: [
    async ({ context }, use) => {
      const watch = await watchBrowser(context);
      await use(watch);
      expect(watch.surprises(), 'what went wrong in the browser').toEqual([]);
    },
    { auto: true },
  ],
  artist: async ({ baseURL: _ }, use) => use(await newArtist()),
  managedArtist: async ({ baseURL: _ }, use) =>
    use(await newArtist({ scheduling_type: 'managed' })),
});

export { expect };
