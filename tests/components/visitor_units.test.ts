import { readFileSync } from 'node:fs';
import { Window as HtmlWindow } from 'happy-dom';
import { expect, test } from 'vitest';
import { toDecimal } from '#domain/money/decimal_amount.ts';
import type { Money } from '#domain/money/money.ts';
import { formatPrice } from '#domain/money/price.ts';
import { formatDesignSize } from '#domain/studio/design.ts';
import { LOCALES } from '#support/currencies.ts';

const SCRIPT = readFileSync('src/components/visitor_units.js', 'utf8');
const SERVER_TEXT = 'as the server wrote it';

/** The text of an element after the script has run in a browser with this locale. */
function write(value: string, unit: string, locale: string): string {
  const { document } = new HtmlWindow();
  document.body.innerHTML = `<data value="${value}" data-unit="${unit}">${SERVER_TEXT}</data>`;
  new Function('document', 'navigator', SCRIPT)(document, { language: locale });
  return document.body.textContent;
}

const AMOUNTS: readonly Money[] = [
  { amount: 15000, currency: 'USD' },
  { amount: 15050, currency: 'EUR' },
  { amount: 5, currency: 'EUR' },
  { amount: 123456789, currency: 'CHF' },
  { amount: 15000, currency: 'JPY' },
  { amount: 15000, currency: 'KWD' },
  { amount: 15005, currency: 'KWD' },
];

test.each(LOCALES)('the script writes a price as formatPrice does, in the locale %s', (locale) => {
  for (const { amount, currency } of AMOUNTS) {
    const price = { kind: 'fixed', amount, amount_to: null, currency } as const;
    expect(write(toDecimal(price), currency, locale)).toBe(formatPrice(price, locale));
    const range = { kind: 'range', amount, amount_to: 2 * amount, currency } as const;
    const value = [amount, 2 * amount].map((one) => toDecimal({ amount: one, currency })).join(' ');
    expect(write(value, currency, locale)).toBe(formatPrice(range, locale));
  }
});

test.each(LOCALES)(
  'the script writes a size as formatDesignSize does, in the locale %s',
  (locale) => {
    expect(write('60 85', 'mm', locale)).toBe(
      formatDesignSize({ width_mm: 60, height_mm: 85 }, locale),
    );
    expect(write('1205', 'mm', locale)).toBe(
      formatDesignSize({ width_mm: null, height_mm: 1205 }, locale),
    );
  },
);

test('with a locale that the browser does not know, the text of the server stays', () => {
  expect(write('150.00', 'EUR', 'not a locale')).toBe(SERVER_TEXT);
});
