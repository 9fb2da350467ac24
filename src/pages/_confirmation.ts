/** Anyone with the URL may confirm the appointment: never cache it, index it or leak it. */
export const CONFIRMATION_HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};
