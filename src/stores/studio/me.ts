import type { CurrentArtist } from '#contract/artist.ts';
import { fetchMe } from '#contract/endpoints.ts';
import { $token, callAsArtist } from '../session.ts';
import { createQueryOf, mutateCache } from './queries.ts';

/** The logged-in artist, cached per access token; nothing is loaded without a token. */
export const $me = createQueryOf($token, ['me'], () => callAsArtist(fetchMe));

/** Shows the artist as the API returned them after a change. */
export function applyMe(me: CurrentArtist): void {
  $me.mutate(me);
  // `$me` has no key while nothing on the page uses it: then `$me.mutate` does nothing.
  if ($me.key === undefined) mutateCache('me', me);
}
