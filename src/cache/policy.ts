import { type Instant, SECOND_MS } from '#domain/time/time.ts';

/** How long a shared cache may store a response, and the tags that invalidate it sooner. */
export interface CachePolicy {
  /** Seconds for which the response is fresh. */
  readonly maxAge: number;
  /** Seconds after `maxAge` in which it may be served stale while it is rendered again (RFC 5861). */
  readonly swr: number;
  /** Names of the data that the response shows; a change of that data invalidates it. */
  readonly tags: readonly string[];
}

/** A value that may be cached until one of its tags is invalidated or its time is over. */
export interface Cacheable<T> {
  readonly value: T;
  readonly tags: readonly string[];
  /** When the value changes without a write; null when only a write changes it. */
  readonly until: Instant | null;
}

/** An `until` before all times, so that no cache stores the value. */
export const NOT_CACHED = Number.NEGATIVE_INFINITY;

/** Builds cache tags. */
export const tag = {
  artist: (artistId: string) => `artist:${artistId}`,
  designs: (artistId: string) => `designs:${artistId}`,
  services: (artistId: string) => `services:${artistId}`,
  portfolio: (artistId: string) => `portfolio:${artistId}`,
  availability: (artistId: string) => `availability:${artistId}`,
  /** The Explore page: who is listed, in which order and city, and who takes bookings. */
  explore: () => 'explore',
  /** The page that says that no artist has this username. */
  username: (username: string) => `username:${username.toLowerCase()}`,
} as const;

/** In seconds, for data that only a write changes. Writes invalidate it, so this is a safety net. */
export const DEFAULT_CACHE_POLICY = { maxAge: 600, swr: 3600 } as const;

/** The policy of a value that is read at `now`, in whole seconds: the response expires at `until` at the latest. */
export function cachePolicyOf({ tags, until }: Cacheable<unknown>, now: Instant): CachePolicy {
  if (until === null) return { ...DEFAULT_CACHE_POLICY, tags };
  const secondsLeft = Math.max(0, Math.floor((until - now) / SECOND_MS));
  return { maxAge: Math.min(DEFAULT_CACHE_POLICY.maxAge, secondsLeft), swr: 0, tags };
}

/**
 * The response headers of a policy. Browsers, and caches that cannot purge by tag, must revalidate
 * each time (docs/decisions, 0004).
 */
export function toCacheHeaders({ maxAge, swr, tags }: CachePolicy): Record<string, string> {
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

/** The policy in a response's headers, asked for by lower-case names; undefined: the response must not be stored. */
export function parseCachePolicy(headers: {
  get(name: string): string | null | undefined;
}): CachePolicy | undefined {
  const control = headers.get('surrogate-control');
  if (!control || /no-store|private/.test(headers.get('cache-control') ?? '')) return undefined;
  const maxAge = readSeconds(control, 'max-age');
  if (maxAge <= 0) return undefined;
  const tags = headers.get('cache-tag')?.split(',').filter(Boolean) ?? [];
  return { maxAge, swr: readSeconds(control, 'stale-while-revalidate'), tags };
}

function readSeconds(control: string, directive: string): number {
  const [, seconds = '0'] = new RegExp(`(?:^|[,\\s])${directive}=(\\d+)`).exec(control) ?? [];
  return Number(seconds);
}
