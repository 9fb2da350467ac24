/** First path segments that the site or the server uses or may use; artist pages live at `/name`. */
const RESERVED_USERNAMES = new Set(
  `404 500 abuse confirm hostmaster mailer-daemon moderator no-reply noreply official postmaster
  prove-email root staff stop-mail stopmail webmaster _astro _image _server about account admin admins api app apps artist artists assets auth
  billing blog book booking bookings business calendar checkout client clients company
  confirmation contact cookies dashboard data design designs developers discover docs download
  embed explore faq favicon feed feeds fonts forgot-password gallery graphql health healthz help
  home images img imprint inbox index invite jobs js landing legal linework livez login logout
  mail manifest me media messages metrics new news notifications oauth offline og opensearch
  partners password plans policy press preview pricing privacy profile public readyz
  recover-password register request requests reset-password robots rss schedule scheduling search
  security service services settings share sign-in sign-out sign-up signin signout signup site
  sitemap sitemaps static status studio studios subscribe subscription superuser support sw team terms
  undo-email-change unsubscribe uploads user users verify waitlist webhook webhooks well-known www`.split(
    /\s+/,
  ),
);

/**
 * A lower-case username: 3 to 30 of `a-z 0-9 . _ -`, with a letter or digit at both ends, and
 * without a file extension as in `robots.txt`.
 */
export const USERNAME_PATTERN = /^(?!.*\.[a-z]{2,11}$)[a-z0-9][a-z0-9._-]{1,28}[a-z0-9]$/;

export const RESERVED_USERNAME_TEXT = 'This username is not available';

/** Names that seem to belong to the product, such as `linework-support`. */
const PRODUCT_USERNAME = /^linework(?:$|[-_.\d])/;

/** Words of who speaks for a service, and words that only stand beside them, such as `help-desk`. */
const OFFICIAL_WORDS = new Set(
  'account accounts admin admins billing help linework login mail moderator noreply official password payment payments root security service staff support system verify www'.split(
    ' ',
  ),
);
const COMPANION_WORDS = new Set(
  'center centre customer desk my no reply reset team the us'.split(' '),
);

/** `username` must be in lower case. */
export function isReservedUsername(username: string): boolean {
  return (
    RESERVED_USERNAMES.has(username) || PRODUCT_USERNAME.test(username) || isOfficial(username)
  );
}

/** Whether a name such as `verify-account` or `admin1` consists of words of the service alone. */
function isOfficial(username: string): boolean {
  const words = username.replace(/\d+$/, '').split(/[-_.]+/);
  return (
    words.some((word) => OFFICIAL_WORDS.has(word)) &&
    words.every((word) => OFFICIAL_WORDS.has(word) || COMPANION_WORDS.has(word))
  );
}

/**
 * Whether a username that is not reserved by itself seems to speak for the product, such as
 * `ink-book_support` for `Ink Book`. Others may contain its name, which can be a common word.
 * @param username in lower case
 */
export function isProductUsername(username: string, productName: string): boolean {
  const plain = productName.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[a-z\d]+/g);
  if (!words) return false;
  const name = new RegExp(`(?<=^|[-_.])${words.join('[-_.]*')}(?=$|[-_.\\d])`);
  return isOfficial(username.replace(name, 'linework'));
}
