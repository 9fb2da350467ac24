import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { callSite, newSiteArtist } from '#support/browser_api.ts';
import { addDesigns } from '#support/browser_artwork.ts';
import { expectAccessible } from '#support/browser_axe.ts';
import { expectFits } from '#support/browser_layout.ts';
import { expectOk } from '#support/call_api.ts';
import { fetchPage, textsOf } from '#support/html_page.ts';

const EUR = { currency: 'EUR' };

function card(page: Page, name: string): Locator {
  return page
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });
}

test.describe('in Germany', () => {
  test.use({ locale: 'de-DE' });

  test('prices have the form of the visitor’s locale, and sizes are in centimeters', async ({
    page,
    artist,
  }) => {
    const change = (path: string, json: object) =>
      expectOk(callSite(`PATCH ${path}`, { token: artist.token, json }));
    const [swallow, panther] = await addDesigns(artist, ['Swallow', 'Panther']);
    // Without a description, the picture would have the name as its text too.
    const description = 'Bold lines.';
    const price = { kind: 'from', amount: 15000, ...EUR };
    const facts = { width_mm: 60, height_mm: 85, duration: 90, editions: 5 };
    await change(`/designs/${swallow?.id}`, { description, price, ...facts });
    const ask = { price: { kind: 'ask', ...EUR }, placements: ['arms', 'back'], color: 'black' };
    await change(`/designs/${panther?.id}`, { description, ...ask, editions: 1 });
    const range = { kind: 'range', amount: 15000, amount_to: 20000, ...EUR };
    await change(`/services/${artist.service.id}`, { price: range });

    await page.goto(`/${artist.username}/`);
    await expect(card(page, 'Swallow')).toContainText(/From 150\s€\s*6 × 8,5 cm/);
    await expect(card(page, 'Panther')).toContainText('Price on request');
    await expectFits(page);
    await expectAccessible(page);

    await card(page, 'Swallow').getByRole('link', { name: 'Swallow' }).click();
    const main = page.getByRole('main');
    // Also in the bar of Book Now!, which is pinned on a phone.
    await expect(main.getByText(/^From 150\s€$/)).toHaveCount(2);
    await expect(main.getByText('5 of 5 left')).toBeVisible();
    await expect(main.getByRole('term')).toHaveText(['Size', 'Time']);
    await expect(main.getByRole('definition')).toHaveText(['6 × 8,5 cm', '1 hour 30 minutes']);
    await expectFits(page);
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Next: Panther' }).click();
    await expect(main.getByText('Tattooed only once')).toBeVisible();
    await expect(main.getByRole('definition')).toHaveText(['Arms, Back', 'Black']);

    await page.goto(`/${artist.username}/services`);
    await expect(main.getByText(/^150\s?–\s?200\s€$/)).toBeVisible();
  });
});

test('an artist without prices, facts and terms has pages without a word about them', async () => {
  for (const scheduling_type of ['service', 'managed'] as const) {
    const artist = await newSiteArtist({ scheduling_type });
    const [design] = await addDesigns(artist, ['Swallow']);
    for (const path of [
      '',
      'services',
      `designs/${design?.id}`,
      `scheduling?design=${design?.id}`,
    ]) {
      const { document } = await fetchPage(`/${artist.username}/${path}`);
      for (const script of document.querySelectorAll('script')) script.remove();
      const text = textsOf(document, 'main').join();
      expect(text, path).toContain(path === 'services' ? 'Small flash' : 'Swallow');
      expect(text, path).not.toMatch(/\$|€|price|deposit|refund|\d (cm|in)\b|\d left|only once/i);
      expect(document.querySelector('main dl, data, [aria-label=Filters]'), path).toBeNull();
    }
  }
});
