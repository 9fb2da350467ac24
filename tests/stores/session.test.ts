import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { fetchMe } from '#contract/endpoints.ts';
import {
  $token,
  callAsArtist,
  endSession,
  logOut,
  onSessionExpired,
  startSession,
} from '#stores/session.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';

let calls: ApiCall[];
let reply: () => Response;

beforeEach(() => {
  reply = () => Response.json({ id: 'ines' });
  calls = stubApi(() => reply());
  if ($token.get() !== undefined) endSession();
});

test('the access token is stored in localStorage as access_token', () => {
  startSession('one');
  expect(localStorage.getItem('access_token')).toBe('one');
  endSession();
  expect(localStorage.getItem('access_token')).toBeNull();
});

test('API calls carry the access token when there is one', async () => {
  await callAsArtist(fetchMe);
  startSession('one');
  await callAsArtist(fetchMe);
  expect(calls.map(({ token }) => token)).toEqual([null, 'one']);
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

test('an expired login calls the onSessionExpired listeners; logging out does not', async () => {
  let expired = 0;
  onTestFinished(
    onSessionExpired(() => {
      expired += 1;
    }),
  );
  startSession('one');
  endSession();
  expect(expired).toBe(0);
  startSession('old');
  reply = () => problemResponse(401, 'Please log in');
  await expect(callAsArtist(fetchMe)).rejects.toMatchObject({ status: 401 });
  expect(expired).toBe(1);
});
