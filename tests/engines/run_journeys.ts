import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  let site: Awaited<ReturnType<typeof watchSite>>;
  beforeAll(async () => {
    site = await watchSite();
  });
  afterAll(() => site.stop());

  test.for(JOURNEYS)('%s', async ([title, journey, size]) => {
    const tabs: Tab[] = [];
    const openTab = async () => {
      const tab = new Tab(await openDriver(size), site.url);
      tabs.push(tab);
      return tab;
    };
    try {
      await journey(await openTab(), openTab);
      // A page that is left sends its problems in the background.
      for (const tab of tabs) await tab.evaluate(() => fetch('/healthz').then(({ ok }) => ok));
      const problems = site.takeProblems();
      const own = problems.filter((line) => !ALLOWED.some((pattern) => pattern.test(line)));
      expect(own, 'problems in the browser').toEqual([]);
    } catch (error) {
      console.error(`${title}: ${await tabs[0]?.path()}`, site.takeProblems());
      const file = join(tmpdir(), `${engine} ${title}.png`);
      await writeFile(file, (await tabs[0]?.screenshot()) ?? '');
      throw new Error(`${engine}, as in ${file}`, { cause: error });
    } finally {
      await Promise.all(tabs.map((tab) => tab.close()));
    }
  });
}
