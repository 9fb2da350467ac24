/** First segments of paths that the site or the server uses or may use: an artist's page is at `/username`. */
const RESERVED_USERNAMES = new Set(
  `404 500 prove-email stop-mail stopmail _astro _image _server about artist artists assets blog
  book booking bookings business calendar checkout client clients company contact cookies
  dashboard data design designs developers discover docs download embed explore faq favicon feed
  feeds fonts forgot-password gallery graphql health healthz home images img imprint inbox index
  invite jobs js landing livez manifest me media messages metrics new news notifications offline
  og opensearch partners plans policy press preview pricing profile public readyz register
  request requests robots root rss schedule scheduling search settings share site sitemap sitemaps
  static status studio studios subscribe subscription sw team terms undo-email-change
  unsubscribe uploads user users waitlist webhook webhooks well-known`.split(/\s+/),
);

/**
 * A lower-case username: 3 to 30 of `a-z 0-9 . _ -`, with a letter or digit at both ends, and
 * without the ending of a file that a route or the build uses, as in `robots.txt`. Astro removes `html`
 * from the end of every address.
 */
export const USERNAME_PATTERN =
  /^(?!.*\.(?:avif|css|html|ico|ics|js|json|mjs|png|svg|txt|webmanifest|webp|woff2?|xml)$)[a-z0-9][a-z0-9._-]{1,28}[a-z0-9]$/;

export const RESERVED_USERNAME_TEXT = 'This username is not available';

/** Names that seem to belong to the product, such as `linework-support`. */
const PRODUCT_USERNAME = /^linework(?:$|[-_.\d])/;

/** Words by which a name seems to speak for a service; and words that may stand beside them, as in `help-desk`. */
const OFFICIAL_WORDS = `abuse account accounts admin admins administrator api app apps auth billing
  confirm confirmation email ftp help hostmaster imap legal linework login logon logout mail mailer
  moderation moderator noreply oauth official password passwords payment payments postmaster privacy
  security service services signin signout signup smtp staff superuser support sysadmin system
  verification verify webmaster www`;
const COMPANION_WORDS = `alert book booking bookings care center centre change client clients customer
  customers daemon desk delete my notice office online our page portal recover recovery reset safe
  safety secure team the trust unlock update us user users validate warning web your`;
const OFFICIAL = OFFICIAL_WORDS.split(/\s+/).join('|');
const ANY_WORD = `${OFFICIAL}|${COMPANION_WORDS.split(/\s+/).join('|')}`;
const DOMAIN_ENDING = /\.(?:app|art|biz|co|com|dev|info|ink|io|me|net|org|site|tattoo)$/;
const OFFICIAL_USERNAME = new RegExp(`^(?:${ANY_WORD})*(?:${OFFICIAL})(?:${ANY_WORD})*$`);

/** Whether nobody may take a username: it is a path, or seems to be official. @param username in lower case */
export function isReservedUsername(username: string): boolean {
  return (
    RESERVED_USERNAMES.has(username) || PRODUCT_USERNAME.test(username) || isOfficial(username)
  );
}

/** Whether a name consists only of such words, as `verify-account`, `support.com` and `api1` do. */
function isOfficial(username: string): boolean {
  return [username, username.replace(DOMAIN_ENDING, '')].some((name) =>
    OFFICIAL_USERNAME.test(name.replace(/[^a-z]/g, '')),
  );
}

/**
 * Whether a username seems to speak for the product, such as `ink-book_support` for `Ink Book`. A username may
 * contain the product's name beside other words, because that name can be a common word.
 * @param username in lower case
 */
export function isProductUsername(username: string, productName: string): boolean {
  const plain = productName.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[a-z\d]+/g);
  if (!words) return false;
  const name = new RegExp(words.join('[-_.]*'));
  // `linework` is one of the official words.
  return isOfficial(username.replace(name, 'linework'));
}
