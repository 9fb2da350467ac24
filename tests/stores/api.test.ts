import { expect, test } from 'vitest';
import { fetchArtist } from '#contract/endpoints.ts';
import { callPublic } from '#stores/api.ts';
import { startSession } from '#stores/session.ts';
import { ANA, stubApi } from '#support/fake_api.ts';

test('public API calls carry no access token, even during a login', async () => {
  startSession('one');
  const calls = stubApi(() => ANA);
  expect(await callPublic(fetchArtist, { path: { username: 'ana' } })).toEqual(ANA);
  expect(calls).toMatchObject([{ method: 'GET', path: 'users/artist/ana', token: null }]);
});
