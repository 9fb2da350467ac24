import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];

/** Axe finds nothing on what the page shows: on a phone and wide, in light and in dark. */
export async function expectAccessible(page: Page): Promise<void> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const finding of await lookTwice(page, colorScheme))
        found.push(`${size.width} ${colorScheme}: ${finding}`);
    }
  }
  expect(found).toEqual([]);
}

/** What axe finds, and still finds once the browser has had time to draw the page anew. */
async function lookTwice(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await colorsSettled(page);
  const found = await look(page, colorScheme);
  if (found.length === 0) return found;
  await colorsSettled(page);
  return look(page, colorScheme);
}

async function look(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  // Without frames there is nothing that the newer mode, slower by a page, would add.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  // In the dark only colors differ.
  const { violations } = await (colorScheme === 'light'
    ? axe.withTags(TAGS)
    : axe.withRules('color-contrast')
  ).analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`,
    ),
  );
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
