import { defineMiddleware } from 'astro:middleware';
import { connect } from '#client/http.ts';
import { siteSettings } from './settings.ts';

/** Headers that every page carries beside the content security policy, which Astro writes. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

/** Never looked up: within one process the name stands only for the API. */
const SAME_PROCESS = 'http://api.internal';

export const onRequest = defineMiddleware(async ({ locals, url }, next) => {
  // A server that hosts the site hands these over; on another host they come of its environment.
  locals.settings ??= siteSettings(process.env, url.origin);
  const elsewhere = process.env['API_URL'] || (!locals.fetchApi && locals.settings.publicApiUrl);
  locals.api = elsewhere ? connect(elsewhere) : connect(SAME_PROCESS, locals.fetchApi);
  const response = await next();
  for (const [name, value] of Object.entries(HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
});
