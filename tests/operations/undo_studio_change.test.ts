import { expect, test } from 'vitest';
import { updateArtistProfile } from '#server/operations/artists.ts';
import { undoStudioChange } from '#server/operations/undo_studio_change.ts';
import { addArtist } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

test('undoing a change of the studio restores it, and the artist’s pages are invalidated', async () => {
  const { context, invalidatedTags } = await openTestContext();
  const artist = await addArtist(context.database);
  const before = (await updateArtistProfile(context, artist.id, {})).studio;
  const changed = await updateArtistProfile(context, artist.id, {
    studio: { address_one: '2 New Street' },
  });
  expect(changed.studio.address_one).toBe('2 New Street');
  invalidatedTags.length = 0;
  expect((await undoStudioChange(context, artist.id)).studio).toEqual(before);
  expect(invalidatedTags).toContain(`artist:${artist.id}`);
});
