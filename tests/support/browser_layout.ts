import { expect, type Page } from '@playwright/test';
import { waitForRender } from './browser_frames.ts';

/** CSS pixels. */
const WIDTHS = [320, 390, 1280];
/** A phone's width with text as a person with low vision sets it. */
const LARGE_TEXT = { width: 390, text: '200%' };

/**
 * Text for screen readers and that of the calendar's entries is clipped on purpose. An open menu has
 * its place for the size of text at which it was opened.
 */
const UNCHECKED = '.sr-only, .entry-text, .overflow-x-auto *, [aria-expanded="true"] + ul';

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
  const check = async (name: string, width: number) => {
    await page.setViewportSize({ width, height: 844 });
    // Until then, styles of the previous size may still apply.
    await waitForRender(page);
    const problems = await findOverflowingElements(page);
    found.push(...problems.map((problem) => `${name}: ${problem}`));
  };
  for (const width of WIDTHS) await check(String(width), width);
  await setTextSize(page, LARGE_TEXT.text);
  await check(`${LARGE_TEXT.width}, text ${LARGE_TEXT.text}`, LARGE_TEXT.width);
  await setTextSize(page, '');
  return found;
}

/** Sets the size of all text, such as `200%`; empty: that of the browser. */
export async function setTextSize(page: Page, size: string): Promise<void> {
  await page.evaluate((text) => {
    document.documentElement.style.fontSize = text;
  }, size);
}

function findOverflowingElements(page: Page): Promise<string[]> {
  return page.evaluate((unchecked) => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const found = scrollWidth > clientWidth ? [`the page scrolls to ${scrollWidth}`] : [];
    const report = (problem: string, element: Element) =>
      found.push(`${problem}: ${element.tagName} "${element.textContent?.trim().slice(0, 40)}"`);
    for (const element of document.body.querySelectorAll('*')) {
      const { left, right, width } = element.getBoundingClientRect();
      if (width <= 1 || element.closest(unchecked)) continue;
      if (right > clientWidth + 1 || left < -1) report('outside the page', element);
    }
    for (const element of document.querySelectorAll('button, a, h1, h2, h3, label')) {
      if (element.closest('.sr-only')) continue;
      if (element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1)
        report('text outside its box', element);
    }
    // There WebKit counts the legend twice, until the first press moves all that is below it.
    for (const { parentElement } of document.querySelectorAll('legend:not(.sr-only)')) {
      const { display, flexDirection } = getComputedStyle(
        parentElement?.parentElement ?? document.body,
      );
      if (display === 'flex' && flexDirection === 'column' && parentElement)
        report('a fieldset in a column of flexbox', parentElement);
    }
    return found;
  }, UNCHECKED);
}
