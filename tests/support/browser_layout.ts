import { expect, type Page } from '@playwright/test';
import { waitForRender } from './browser_frames.ts';

const WIDTHS = [320, 390, 1280];

/** Nothing reaches over the page's sides or out of its own box, from a small phone to a desk. */
export async function expectFits(page: Page): Promise<void> {
  expect(await findLayoutOverflows(page)).toEqual([]);
}

/** All that reaches over the page's sides or out of its own box. */
export async function findLayoutOverflows(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  // Until our fonts are there, others stand in for them, some a little wider. A font that no text
  // has asked for yet does not count as loading, so each is loaded.
  await page.evaluate(async () => {
    await Promise.allSettled([...document.fonts].map((face) => face.load()));
  });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    // Before that, styles for the size of before may still hold.
    await waitForRender(page);
    found.push(...(await findOverflowingElements(page)).map((what) => `${width}: ${what}`));
  }
  return found;
}

function findOverflowingElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const found = scrollWidth > clientWidth ? [`the page scrolls to ${scrollWidth}`] : [];
    const say = (what: string, element: Element) =>
      found.push(`${what}: ${element.tagName} "${element.textContent?.trim().slice(0, 40)}"`);
    for (const element of document.body.querySelectorAll('*')) {
      const { left, right, width } = element.getBoundingClientRect();
      // Words for readers only are clipped on purpose.
      if (width <= 1 || element.closest('.sr-only')) continue;
      if (right > clientWidth + 1 || left < -1) say('over the side', element);
    }
    for (const element of document.querySelectorAll('button, a, h1, h2, h3, label')) {
      if (element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1)
        say('words out of the box', element);
    }
    return found;
  });
}
