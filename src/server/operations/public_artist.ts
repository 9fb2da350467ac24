/** Finds the artist of a client's call, and names them in the log. */
import { requireFound } from '#domain/refusal.ts';
import { findPublicArtist, type PublicArtistRow } from '#server/database/artists.ts';
import type { Context } from './context.ts';

/** @throws Refusal `not_found` when there is none */
export function requireArtist<Artist extends { readonly id: string }>(
  { noteArtist }: Pick<Context, 'noteArtist'>,
  found: Artist | undefined,
): Artist {
  const artist = requireFound(found);
  noteArtist(artist.id);
  return artist;
}

/** Names the artist in the log, too. @throws Refusal `not_found`, also for an inactive artist or a superuser */
export async function loadPublicArtist(
  context: Pick<Context, 'database' | 'noteArtist'>,
  username: string,
): Promise<PublicArtistRow> {
  return requireArtist(context, await findPublicArtist(context.database, username));
}
