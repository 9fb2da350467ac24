import type { APIRoute } from 'astro';

/**
 * Which links of an artist's page a browser may fetch when they are pointed at (the middleware names
 * this file in `Speculation-Rules`): that artist's public pages, and nothing that is one person's.
 */
const SPECULATION_RULES = {
  prefetch: [
    {
      eagerness: 'moderate',
      where: {
        and: [
          {
            href_matches: ['', 'about', 'services', 'contact', 'scheduling'].map((page) => ({
              pathname: `/:username/${page}`,
            })),
          },
          { not: { href_matches: { pathname: '/:place(api|confirmation|studio)/*' } } },
        ],
      },
    },
  ],
};

export const GET: APIRoute = () =>
  new Response(JSON.stringify(SPECULATION_RULES), {
    headers: {
      'Content-Type': 'application/speculationrules+json',
      'Cache-Control': 'public, max-age=3600',
    },
  });
