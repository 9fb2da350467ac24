import type { APIRoute } from 'astro';

/** Previews of shared pages. These rules win over `/api/` below because they are longer. */
const ALLOWED_PATHS = ['/api/v1/users/artist/*/share-image', '/api/v1/designs/*/share-image'];

/** Each ends in `$`, `/` or `?`, so that it matches no username that begins with the same letters. */
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

/** Rules for search engines (RFC 9309). */
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
