import { beforeEach, expect, test } from 'vitest';
import { startSession } from '#stores/session.ts';
import {
  $accountContents,
  $avatarProgress,
  $upcomingAppointments,
  saveAvatar,
} from '#stores/studio/profile.ts';
import { $toasts } from '#stores/toasts.ts';
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
