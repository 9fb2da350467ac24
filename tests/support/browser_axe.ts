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

/** The size of the window and the color scheme. */
interface Appearance {
  readonly colorScheme: 'light' | 'dark';
  readonly size: { readonly width: number; readonly height: number };
}

/** Each size in each scheme. Entries at a distance of two differ in both. */
const APPEARANCES: readonly Appearance[] = [
  { colorScheme: 'light', size: PHONE },
  { colorScheme: 'dark', size: PHONE },
  { colorScheme: 'dark', size: DESKTOP },
  { colorScheme: 'light', size: DESKTOP },
];

const AXE_SCRIPT = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Whether every page is checked in two appearances (playwright.config.ts); otherwise in one. */
const isAll = process.env['LINEWORK_TEST_ALL'] === '1';

/**
 * Two appearances that differ in size and scheme: one pair for even, one for odd numbers. In `npm test`
 * one of the pair, by turns.
 */
export function selectAppearances(index: number): readonly Appearance[] {
  const pair = APPEARANCES.filter((_, place) => place % 2 === index % 2);
  return isAll ? pair : pair.filter((_, turn) => turn === Math.floor(index / 2) % 2);
}

/** Axe finds no violations: on a phone in light mode, and with `--all` on a desktop in dark mode. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const appearance of selectAppearances(0))
    expect(await accessibilityViolations(page, appearance)).toEqual([]);
}

/** All violations that axe finds on the page in this appearance. */
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

/** The violations that remain after the browser has had time to repaint the page. */
async function runAxeTwice(page: Page): Promise<string[]> {
  await waitForColors(page);
  const found = await runAxe(page);
  if (found.length === 0) return found;
  await waitForColors(page);
  return runAxe(page);
}

async function runAxe(page: Page): Promise<string[]> {
  // Once for each document. The CSP of the page does not apply to `evaluate`.
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

/** Waits for the color transitions: in the middle of one, neither scheme's contrast holds. */
async function waitForColors(page: Page): Promise<void> {
  await waitForRender(page);
  await page.evaluate(async () => {
    const transitions = document
      .getAnimations()
      .filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(transitions.map((transition) => transition.finished));
  });
}
