/** Other names by which people look for a time zone. Load it when the search begins: it takes some milliseconds. */
import { listCountries } from './country.ts';
import { zonesOfCountry } from './country_zones.ts';
import { currentZoneName } from './current_zone_name.ts';

/**
 * By zone: cities without a zone of their own, regions, and people's names for their clock. A name with `?` is
 * also that of other places or clocks: a search finds the zone by it, but it never chooses the zone by itself.
 */
const PLACES: Readonly<Record<string, string>> = {
  'Africa/Johannesburg': 'Cape Town, Durban, Pretoria',
  'America/Anchorage': 'Alaska, AKST, AKDT',
  'America/Argentina/Buenos_Aires': 'Cordoba?, Rosario',
  'America/Bogota': 'Medellin, Cali',
  'America/Chicago':
    'Central?, CST?, CDT?, Houston, Dallas, Austin, San Antonio, New Orleans, Minneapolis, Nashville, St. Louis, Milwaukee, Texas',
  'America/Denver': 'Mountain?, MST?, MDT?, Salt Lake City, Albuquerque, Colorado',
  'America/Halifax': 'Atlantic?, AST?, ADT?, Nova Scotia',
  'America/Los_Angeles':
    'Pacific?, PST?, PDT?, San Francisco, San Diego, Seattle, Portland?, Las Vegas, Sacramento, California, Oregon',
  'America/Mexico_City': 'Guadalajara, Puebla',
  'America/New_York':
    'Eastern?, EST?, EDT?, Boston, Miami, Atlanta, Washington, Philadelphia, Charlotte, Pittsburgh, Orlando, Baltimore, Brooklyn, Florida, Georgia?',
  'America/Phoenix': 'Arizona, Tucson',
  'America/Sao_Paulo': 'Rio de Janeiro, Brasilia, Curitiba, Belo Horizonte',
  'America/Toronto': 'Montreal, Ottawa, Quebec, Ontario',
  'America/Vancouver': 'Victoria?, British Columbia',
  'Asia/Dubai': 'Abu Dhabi',
  'Asia/Ho_Chi_Minh': 'Hanoi, Da Nang',
  'Asia/Jerusalem': 'Tel Aviv, Haifa',
  'Asia/Kolkata':
    'IST?, Mumbai, Bombay, Delhi, New Delhi, Bangalore, Bengaluru, Chennai, Madras, Hyderabad?, Pune, Goa',
  'Asia/Shanghai': 'Beijing, Peking, Shenzhen, Guangzhou, Chengdu',
  'Asia/Tokyo': 'JST, Osaka, Kyoto, Yokohama, Nagoya',
  'Asia/Seoul': 'KST, Busan',
  'Atlantic/Canary': 'Tenerife, Gran Canaria',
  'Australia/Adelaide': 'ACST, ACDT',
  'Australia/Brisbane': 'Gold Coast, Queensland',
  'Australia/Sydney': 'AEST, AEDT, Canberra, Newcastle?',
  'Europe/Berlin':
    'Munich, München, Hamburg, Frankfurt, Cologne, Köln, Stuttgart, Leipzig, Düsseldorf',
  'Europe/Istanbul': 'Ankara, Izmir',
  'Europe/Kyiv': 'Lviv, Odesa, Kharkiv, Dnipro',
  'Europe/Lisbon': 'Porto',
  'Europe/London':
    'GMT?, BST?, Manchester?, Birmingham?, Edinburgh, Glasgow, Cardiff, Belfast, Bristol, England, Scotland, Wales, Britain, UK',
  'Europe/Madrid': 'Barcelona, Valencia?, Seville',
  'Europe/Moscow': 'St. Petersburg?',
  'Europe/Paris': 'Lyon, Marseille, Toulouse, Bordeaux',
  'Europe/Rome': 'Milan, Milano, Roma, Florence?, Naples?, Turin',
  'Europe/Vienna': 'Wien, Graz, Salzburg',
  'Europe/Warsaw': 'Krakow, Gdansk, Wroclaw',
  'Europe/Zurich': 'Geneva, Basel, Bern',
  'Pacific/Auckland': 'NZST, NZDT, Wellington, Christchurch',
  'Pacific/Honolulu': 'Hawaii, HST',
};

/** Countries that share their English name with another place: Georgia. */
const SHARED_COUNTRIES = ['GE'];

/**
 * Other names of zones, by the present name of the zone: cities, countries in English, and former names.
 * A name that others share ends in `?`. Countries are missing on a platform that does not know their zones.
 */
export function otherZoneNames(): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  const add = (zone: string, ...more: readonly string[]) =>
    names.set(zone, [...(names.get(zone) ?? []), ...more]);
  for (const [zone, places] of Object.entries(PLACES)) add(zone, ...places.split(', '));
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const current = currentZoneName(zone);
    if (current !== zone) add(current, zone.slice(zone.lastIndexOf('/') + 1), zone);
  }
  const english = new Intl.DisplayNames('en', { type: 'region' });
  for (const country of listCountries())
    for (const zone of zonesOfCountry(country))
      add(
        currentZoneName(zone),
        `${english.of(country) ?? country}${SHARED_COUNTRIES.includes(country) ? '?' : ''}`,
      );
  return names;
}
