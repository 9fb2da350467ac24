import { expect, test } from 'vitest';
import { updateArtist } from '#server/database/artists.ts';
import { orByFormerUsername, replaceUsername } from '#server/database/former_usernames.ts';
import { addArtist } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

async function setUp() {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  const rename = async (from: string, to: string) => {
    await updateArtist(database, artist.id, { username: to });
    await replaceUsername(database, artist.id, { from, to });
  };
  return { database, artist, rename };
}

test('a present username costs one statement, a former one two more, an unknown one one more', async () => {
  const { database, artist, rename } = await setUp();
  const asked: string[] = [];
  const find = orByFormerUsername(async (_database, username) => {
    asked.push(username);
    return username === `${artist.username}2` ? 'the artist' : undefined;
  });
  await rename(artist.username, `${artist.username}2`);
  expect(await find(database, `${artist.username}2`)).toBe('the artist');
  expect(asked).toHaveLength(1);
  expect(await find(database, artist.username)).toBe('the artist');
  expect(asked.slice(1)).toEqual([artist.username, `${artist.username}2`]);
  expect(await find(database, 'nobody-at-all')).toBeUndefined();
  expect(asked).toHaveLength(4);
});
