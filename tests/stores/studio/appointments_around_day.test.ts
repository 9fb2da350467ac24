import { beforeEach, expect, test } from 'vitest';
import { startSession } from '#stores/session.ts';
import {
  $appointmentsAroundDay,
  selectDay,
  withoutAppointment,
} from '#stores/studio/appointments_around_day.ts';
import { type ApiCall, stubApi } from '#support/fake_api.ts';
import { createAppointment, toListed } from '#support/fake_schedule_api.ts';
import { reloadStore } from '#support/query_stores.ts';

let calls: ApiCall[];

beforeEach(() => {
  startSession('one');
  calls = stubApi(() =>
    toListed(
      createAppointment({ id: 'one' }),
      createAppointment({ id: 'gone', status: 'cancelled' }),
    ),
  );
});

test('the day before and the day after are read too, in the studio’s zone', async () => {
  selectDay('America/New_York', '2026-03-08');
  await reloadStore($appointmentsAroundDay);
  // Clocks go forward on 8 March: the days before it are an hour later in UTC.
  expect(Object.fromEntries(calls[0]?.query ?? [])).toEqual({
    start: '2026-03-07T05:00:00Z',
    end: '2026-03-11T03:59:00Z',
  });
});

test('only what keeps its time is taken, and not the appointment that is being moved', async () => {
  selectDay('America/New_York', '2026-12-03');
  const { data = [] } = await reloadStore($appointmentsAroundDay);
  expect(data.map(({ appointment }) => appointment.id)).toEqual(['one']);
  expect(withoutAppointment(data, null)).toEqual(data);
  expect(withoutAppointment(data, 'one')).toEqual([]);
});

test('nothing is read while no day is looked at', async () => {
  selectDay('America/New_York', null);
  expect((await reloadStore($appointmentsAroundDay)).data).toBeUndefined();
  expect(calls).toEqual([]);
});
