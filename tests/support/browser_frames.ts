import type { Page } from '@playwright/test';

/**
 * Waits until all that has changed by now is drawn: styles, sizes and what is measured from them.
 * A page without scripts is told of no frame, and not waited for.
 */
export async function waitForRender(page: Page): Promise<void> {
  await page.evaluate(async () => {
    if (matchMedia('(scripting: none)').matches) return;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
  });
}
