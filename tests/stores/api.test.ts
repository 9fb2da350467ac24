import { expect, test } from 'vitest';
import { fetchArtist } from '#client/artists.ts';
import { publicApi } from '#stores/api.ts';
import { startSession } from '#stores/session.ts';
import { ANA, stubApi } from '#support/fake_api.ts';

test('public API calls carry no access token, even during a login', async () => {
  startSession('one');
  const calls = stubApi(() => ANA);
  expect(await fetchArtist(publicApi(), 'ana')).toEqual(ANA);
  expect(calls).toMatchObject([{ method: 'GET', path: 'users/artist/ana', token: null }]);
});

test('the public API client is created once per page', () => {
  expect(publicApi()).toBe(publicApi());
});
