import type { APIRoute } from 'astro';

/**
 * Speculation rules: on hover, a browser may prefetch links to artists' public pages, never to
 * personal ones. `ArtistLayout.astro` names this file in the header `Speculation-Rules`.
 */
const SPECULATION_RULES = {
  prefetch: [
    {
      eagerness: 'moderate',
      where: {
        and: [
          {
            href_matches: [
              '',
              'about',
              'about/:image',
              'designs/:design',
              'services',
              'contact',
              'scheduling',
            ].map((page) => ({ pathname: `/:username/${page}` })),
          },
          // Not pages of the site, which the paths above match too.
          { not: { href_matches: { pathname: '/:place(api|confirmation|privacy|studio)/*' } } },
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
