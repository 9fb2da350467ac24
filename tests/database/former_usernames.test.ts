import { expect, test } from 'vitest';
import { updateArtist } from '#server/database/artists.ts';
import { orByFormerUsername, replaceUsername } from '#server/database/former_usernames.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { inTransaction } from '#support/in_transaction.ts';

test('a present username costs one statement, a former one two more, an unknown one one more', async () => {
  const { database, artist } = await openArtistContext();
  const [from, to] = [artist.username, `${artist.username}2`];
  const asked: string[] = [];
  const find = orByFormerUsername(async (_database, username) => {
    asked.push(username);
    return username === to ? 'the artist' : undefined;
  });
  await updateArtist(database, artist.id, { username: to });
  await inTransaction(database, replaceUsername, artist.id, { from, to });
  expect(await find(database, to)).toBe('the artist');
  expect(asked).toHaveLength(1);
  expect(await find(database, from)).toBe('the artist');
  expect(asked.slice(1)).toEqual([from, to]);
  expect(await find(database, 'nobody-at-all')).toBeUndefined();
  expect(asked).toHaveLength(4);
});
