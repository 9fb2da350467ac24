/** The country and the currency of an artist, and the amounts that the artist enters in that currency. */
import { type PriceInput, toPrice } from '#contract/price.ts';
import type { Price } from '#domain/money/price.ts';
import { requireFound } from '#domain/refusal.ts';
import { countryOfZone, currencyOfCountry } from '#domain/time/country.ts';
import { findArtistById } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';

interface CurrencyColumns {
  readonly country?: string | null | undefined;
  readonly currency?: string | null | undefined;
  readonly time_zone?: string | undefined;
}

/** The country that the artist has set, or else that of the studio's time zone; null if unknown. */
export function countryOf({ country, time_zone }: CurrencyColumns): string | null {
  return country ?? (time_zone ? countryOfZone(time_zone) : null);
}

/** The currency that the artist has set, or else that of their country. */
export function currencyOf(artist: CurrencyColumns): string {
  return artist.currency ?? currencyOfCountry(countryOf(artist));
}

/** The currency of an artist's new prices. @throws Refusal `not_found` */
export async function loadCurrency(database: Database, artistId: string): Promise<string> {
  return currencyOf(requireFound(await findArtistById(database, artistId)));
}

/**
 * Converts a price that an artist has sent: with the artist's currency, unless it names another.
 * @returns null for no price; undefined if the call leaves the price as it is
 */
export async function toChangedPrice(
  database: Database,
  artistId: string,
  input: PriceInput | undefined,
): Promise<Price | null | undefined> {
  if (input === undefined || input === null) return input;
  return toPrice(input, input.currency ?? (await loadCurrency(database, artistId)));
}
