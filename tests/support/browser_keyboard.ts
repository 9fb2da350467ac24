import { expect, type Locator, type Page } from '@playwright/test';

const MAX_TAB_STOPS = 80;

/** Presses Tab until the element has the focus, and checks that the focus is visible. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.first().waitFor();
  for (let stop = 0; stop < MAX_TAB_STOPS; stop += 1) {
    if (await hasFocus(target)) {
      await expectVisibleFocus(target);
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** Moves the focus with Tab, then types. */
export async function tabAndType(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

/** Moves the focus with Tab, then presses the key. */
export async function tabAndPress(
  page: Page,
  target: Locator,
  key: 'Enter' | 'Space',
): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluateAll((elements) =>
    elements.some((element) => element === document.activeElement),
  );
}

async function expectVisibleFocus(target: Locator): Promise<void> {
  await expect(target).toBeInViewport();
  const outline = await target.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
  });
  expect(outline, 'the focus outline is visible').toBeGreaterThanOrEqual(2);
}
