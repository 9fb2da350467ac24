import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Driver, Size } from './driver.ts';
import { JOURNEYS } from './journeys.ts';
import { Tab } from './tab.ts';
import { watchSite } from './watched_site.ts';

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
      expect(site.takeProblems(), 'problems in the browser').toEqual([]);
    } catch (error) {
      console.error(`${title}:`, site.takeProblems());
      for (const [index, tab] of tabs.entries()) {
        const file = join(tmpdir(), `${engine}-${title.replaceAll(' ', '_')}-${index}.png`);
        await writeFile(file, await tab.screenshot());
        console.error(`${await tab.path()}, as in ${file}`);
      }
      throw error;
    } finally {
      await Promise.all(tabs.map((tab) => tab.close()));
    }
  });
}
