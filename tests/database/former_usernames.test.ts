import { expect, test } from 'vitest';
import { findPublicArtist, updateArtist } from '#server/database/artists.ts';
import {
  findCurrentUsername,
  isFormerUsernameOfOther,
  orByFormerUsername,
  replaceUsername,
} from '#server/database/former_usernames.ts';
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

test('a former username leads to the present one, in any letter case and after several changes', async () => {
  const { database, artist, rename } = await setUp();
  const [first, second, third] = [artist.username, `${artist.username}2`, `${artist.username}3`];
  await rename(first, second);
  await rename(second, third);
  for (const former of [first, second, second.toUpperCase()]) {
    expect(await findCurrentUsername(database, former)).toBe(third);
    expect((await findPublicArtist(database, former))?.id).toBe(artist.id);
  }
  expect(await findCurrentUsername(database, third)).toBeUndefined();
});

test('an artist who takes a former name back leaves the other one as a former name', async () => {
  const { database, artist, rename } = await setUp();
  const [first, second] = [artist.username, `${artist.username}2`];
  await rename(first, second);
  await rename(second, first);
  expect(await findCurrentUsername(database, first)).toBeUndefined();
  expect(await findCurrentUsername(database, second)).toBe(first);
});

test('a former name is reserved to its artist', async () => {
  const { database, artist, rename } = await setUp();
  const stranger = await addArtist(database);
  await rename(artist.username, `${artist.username}2`);
  expect(await isFormerUsernameOfOther(database, artist.username, stranger.id)).toBe(true);
  expect(await isFormerUsernameOfOther(database, artist.username, artist.id)).toBe(false);
});

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
