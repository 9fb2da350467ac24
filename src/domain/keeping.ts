/** How long an answer may be kept by caches in front of us, and what ends that sooner. */
export interface Keeping {
  /** Seconds for which it is as good as new. */
  readonly maxAge: number;
  /** Seconds after that in which it may be handed out once more while a new one is made. */
  readonly swr: number;
  /** What it shows; whoever changes one of these clears it. */
  readonly tags: readonly string[];
}

/** What pages and answers show of an artist, by their id; and a username that nobody has yet. */
export const tag = {
  artist: (artistId: string) => `artist:${artistId}`,
  designs: (artistId: string) => `designs:${artistId}`,
  services: (artistId: string) => `services:${artistId}`,
  portfolio: (artistId: string) => `portfolio:${artistId}`,
  availability: (artistId: string) => `availability:${artistId}`,
  username: (username: string) => `username:${username.toLowerCase()}`,
} as const;

/** How long what only a write changes is kept: writes clear it, so this bounds mishaps alone. */
export const UNTIL_CLEARED = { maxAge: 600, swr: 3600 } as const;

/**
 * The headers that say it. Browsers, and caches that were not set up for our tags, must ask again
 * each time (docs/decisions, 0004).
 */
export function writeKeeping({ maxAge, swr, tags }: Keeping): Record<string, string> {
  return {
    'Cache-Control': 'public, max-age=0, must-revalidate',
    'Surrogate-Control': surrogateControl(maxAge, swr),
    ...(tags.length > 0 && { 'Cache-Tag': tags.join(',') }),
  };
}

/** The value of `Surrogate-Control` (W3C Note, Edge Architecture Specification 1.0). */
export function surrogateControl(maxAge: number, swr: number): string {
  return `max-age=${maxAge}${swr > 0 ? `, stale-while-revalidate=${swr}` : ''}`;
}

/**
 * What an answer's headers say of it; undefined when it is not to be kept.
 * @param headers by names in lower case, at least
 */
export function readKeeping(headers: {
  get(name: string): string | null | undefined;
}): Keeping | undefined {
  const control = headers.get('surrogate-control');
  if (!control || /no-store|private/.test(headers.get('cache-control') ?? '')) return undefined;
  const maxAge = seconds(control, 'max-age');
  if (maxAge <= 0) return undefined;
  const tags = headers.get('cache-tag')?.split(',').filter(Boolean) ?? [];
  return { maxAge, swr: seconds(control, 'stale-while-revalidate'), tags };
}

function seconds(control: string, name: string): number {
  const [, value = '0'] = new RegExp(`(?:^|[,\\s])${name}=(\\d+)`).exec(control) ?? [];
  return Number(value);
}
