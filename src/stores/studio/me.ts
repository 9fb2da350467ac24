import { fetchMe } from '#client/artists.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { $token, artistApi } from '../session.ts';
import { createQuery, mutateCache } from './queries.ts';

/** The artist whose token is held; nothing is asked while there is none. */
export const $me = createQuery<CurrentArtist>(['me', $token], {
  fetcher: () => fetchMe(artistApi()),
});

/** Takes over what a change of the artist answered. */
export function applyMe(me: CurrentArtist): void {
  $me.mutate(me);
  // The store fills the cache only under the key it has now.
  if ($me.key === undefined) mutateCache('me', me);
}
