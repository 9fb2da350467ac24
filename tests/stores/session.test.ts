import { beforeEach, expect, test, vi } from 'vitest';
import { fetchArtist, fetchMe } from '#contract/endpoints.ts';
import { callPublic } from '#stores/api.ts';
import { $token, callAsArtist, deviceHeader, logOut, startSession } from '#stores/session.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';

let calls: ApiCall[];
let reply: () => Response;

beforeEach(() => {
  reply = () => Response.json({ id: 'ines' });
  calls = stubApi(() => reply());
});

test('API calls carry the access token when there is one', async () => {
  await callAsArtist(fetchMe);
  startSession('one');
  await callAsArtist(fetchMe);
  expect(calls.map(({ token }) => token)).toEqual([null, 'one']);
});

test('public API calls carry no access token, even during a login', async () => {
  startSession('one');
  await callPublic(fetchArtist, { path: { username: 'ana' } });
  expect(calls).toMatchObject([{ path: 'users/artist/ana', token: null }]);
});

test('logging out removes the token at once, and the API ends it', async () => {
  startSession('one');
  logOut();
  expect($token.get()).toBeUndefined();
  await vi.waitFor(() =>
    expect(calls).toMatchObject([{ method: 'DELETE', path: 'users/me/session', token: 'one' }]),
  );
});

test('a token that the API refuses with 401 is removed', async () => {
  startSession('old');
  reply = () => problemResponse(401, 'Please log in');
  await expect(callAsArtist(fetchMe)).rejects.toMatchObject({ status: 401 });
  expect($token.get()).toBeUndefined();
});

test('a 401 for an old token does not end a newer login', async () => {
  startSession('old');
  reply = () => {
    startSession('new');
    return problemResponse(401, 'Please log in');
  };
  await expect(callAsArtist(fetchMe)).rejects.toMatchObject({ status: 401 });
  expect($token.get()).toBe('new');
});

test.each([
  ['Europe/Berlin', { 'time-zone': 'Europe/Berlin' }],
  ['Etc/Unknown', {}],
  ['America/Lacking', {}],
])('a login from a browser in %s sends %o', (timeZone, header) => {
  const options = new Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    ...options,
    timeZone,
  });
  expect(deviceHeader()).toEqual(header);
});
