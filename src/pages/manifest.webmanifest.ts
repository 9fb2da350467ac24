import type { APIRoute } from 'astro';

/** How the site looks on a home screen (https://www.w3.org/TR/appmanifest/). */
export const GET: APIRoute = ({ locals: { settings }, cache }) => {
  cache.set({ maxAge: 3600 });
  const manifest = {
    id: '/',
    name: settings.productName,
    short_name: settings.productName,
    description: 'Scheduling and booking for tattoo artists and their clients',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    background_color: '#faf7f1',
    theme_color: '#faf7f1',
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  };
  return new Response(JSON.stringify(manifest), {
    headers: { 'Content-Type': 'application/manifest+json; charset=utf-8' },
  });
};
