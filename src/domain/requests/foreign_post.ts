/** The answer to a foreign post, for people. */
export const FOREIGN_PAGE_TEXT =
  'This was sent by a page of another website. Please open our own page and try again.';

const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
/** Mail programs post here from wherever they are (RFC 8058). */
const ONE_CLICK = /^\/api\/v1\/mail\/stop\/?\?/;
/**
 * Needs an unguessable id or token, or sends nothing (`?draft`). Our pages with such an address have the
 * policy `no-referrer`, so browsers post their forms with `Origin: null`.
 */
const UNGUESSABLE =
  /^\/(?:[^/?]+\/confirmation\/|[^/?]+\/contact\/?\?draft$|(?:stop-mail|reset-password|prove-email|undo-email-change)\b|api\/v1\/(?:appointments\/confirmation\/|mail\/stop\b|reset-password\b|users\/(?:prove|undo)-email))/;

/** A `Host` as URLs write it: in small letters, without the port that the scheme of `origin` has anyway. */
function hostOf(origin: string, host: string | null): string | undefined {
  const url = `${new URL(origin).protocol}//${host}`;
  return URL.canParse(url) ? new URL(url).host : undefined;
}

/** The origins of these addresses, for `isForeignPost`; those that are unset or no addresses are left out. */
export function trustedOrigins(addresses: readonly (string | undefined)[]): readonly string[] {
  return addresses.flatMap((address = '') =>
    URL.canParse(address) ? [new URL(address).origin] : [],
  );
}

/**
 * Whether a page of another site makes a request that may change something.
 * @param trusted origins of our pages, of the sites that may call the API, and of the dashboard
 */
export function isForeignPost(
  { method, url, headers }: Pick<Request, 'method' | 'url' | 'headers'>,
  trusted: readonly string[],
): boolean {
  const { pathname, search } = new URL(url);
  const address = pathname + search;
  if (READS.includes(method) || ONE_CLICK.test(address)) return false;
  const origin = headers.get('Origin');
  if (origin !== null && trusted.includes(origin)) return false;
  // Browsers send it on HTTPS and localhost alone.
  const fetchSite = headers.get('Sec-Fetch-Site');
  if (fetchSite !== null) return fetchSite === 'cross-site' || fetchSite === 'same-site';
  if (origin === null) return false;
  if (origin === 'null') return !UNGUESSABLE.test(address);
  // The host may be another name than SITE_URL's, such as an address of the local network.
  return !URL.canParse(origin) || new URL(origin).host !== hostOf(origin, headers.get('Host'));
}
