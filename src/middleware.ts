import { getSecret } from 'astro:env/server';
import { defineMiddleware } from 'astro:middleware';
import { trackCachePolicies } from '#cache/page_policy.ts';
import { createHttpTransport } from '#client/http.ts';
import { readSiteSettings } from './site_settings.ts';

/** Headers that every page carries beside the content security policy, which Astro writes. */
const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

/** Artists' public pages, whose links may be fetched when they are pointed at. */
const ARTIST_PAGE = /^\/\[username\](?:\/(?:about|services|contact|scheduling))?\/?$/;

/** Where artists work: the same page for everyone, without anything of theirs. */
const STUDIO_PAGE = /^\/studio(?:\/|$)/;

/** Never looked up: within one process the name stands only for the API. */
const IN_PROCESS_ORIGIN = 'http://api.internal';

export const onRequest = defineMiddleware(async ({ locals, url, routePattern, cache }, next) => {
  // A server that hosts the site hands these over; on another host they come of its environment.
  locals.settings ??= readSiteSettings(getSecret, url.origin);
  const apiUrl = getSecret('API_URL')?.replace(/\/+$/, '');
  const elsewhere = apiUrl || (!locals.fetchApi && locals.settings.publicApiUrl);
  const policies = trackCachePolicies(elsewhere ? fetch : (locals.fetchApi ?? fetch));
  locals.api = createHttpTransport(elsewhere || IN_PROCESS_ORIGIN, policies.fetch);
  const response = await next();
  policies.apply(cache);
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  if (cache.options.maxAge === undefined && !response.headers.has('Cache-Control'))
    response.headers.set(
      'Cache-Control',
      // `no-store` would also keep a browser from going back to the page as it was left.
      response.status === 200 && STUDIO_PAGE.test(routePattern) ? 'private, no-cache' : 'no-store',
    );
  if (response.status === 200 && ARTIST_PAGE.test(routePattern))
    response.headers.set('Speculation-Rules', '"/artist-prefetch.json"');
  return response;
});
