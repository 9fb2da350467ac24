import { beforeEach, expect, test } from 'vitest';
import { $token, startSession } from '#stores/session.ts';
import { $me } from '#stores/studio/me.ts';
import {
  $accountContents,
  $avatarProgress,
  $upcomingAppointments,
  deleteAccount,
  saveAvatar,
  savePassword,
  saveProfile,
} from '#stores/studio/profile.ts';
import { $toasts, showToastFromLastPage } from '#stores/toasts.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { ANA_SELF, createAppointment, toastTexts } from '#support/fake_schedule_api.ts';
import { reloadStore } from '#support/query_stores.ts';

let calls: ApiCall[];
let respond: (call: ApiCall) => Response | object;

beforeEach(() => {
  respond = () => ANA_SELF;
  calls = stubApi((call) => respond(call));
  startSession('one');
  sessionStorage.clear();
  $toasts.set([]);
});

const picture = () => new Blob(['bytes'], { type: 'image/webp' });

test('a saved profile is shown without a reload', async () => {
  await reloadStore($me);
  respond = ({ body }) => ({ ...ANA_SELF, ...body });
  await saveProfile({ full_name: 'Ana R.' }, 'Your name was changed.');
  expect($me.get().data?.full_name).toBe('Ana R.');
  expect(toastTexts()).toEqual(['Saved. Your name was changed.']);
});

test('saving the profile rejects with the refusal of the API', async () => {
  respond = () => problemResponse(409, 'This username is taken');
  await expect(saveProfile({ username: 'bo' }, '')).rejects.toMatchObject({ status: 409 });
  expect(toastTexts()).toEqual([]);
});

test('an avatar upload reports its progress', async () => {
  const shares: (number | null)[] = [];
  const stop = $avatarProgress.listen((share) => shares.push(share));
  await saveAvatar(picture(), new AbortController().signal);
  stop();
  expect(shares).toEqual([0, 1, null]);
  expect(toastTexts()).toEqual(['Saved. Your new picture is on your page.']);
});

test('a refused avatar rejects and ends the progress', async () => {
  respond = () => problemResponse(415, 'Not a picture');
  const saving = saveAvatar(picture(), new AbortController().signal);
  await expect(saving).rejects.toMatchObject({ status: 415 });
  expect($avatarProgress.get()).toBeNull();
});

test('a password change stores the new token, so the artist stays logged in', async () => {
  respond = () => ({ access_token: 'two', token_type: 'bearer' });
  await savePassword({ current_password: 'old password', new_password: 'new password' });
  expect($token.get()).toBe('two');
  expect(calls).toMatchObject([{ method: 'PATCH', path: 'users/me/password', token: 'one' }]);
});

test('upcoming appointments include only booked ones', async () => {
  respond = () => ({
    data: [
      createAppointment({ id: 'confirmed' }),
      createAppointment({ id: 'cancelled', status: 'cancelled' }),
      createAppointment({ id: 'held', status: 'held' }),
      createAppointment({ id: 'no-time', status: 'confirmed', start: null, end: null }),
    ],
    count: 4,
  });
  const { data } = await reloadStore($upcomingAppointments);
  expect(data?.map(({ id }) => id)).toEqual(['confirmed', 'held']);
  expect(calls[0]?.query.toString()).toBe('when=upcoming&order=soonest&skip=0&limit=200');
});

test('the contents of an account are counted per list', async () => {
  const counts: Record<string, number> = {
    'designs/': 1,
    'images/portfolio': 2,
    'services/': 3,
    'appointments/': 4,
    'clients/': 5,
  };
  respond = ({ path }) => ({ data: [], count: counts[path] });
  const { data } = await reloadStore($accountContents);
  expect(data).toEqual({ designs: 1, pictures: 2, services: 3, appointments: 4, clients: 5 });
});

test('deleting the account first logs in again, then deletes it and logs out', async () => {
  respond = ({ method }) =>
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

test('with a wrong password the account is not deleted and the artist stays logged in', async () => {
  respond = () => problemResponse(400, 'Incorrect email or password');
  await expect(deleteAccount(ANA_SELF, 'wrong')).rejects.toMatchObject({ status: 400 });
  expect(calls).toHaveLength(1);
  expect($token.get()).toBe('one');
});
