import { expect, test } from 'vitest';
import { designCardHtml } from '#components/design_card.ts';
import { createDesign } from '#support/design_facts.ts';

const DESIGN = createDesign('swallow');
const PAGE = { home: '/ana/', takesBookings: true };
const cardOf = (changes: Partial<typeof DESIGN>, page = PAGE) =>
  String(designCardHtml({ ...DESIGN, ...changes }, page));

test('no text of an artist becomes markup of a design’s card', () => {
  const text = `"'><script>alert(1)</script>&amp;`;
  const image = { ...DESIGN.image, title: text, file_url: text, placeholder: text };
  const card = cardOf({ name: text, description: text, image });
  expect(card).not.toContain('<script>');
  const escaped = '&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;';
  expect(card.split(escaped)).toHaveLength(6);
});

test('a card shows only what the artist gave', () => {
  const price = { kind: 'from', amount: 15000, amount_to: null, currency: 'USD' } as const;
  const full = cardOf({ description: 'Small.', price, width_mm: 254, height_mm: null });
  expect(full).toContain('From <data value="150.00" data-unit="USD">$150</data>');
  expect(full).toContain('<data value="254" data-unit="mm">10 in</data>');
  expect(full).toContain('Small.</p>');
  expect(full).toContain('aria-describedby="design-');
  const empty = cardOf({ description: '', price: null }, { ...PAGE, takesBookings: false });
  expect(empty).not.toMatch(/<data|<p |Book Now|undefined|null|false/);
});

test('a claimed design is named so, for screen readers too', () => {
  const card = cardOf({ id: '1', status: 'claimed' });
  expect(card).toContain('<p id="design-1-claimed"');
  expect(card).toContain('aria-describedby="design-1-claimed"');
  expect(card).not.toContain('Book Now!');
});

test('only the first picture of a page is loaded at once', () => {
  expect(cardOf({})).toContain('loading="lazy" decoding="async"');
  const first = designCardHtml(DESIGN, { ...PAGE, first: true });
  expect(String(first)).toContain('loading="eager" fetchpriority="high" decoding="auto"');
});
