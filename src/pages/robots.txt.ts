import type { APIRoute } from 'astro';

/** Pictures that stand for pages where they are shared; longer than what closes the API. */
const ALLOWED_PATHS = ['/api/v1/users/artist/*/share-image', '/api/v1/designs/*/share-image'];

/** What is of no use to a search engine. Exact, so that no artist's page begins alike. */
const DISALLOWED_PATHS = [
  '/studio$',
  '/studio/',
  '/api/',
  '/confirmation/',
  '/*/confirmation/',
  ...['login', 'signup', 'recover-password', 'reset-password'].flatMap((page) => [
    `/${page}$`,
    `/${page}/`,
    `/${page}?`,
  ]),
];

/** Where search engines may look (RFC 9309). */
export const GET: APIRoute = ({ locals: { settings }, cache }) => {
  cache.set({ maxAge: 3600 });
  const lines = [
    'User-agent: *',
    ...ALLOWED_PATHS.map((path) => `Allow: ${path}`),
    ...DISALLOWED_PATHS.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${new URL('/sitemap.xml', settings.siteUrl).href}`,
    '',
  ];
  return new Response(lines.join('\n'), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  });
};
