import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { fetchMe } from '#client/artists.ts';
import { $token, artistApi, endSession, onSessionExpired, startSession } from '#stores/session.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';

let calls: ApiCall[];
let reply: () => Response;

beforeEach(() => {
  reply = () => Response.json({});
  calls = stubApi(() => reply());
  if ($token.get() !== undefined) endSession();
});

test('the access token is in local storage under the name that the specification gives it', () => {
  startSession('one');
  expect(localStorage.getItem('access_token')).toBe('one');
  endSession();
  expect(localStorage.getItem('access_token')).toBeNull();
});

test('calls carry the access token when there is one', async () => {
  await fetchMe(artistApi());
  startSession('one');
  await fetchMe(artistApi());
  expect(calls.map(({ token }) => token)).toEqual([null, 'one']);
});

test('a token that the API refuses is dropped', async () => {
  startSession('old');
  reply = () => problemResponse(401, 'Please log in');
  await expect(fetchMe(artistApi())).rejects.toMatchObject({ status: 401 });
  expect($token.get()).toBeUndefined();
});

test('a refusal of an old token does not end a login that was made meanwhile', async () => {
  startSession('old');
  reply = () => {
    startSession('new');
    return problemResponse(401, 'Please log in');
  };
  await expect(fetchMe(artistApi())).rejects.toMatchObject({ status: 401 });
  expect($token.get()).toBe('new');
});

test('an expired login calls the listeners; logging out on this page does not', async () => {
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
  await expect(fetchMe(artistApi())).rejects.toMatchObject({ status: 401 });
  expect(expired).toBe(1);
});
