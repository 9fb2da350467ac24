import { expect, type Page } from '@playwright/test';
import { waitForRender } from './browser_frames.ts';

const WIDTHS = [320, 390, 1280];

/** Nothing overflows the page or its own box, from a small phone to a desktop. */
export async function expectFits(page: Page): Promise<void> {
  expect(await findLayoutOverflows(page)).toEqual([]);
}

/** Elements that overflow the page or their own box. */
export async function findLayoutOverflows(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  // Fallback fonts may be wider, so wait for ours. `fonts.ready` ignores fonts that no text uses
  // yet, so load each one.
  await page.evaluate(async () => {
    await Promise.allSettled([...document.fonts].map((face) => face.load()));
  });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    // Until then, styles of the previous size may still apply.
    await waitForRender(page);
    found.push(...(await findOverflowingElements(page)).map((problem) => `${width}: ${problem}`));
  }
  return found;
}

function findOverflowingElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const found = scrollWidth > clientWidth ? [`the page scrolls to ${scrollWidth}`] : [];
    const report = (problem: string, element: Element) =>
      found.push(`${problem}: ${element.tagName} "${element.textContent?.trim().slice(0, 40)}"`);
    for (const element of document.body.querySelectorAll('*')) {
      const { left, right, width } = element.getBoundingClientRect();
      // Text for screen readers is clipped on purpose.
      if (width <= 1 || element.closest('.sr-only')) continue;
      if (right > clientWidth + 1 || left < -1) report('outside the page', element);
    }
    for (const element of document.querySelectorAll('button, a, h1, h2, h3, label')) {
      if (element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1)
        report('text outside its box', element);
    }
    return found;
  });
}
