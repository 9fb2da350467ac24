/** Finds the artist of a client's call, and names them in the log. */
import { requireFound } from '#domain/refusal.ts';
import { findPublicArtist, type PublicArtistRow } from '#server/database/artists.ts';
import type { Context } from './context.ts';

/** Names the artist in the log. @throws Refusal `not_found` when there is none */
export function requireArtist<Artist extends { readonly id: string }>(
  { noteArtist }: Pick<Context, 'noteArtist'>,
  found: Artist | undefined,
): Artist {
  const artist = requireFound(found);
  noteArtist(artist.id);
  return artist;
}

/**
 * Loads an artist as clients see them, and names them in the log.
 * @throws Refusal `not_found`, also for an inactive artist or a superuser
 */
export async function loadPublicArtist(
  context: Pick<Context, 'database' | 'noteArtist'>,
  username: string,
): Promise<PublicArtistRow> {
  return requireArtist(context, await findPublicArtist(context.database, username));
}
