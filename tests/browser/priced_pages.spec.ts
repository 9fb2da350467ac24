import type { Locator, Page } from '@playwright/test';
import type { Design } from '#contract/design.ts';
import { expect, test } from '#support/browser.ts';
import { bookSiteSlot, callSite, findOpenDay, newSiteArtist } from '#support/browser_api.ts';
import { addDesigns } from '#support/browser_artwork.ts';
import { expectAccessible } from '#support/browser_axe.ts';
import { expectFits } from '#support/browser_layout.ts';
import { siteUrl } from '#support/browser_server.ts';
import { expectOk } from '#support/call_api.ts';
import { fetchPage, textsOf } from '#support/html_page.ts';
import type { TestArtist } from '#support/new_artist.ts';

const EUR = { currency: 'EUR' };
const FROM_150 = { kind: 'from', amount: 15000, ...EUR };
const EXACT = { kind: 'fixed', amount: 15050, ...EUR };
const RANGE = { kind: 'range', amount: 15000, amount_to: 20000, ...EUR };
/** Twelve designs have no filters. */
const MANY = 13;

test.use({ viewport: { width: 390, height: 844 } });

function change({ token }: TestArtist, path: string, json: object): Promise<Design> {
  return expectOk(callSite<Design>(`PATCH ${path}`, { token, json }));
}

/** Adds designs with these changes over the API. */
async function addDesignsWith(
  artist: TestArtist,
  changes: Readonly<Record<string, object>>,
): Promise<readonly Design[]> {
  const designs = await addDesigns(artist, Object.keys(changes));
  return Promise.all(
    designs.map(({ id, name }) => {
      // Without a description, the picture would have the name as its text too.
      const json = { description: 'Bold lines.', ...changes[name] };
      return change(artist, `/designs/${id}`, json);
    }),
  );
}

function card(page: Page, name: string): Locator {
  return page
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });
}

function names(page: Page): Locator {
  return page.getByRole('main').getByRole('heading', { level: 3 });
}

test.describe('in Germany', () => {
  test.use({ locale: 'de-DE' });

  test('prices have the form of the visitor’s locale, and sizes are in centimeters', async ({
    page,
    artist,
  }) => {
    const [swallow] = await addDesignsWith(artist, {
      Swallow: { price: FROM_150, width_mm: 60, height_mm: 85, duration: 90, editions: 5 },
      Panther: { price: EXACT, placements: ['arms', 'back'], color: 'black', editions: 1 },
      Moth: { price: { kind: 'ask', ...EUR } },
    });
    await change(artist, `/services/${artist.service.id}`, { price: RANGE });

    await page.goto(`/${artist.username}/`);
    await expect(card(page, 'Swallow')).toContainText(/From 150\s€\s*6 × 8,5 cm/);
    await expect(card(page, 'Panther')).toContainText(/150,50\s€/);
    await expect(card(page, 'Moth')).toContainText('Price on request');
    await expectFits(page);
    await expectAccessible(page);

    await card(page, 'Swallow').getByRole('link', { name: 'Swallow' }).click();
    const main = page.getByRole('main');
    await expect(main.getByText(/^From 150\s€$/)).toBeVisible();
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
    await page.goto(`/${artist.username}/scheduling?design=${swallow?.id}`);
    await expect(page.getByRole('complementary', { name: 'Design' })).toContainText(
      /From 150\s€\s*6 × 8,5 cm/,
    );
    await expect(main.locator('form').getByText(/^From 150\s€$/)).toBeVisible();
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('links filter many designs, alone and together, and lead back to all of them', {
    tag: '@all',
  }, async ({ page, artist }) => {
    const small = { width_mm: 60, height_mm: 80 };
    const large = { width_mm: 240, height_mm: 200 };
    await addDesignsWith(artist, {
      ...Object.fromEntries(
        Array.from({ length: MANY - 4 }, (_, at) => [`Flash ${at + 1}`, { placements: ['back'] }]),
      ),
      Swallow: { price: EXACT, placements: ['arms'], ...small },
      Panther: { price: FROM_150, placements: ['arms', 'legs'], ...large },
      Moth: { placements: ['arms'], ...small, status: 'claimed', editions: 1 },
      Snake: { placements: ['legs'], ...large },
    });
    const home = `/${artist.username}/`;
    const filters = page.getByRole('navigation', { name: 'Filters' });
    const choose = async (text: string, group: string) => {
      await filters.getByRole('group').locator('summary').click();
      const links = filters.getByRole('list', { name: group }).getByRole('link');
      await links.filter({ hasText: new RegExp(`^${text}`) }).click();
    };
    const chosen = filters.locator('[aria-current=true]');

    await page.goto(home);
    await expect(names(page)).toHaveCount(MANY);
    await expect(card(page, 'Swallow')).toContainText('€150.50');
    await choose('Arms', 'Placement');
    await expect(page).toHaveURL(/\?placement=arms#filters$/);
    await expect(names(page)).toHaveText(['Swallow', 'Panther', 'Moth']);
    await expect(chosen).toHaveText(['Arms', 'All', 'All']);
    await filters.getByRole('group').locator('summary').click();
    await expectFits(page);
    await filters.getByRole('group').locator('summary').click();
    await choose('Small', 'Size');
    await expect(names(page)).toHaveText(['Swallow', 'Moth']);
    await choose('Available only', 'Availability');
    await expect(page).toHaveURL(/\?placement=arms&size=small&free=1#filters$/);
    await expect(names(page)).toHaveText(['Swallow']);
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute(
      'href',
      `${siteUrl().replace('127.0.0.1', 'localhost')}${home}`,
    );
    await choose('All', 'Size');
    await expect(names(page)).toHaveText(['Swallow', 'Panther']);
    await page.goto(`${home}?placement=back&size=small`);
    await expect(page.getByText('No available design matches these filters.')).toBeVisible();
    await page.getByRole('link', { name: `see all ${MANY} designs` }).click();
    await expect(names(page)).toHaveCount(MANY);
  });
});

test('a claimed piece stays on the pages, marked as claimed, and cannot be booked', {
  tag: '@all',
}, async ({ page, artist }) => {
  const [, panther] = await addDesignsWith(artist, {
    Swallow: {},
    Panther: { price: EXACT, editions: 1 },
    Moth: { price: EXACT },
  });
  const { slot } = await findOpenDay(artist);
  await expectOk(bookSiteSlot(artist, slot, { design_id: panther?.id }));

  const home = `/${artist.username}/`;
  await page.goto(home);
  await expect(names(page)).toHaveText(['Swallow', 'Moth', 'Panther']);
  await expect(card(page, 'Swallow').getByText('Claimed')).toHaveCount(0);
  await expect(card(page, 'Panther').getByRole('link', { name: 'Book Now!' })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Panther' }).click();
  await expect(page.getByText('Claimed: someone already has it.')).toBeVisible();
  await expect(page.getByText('Tattooed only once')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Book Now!' })).toHaveCount(0);
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
