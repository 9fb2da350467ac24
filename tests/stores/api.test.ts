import { expect, test } from 'vitest';
import { fetchArtist } from '#client/artists.ts';
import { publicApi } from '#stores/api.ts';
import { startSession } from '#stores/session.ts';
import { ANA, stubApi } from '#support/fake_api.ts';

test('calls of a client go to the API that the page names, without a token', async () => {
  startSession('one');
  const calls = stubApi(() => ANA);
  expect(await fetchArtist(publicApi(), 'ana')).toEqual(ANA);
  expect(calls).toMatchObject([{ method: 'GET', path: 'users/artist/ana', token: null }]);
});

test('a page has one connection to the API', () => {
  expect(publicApi()).toBe(publicApi());
});
