import { expect, test } from 'vitest';
import { updateArtist } from '#server/database/artists.ts';
import {
  countryOf,
  currencyOf,
  loadCurrency,
  toChangedPrice,
} from '#server/operations/currency.ts';
import { addArtist } from '#support/database_rows.ts';
import { UNKNOWN_ID } from '#support/problems.ts';
import { openTestContext } from '#support/test_context.ts';

test('the zone tells the country, and the country the currency, until the artist sets them', () => {
  expect(countryOf({ time_zone: 'Europe/Berlin' })).toBe('DE');
  expect(currencyOf({ time_zone: 'Europe/Berlin' })).toBe('EUR');
  expect(currencyOf({ time_zone: 'Europe/Berlin', country: 'CH' })).toBe('CHF');
  expect(currencyOf({ time_zone: 'Europe/Berlin', country: 'CH', currency: 'EUR' })).toBe('EUR');
  expect([countryOf({ time_zone: 'UTC' }), currencyOf({ time_zone: 'UTC' })]).toEqual([
    null,
    'USD',
  ]);
  expect(countryOf({})).toBeNull();
});

test('a price without a currency gets that of its artist', async () => {
  const { database } = (await openTestContext()).context;
  const { id } = await addArtist(database);
  await updateArtist(database, id, { currency: 'JPY' });
  expect(await loadCurrency(database, id)).toBe('JPY');
  const price = { kind: 'fixed', amount: 5 } as const;
  const stored = { ...price, amount_to: null };
  expect(await toChangedPrice(database, id, price)).toEqual({ ...stored, currency: 'JPY' });
  const own = await toChangedPrice(database, id, { ...price, currency: 'EUR' });
  expect(own).toEqual({ ...stored, currency: 'EUR' });
  expect(await toChangedPrice(database, id, null)).toBeNull();
  expect(await toChangedPrice(database, id, undefined)).toBeUndefined();
  await expect(loadCurrency(database, UNKNOWN_ID)).rejects.toMatchObject({ reason: 'not_found' });
});
