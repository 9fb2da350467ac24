/** First path segments that the site or the server uses, now or soon; no artist may be called so. */
const RESERVED_USERNAMES = new Set(
  `404 500 _astro _image _server about account admin admins api app apps artist artists assets auth
  billing blog book booking bookings business calendar checkout client clients company
  confirmation contact cookies dashboard data design designs developers discover docs download
  embed explore faq favicon feed feeds fonts forgot-password gallery graphql health healthz help
  home images img imprint inbox index invite jobs js landing legal linework livez login logout
  mail manifest me media messages metrics new news notifications oauth offline og opensearch
  partners password plans policy press preview pricing privacy profile public readyz
  recover-password register request requests reset-password robots rss schedule scheduling search
  security service services settings share sign-in sign-out sign-up signin signout signup site
  sitemap sitemaps static status studio studios subscribe subscription superuser support sw team terms
  unsubscribe uploads user users verify waitlist webhook webhooks well-known www`.split(/\s+/),
);

/**
 * What a username may look like once lowered: 3 to 30 of `a-z 0-9 . _ -`, beginning and ending in
 * a letter or digit, not like a file's name such as `robots.txt` (contract, Artist).
 */
export const USERNAME_PATTERN = /^(?!.*\.[a-z]{2,11}$)[a-z0-9][a-z0-9._-]{1,28}[a-z0-9]$/;

/** Whether a route has, or may come to have, this name. */
export function isReservedUsername(username: string): boolean {
  return RESERVED_USERNAMES.has(username);
}
