/** Without, with two and with three digits after the separator; the yen and the dinar among them. */
export const CURRENCIES = [
  ...['USD', 'EUR', 'GBP', 'CHF', 'CAD', 'AUD', 'NZD', 'MXN', 'BRL', 'INR', 'SEK', 'PLN', 'HUF'],
  ...['IDR', 'JPY', 'KRW', 'CLP', 'KWD', 'BHD', 'TND'],
];
/** With points, commas, spaces and apostrophes, groups of two digits, and digits of their own. */
export const LOCALES = [
  ...['en-US', 'en-GB', 'de-DE', 'de-CH', 'fr-FR', 'pl-PL', 'es-ES', 'pt-BR', 'sv-SE', 'ja-JP'],
  ...['hi-IN', 'ar-EG', 'fa-IR'],
];
