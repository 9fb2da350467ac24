/** Foreign posts: requests that a page of another website makes in the visitor's browser, to change something. */

/** The answer to a foreign post, for people. */
export const FOREIGN_PAGE_TEXT =
  'This was sent by a page of another website. Please open our own page and try again.';

const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
/** Webmail posts here from its own pages, to stop mail with one click (RFC 8058). */
const ONE_CLICK = /^\/api\/v1\/mail\/stop\/?\?/;
/**
 * Addresses of which another website cannot make use: they need an unguessable id or token, or send nothing
 * (`?draft`). Our pages with such an address have the policy `no-referrer`, so browsers post their forms with
 * `Origin: null`.
 */
const UNGUESSABLE =
  /^\/(?:[^/?]+\/confirmation\/|[^/?]+\/contact\/?\?draft$|(?:stop-mail|reset-password|prove-email|undo-email-change)\b|api\/v1\/(?:appointments\/confirmation\/|mail\/stop\b|reset-password\b|users\/(?:prove|undo)-email))/;

/** The origins of these URLs, for `isForeignPost`; leaves out those that are unset or not valid. */
export function trustedOrigins(urls: readonly (string | undefined)[]): readonly string[] {
  return urls
    .filter((url) => url !== undefined)
    .filter((url) => URL.canParse(url))
    .map((url) => new URL(url).origin);
}

/**
 * Whether a request is a foreign post. Programs without a browser send no `Origin`, so theirs are not.
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
  // Browsers send this header only on HTTPS and localhost. `same-site` is another subdomain.
  const fetchSite = headers.get('Sec-Fetch-Site');
  if (fetchSite !== null) return fetchSite === 'cross-site' || fetchSite === 'same-site';
  if (origin === null) return false;
  if (origin === 'null') return !UNGUESSABLE.test(address);
  // The site may be open under another host than that of SITE_URL, such as an address of the local network.
  return !URL.canParse(origin) || new URL(origin).host !== hostOf(origin, headers.get('Host'));
}

/** A `Host` as URLs write it: in small letters, without the default port of the scheme of `origin`. */
function hostOf(origin: string, host: string | null): string | undefined {
  const url = `${new URL(origin).protocol}//${host}`;
  return URL.canParse(url) ? new URL(url).host : undefined;
}
