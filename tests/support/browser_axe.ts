import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';
import { waitForRender } from './browser_frames.ts';

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

/** How a page is looked at: the size of the window and the color scheme. */
export interface Appearance {
  readonly colorScheme: 'light' | 'dark';
  readonly size: { readonly width: number; readonly height: number };
}

/** Each size in each scheme. Two that stand two apart differ in both. */
const APPEARANCES: readonly Appearance[] = [
  { colorScheme: 'light', size: PHONE },
  { colorScheme: 'dark', size: PHONE },
  { colorScheme: 'dark', size: DESKTOP },
  { colorScheme: 'light', size: DESKTOP },
];

/** Two looks that show both sizes and both schemes: one pair for even, the other for odd numbers. */
export function appearancesOf(number: number): readonly Appearance[] {
  return APPEARANCES.filter((_, index) => index % 2 === number % 2);
}

const AXE_SCRIPT = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Axe finds nothing on what the page shows: on a phone in light, and wide in dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const look of appearancesOf(0))
    expect(await accessibilityViolations(page, look)).toEqual([]);
}

/** All that axe finds on what the page shows in this look. */
export async function accessibilityViolations(
  page: Page,
  { colorScheme, size }: Appearance,
): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize(size);
  const found = await runAxeTwice(page);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  return found.map((finding) => `${size.width} ${colorScheme}: ${finding}`);
}

/** What axe finds, and still finds once the browser has had time to draw the page anew. */
async function runAxeTwice(page: Page): Promise<string[]> {
  await waitForColors(page);
  const found = await runAxe(page);
  if (found.length === 0) return found;
  await waitForColors(page);
  return runAxe(page);
}

async function runAxe(page: Page): Promise<string[]> {
  // Once for each document; sent like this, its policy does not apply.
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate(AXE_SCRIPT);
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
async function waitForColors(page: Page): Promise<void> {
  await waitForRender(page);
  await page.evaluate(async () => {
    const changing = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(changing.map((one) => one.finished));
  });
}
