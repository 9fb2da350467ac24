import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 900 };
/** What axe finds hangs on the structure and the colors: each size and each scheme is looked at once. */
const LOOKS = [
  { colorScheme: 'dark', size: DESK },
  { colorScheme: 'light', size: PHONE },
] as const;
/** The other pairs, which cost as much again: in `npm run test:all`. */
const OTHER_LOOKS = [
  { colorScheme: 'light', size: DESK },
  { colorScheme: 'dark', size: PHONE },
] as const;
const isAll = process.env['LINEWORK_TEST_ALL'] === '1';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Axe finds nothing on what the page shows: on a phone and wide, in light and in dark. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
}

/** All that axe finds on what the page shows: on a phone and wide, in light and in dark. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { colorScheme, size } of isAll ? [...LOOKS, ...OTHER_LOOKS] : LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(size);
    for (const finding of await lookTwice(page))
      found.push(`${size.width} ${colorScheme}: ${finding}`);
  }
  return found;
}

/** What axe finds, and still finds once the browser has had time to draw the page anew. */
async function lookTwice(page: Page): Promise<string[]> {
  await colorsSettled(page);
  const found = await look(page);
  if (found.length === 0) return found;
  await colorsSettled(page);
  return look(page);
}

async function look(page: Page): Promise<string[]> {
  // Once for each document; sent like this, its policy does not apply.
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate(AXE);
  return page.evaluate(async (tags) => {
    if (!window.axe) throw new Error('Axe is not in the page');
    const { violations } = await window.axe.run(document, {
      runOnly: { type: 'tag', values: tags },
      resultTypes: ['violations'],
    });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`,
      ),
    );
  }, TAGS);
}

/** Until the change of scheme is drawn everywhere: what is being changed has neither's contrast. */
async function colorsSettled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    await frame();
    await frame();
    const changing = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(changing.map((one) => one.finished));
  });
}
