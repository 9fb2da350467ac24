import { beforeEach, expect, test } from 'vitest';
import { $token, startSession } from '#stores/session.ts';
import { $me } from '#stores/studio/me.ts';
import {
  $accountContents,
  $avatarProgress,
  $upcomingAppointments,
  deleteAccount,
  reloadUpcoming,
  saveAvatar,
  savePassword,
  saveProfile,
} from '#stores/studio/profile.ts';
import { $toasts, showToastFromLastPage } from '#stores/toasts.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { ANA_SELF, createAppointment, toastTexts } from '#support/fake_schedule_api.ts';
import { reloadStore } from '#support/query_stores.ts';

let calls: ApiCall[];
let answer: (call: ApiCall) => Response | object;

beforeEach(() => {
  answer = () => ANA_SELF;
  calls = stubApi((call) => answer(call));
  startSession('one');
  sessionStorage.clear();
  $toasts.set([]);
});

const picture = () => new Blob(['bytes'], { type: 'image/webp' });

test('a saved profile is shown everywhere at once', async () => {
  await reloadStore($me);
  answer = ({ body }) => ({ ...ANA_SELF, ...body });
  await saveProfile({ full_name: 'Ana R.' }, 'Your name was changed.');
  expect($me.get().data?.full_name).toBe('Ana R.');
  expect(toastTexts()).toEqual(['Saved. Your name was changed.']);
});

test('a refused profile is thrown to the form', async () => {
  answer = () => problemResponse(409, 'This username is taken');
  await expect(saveProfile({ username: 'bo' }, '')).rejects.toMatchObject({ status: 409 });
  expect(toastTexts()).toEqual([]);
});

test('an avatar tells how much of it is sent while it is on its way', async () => {
  const shares: (number | null)[] = [];
  const stop = $avatarProgress.listen((share) => shares.push(share));
  await saveAvatar(picture(), new AbortController().signal);
  stop();
  expect(shares).toEqual([0, 1, null]);
  expect(toastTexts()).toEqual(['Saved. Your new picture is on your page.']);
});

test('a refused avatar is thrown to the form and is on its way no longer', async () => {
  answer = () => problemResponse(415, 'Not a picture');
  const saving = saveAvatar(picture(), new AbortController().signal);
  await expect(saving).rejects.toMatchObject({ status: 415 });
  expect($avatarProgress.get()).toBeNull();
});

test('a new password keeps this browser logged in with a new token', async () => {
  answer = () => ({ access_token: 'two', token_type: 'bearer' });
  await savePassword({ current_password: 'old password', new_password: 'new password' });
  expect($token.get()).toBe('two');
  expect(calls).toMatchObject([{ method: 'PATCH', path: 'users/me/password', token: 'one' }]);
});

test('a move of the studio counts the appointments ahead that keep their time', async () => {
  answer = () => ({
    data: [
      createAppointment({ id: 'confirmed' }),
      createAppointment({ id: 'cancelled', status: 'cancelled' }),
      createAppointment({ id: 'held', status: 'held' }),
      createAppointment({ id: 'no-time', status: 'confirmed', start: null, end: null }),
    ],
    count: 4,
  });
  const { data } = await reloadStore({ ...$upcomingAppointments, revalidate: reloadUpcoming });
  expect(data?.map(({ id }) => id)).toEqual(['confirmed', 'held']);
  expect(calls[0]?.query.toString()).toBe('when=upcoming&order=soonest&skip=0&limit=200');
});

test('the belongings of an account are counted, list by list', async () => {
  const counts: Record<string, number> = {
    'designs/': 1,
    'images/portfolio': 2,
    'services/': 3,
    'appointments/': 4,
    'clients/': 5,
  };
  answer = ({ path }) => ({ data: [], count: counts[path] });
  const { data } = await reloadStore($accountContents);
  expect(data).toEqual({ designs: 1, pictures: 2, services: 3, appointments: 4, clients: 5 });
});

test('deleting the account takes a login of its own, then logs out everywhere', async () => {
  answer = ({ method }) =>
    method === 'DELETE' ? new Response(null, { status: 204 }) : { access_token: 'fresh' };
  await deleteAccount(ANA_SELF, 'correct horse');
  expect(calls.map(({ method, path, token }) => `${method} ${path} ${token}`)).toEqual([
    'POST login/access-token one',
    'DELETE users/me fresh',
  ]);
  expect($token.get()).toBeUndefined();
  showToastFromLastPage();
  expect(toastTexts()[0]).toContain('Account deleted.');
});

test('a wrong password deletes nothing and leaves the artist logged in', async () => {
  answer = () => problemResponse(400, 'Incorrect email or password');
  await expect(deleteAccount(ANA_SELF, 'wrong')).rejects.toMatchObject({ status: 400 });
  expect(calls).toHaveLength(1);
  expect($token.get()).toBe('one');
});
