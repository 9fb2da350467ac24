import { test } from '#support/browser.ts';
import { expectAccessible } from '#support/browser_axe.ts';
import { expectFits } from '#support/browser_layout.ts';
import { CONFIRMATIONS, FORMS, PAGES } from '#support/browser_places.ts';

for (const { name, open } of [...PAGES, ...FORMS, ...CONFIRMATIONS]) {
  test(`axe finds nothing on ${name}, and nothing sticks out of it`, async ({ page, watch }) => {
    await open(page, watch);
    await expectFits(page);
    await expectAccessible(page);
  });
}
