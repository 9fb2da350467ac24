import { tag } from '#cache/policy.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { loadCurrentArtist } from './artists.ts';
import type { Context } from './context.ts';
import { invalidating, updateCalendar } from './invalidating.ts';
import { undoStudioChanges } from './studio_move.ts';

/**
 * Undoes the artist's last change of the studio's address or time zone, shortly after it.
 * @throws Refusal `undo_too_late`, `undo_time_taken`
 */
export async function undoStudioChange(context: Context, artistId: string): Promise<CurrentArtist> {
  await invalidating(context, [tag.artist(artistId), tag.explore()], () =>
    updateCalendar(context, artistId, (transaction, now) =>
      undoStudioChanges(context, transaction, artistId, 'studio', now),
    ),
  );
  return loadCurrentArtist(context, artistId);
}
