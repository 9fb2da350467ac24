import { beforeEach, expect, test, vi } from 'vitest';
import { $token, signIn, signOut } from '#stores/session.ts';
import { $me, knowMe } from '#stores/studio/me.ts';
import { type ApiCall, stubApi } from '#support/fake_api.ts';
import { ANA_SELF } from '#support/fake_studio.ts';
import { readAnew } from '#support/reading.ts';

let calls: ApiCall[];
let answer: object;

beforeEach(() => {
  answer = ANA_SELF;
  calls = stubApi(() => answer);
  if ($token.get() !== undefined) signOut();
});

test('the artist is read with the token of the login', async () => {
  signIn('one');
  expect((await readAnew($me)).data).toEqual(ANA_SELF);
  expect(calls).toMatchObject([{ path: 'users/me', token: 'one' }]);
});

test('without a login nothing is asked', async () => {
  expect((await readAnew($me)).data).toBeUndefined();
  expect(calls).toEqual([]);
});

test('another login never shows the artist of the one before', async () => {
  signIn('one');
  await readAnew($me);
  answer = { ...ANA_SELF, username: 'bo' };
  signIn('two');
  expect($me.get().data).toBeUndefined();
  await vi.waitFor(() => expect($me.get().data?.username).toBe('bo'));
});

test('the answer to a change is shown without reading again', async () => {
  signIn('three');
  await readAnew($me);
  calls.length = 0;
  knowMe({ ...ANA_SELF, full_name: 'Ana Reyes-Quint' });
  expect($me.get().data?.full_name).toBe('Ana Reyes-Quint');
  expect(calls).toEqual([]);
});
