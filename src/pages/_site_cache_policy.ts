/** How long to cache pages without an artist: an hour, or until the footer shows a new year. */
export function siteCachePolicy(now: Date): { maxAge: number } {
  const newYear = Date.UTC(now.getUTCFullYear() + 1, 0, 1);
  return { maxAge: Math.min(3600, Math.ceil((newYear - now.getTime()) / 1000)) };
}
