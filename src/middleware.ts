import { getSecret } from 'astro:env/server';
import { defineMiddleware } from 'astro:middleware';
import { trackCachePolicies } from '#cache/page_policy.ts';
import { createHttpTransport } from '#client/http.ts';
import { FOREIGN_PAGE_TEXT, isForeignPost } from '#domain/requests/foreign_post.ts';
import { isPagePath } from '#domain/requests/page_path.ts';
import { VISITOR_HEADER } from '#domain/requests/visitor_header.ts';
import { printPageError } from './astro_log.ts';
import { readSiteSettings } from './site_settings.ts';
import { signVisitorAddress, visitorAddress } from './visitor_address.ts';

/** Headers of every page that does not set its own. Astro itself writes the content security policy. */
const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

/** Pages that other pages show in their place after a failure. At their own addresses, a visitor gets the 404 page. */
const FAILURE_PAGES = ['/500', '/-unavailable'];

/** A name or address with an optional port. Anything else, such as `a.test/ana?`, could choose another page. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])?(?::\d+)?$/i;

/** Runs around each page: gives it its settings and the API, and sets the headers of its response. */
export const onRequest = defineMiddleware(async (context, next) => {
  const { locals, request, url, routePattern, cache } = context;
  locals.onRoute?.(routePattern);
  // Our own server has set `settings`, and has refused an invalid `Host` or path. Other hosts have done neither.
  const isInvalid = () =>
    !HOST.test(request.headers.get('Host') ?? '') || !isPagePath(new URL(request.url).pathname);
  if (!locals.settings && isInvalid())
    return new Response(null, { status: 400, headers: { 'Cache-Control': 'no-store' } });
  locals.settings ??= readSiteSettings(getSecret, url.origin);
  if (isForeignPost(request, locals.settings.trustedOrigins))
    return new Response(FOREIGN_PAGE_TEXT, {
      status: 403,
      headers: { ...SECURITY_HEADERS, 'Cache-Control': 'no-store' },
    });
  const reference = locals.requestId ?? crypto.randomUUID().slice(0, 8);
  locals.requestId = reference;
  const onError = locals.onError ?? ((error: unknown) => printPageError(error, reference));
  const policies = trackCachePolicies();
  const apiUrl = getSecret('API_URL')?.replace(/\/+$/, '');
  locals.api =
    locals.connectDirectly && !apiUrl
      ? locals.connectDirectly(policies.note)
      : createHttpTransport(apiUrl || locals.settings.publicApiUrl, {
          fetchRequest: async (input, init) => {
            const call = new Request(input, init);
            const key = getSecret('VISITOR_KEY');
            const address = key && visitorAddress(context);
            if (address) call.headers.set(VISITOR_HEADER, await signVisitorAddress(address, key));
            const answer = await policies.fetch(call).catch((error: unknown) => {
              onError(error);
              throw error;
            });
            if (answer.status >= 500) onError(new Error(`The API answered ${answer.status}`));
            return answer;
          },
        });
  // `originPathname` is the address that the visitor asked for, before any rewrite.
  const isFailurePage = FAILURE_PAGES.includes(context.originPathname.replace(/\/$/, ''));
  const response = await next(isFailurePage ? '/404' : undefined).catch((error: unknown) => {
    onError(error);
    throw error;
  });
  // After rendering: the page is cached as its calls of the API allow.
  policies.apply(cache);
  if (response.headers.get('Content-Type') === 'text/html')
    response.headers.set('Content-Type', 'text/html; charset=utf-8');
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  if (cache.options.maxAge === undefined && !response.headers.has('Cache-Control'))
    response.headers.set('Cache-Control', 'no-store');
  return response;
});
