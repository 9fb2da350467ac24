/** Replaces Astro's `/_image`, which would resize pictures for everyone; no page uses it. */
export const GET = () => new Response(null, { status: 404 });
