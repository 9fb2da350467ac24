import type { Page } from '@playwright/test';

/**
 * Waits until the changes so far are rendered: styles, sizes and everything measured from them.
 * A page without scripts has no animation frames, so this does not wait for it.
 */
export async function waitForRender(page: Page): Promise<void> {
  await page.evaluate(async () => {
    if (matchMedia('(scripting: none)').matches) return;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
  });
}
