import { expect, test } from 'vitest';
import type { Driver, Size } from './driver.ts';
import { JOURNEYS } from './journeys.ts';
import { Tab } from './tab.ts';
import { watchSite } from './watched_site.ts';

/** Problems that no person meets, and that are not ours. */
const ALLOWED = [
  // WebKit itself skips the transition to a page of the page cache, and reports that.
  /: unhandled rejection: Skipping view transition because skipTransition\(\) was called/,
  // Firefox reports the preload of a module that is loaded already.
  /: not loaded: <link rel="modulepreload"/,
];

/** Tests each journey in a new browser of this engine. */
export function runJourneys(engine: string, openDriver: (size: Size) => Promise<Driver>): void {
  test.for(JOURNEYS)(`%s (${engine})`, async ([, journey, size]) => {
    const { url, problems } = await watchSite();
    const tabs: Tab[] = [];
    const openTab = async () => {
      const tab = new Tab(await openDriver(size), url);
      tabs.push(tab);
      return tab;
    };
    try {
      await journey(await openTab(), openTab);
      // A report may be on its way; this comes after it.
      for (const tab of tabs) await tab.evaluate(() => fetch('/healthz').then(({ ok }) => ok));
    } catch (error) {
      const pages = await Promise.all(tabs.map((tab) => tab.describe()));
      throw new Error([error, ...problems, ...pages].join('\n\n'), { cause: error });
    }
    const own = problems.filter((line) => !ALLOWED.some((pattern) => pattern.test(line)));
    expect(own, 'problems in the browser').toEqual([]);
  });
}
