import { beforeEach, expect, test } from 'vitest';
import { startSession } from '#stores/session.ts';
import { $appointmentsAroundDay, selectDay } from '#stores/studio/appointments_around_day.ts';
import { type ApiCall, stubApi } from '#support/fake_api.ts';
import { createAppointment, toListed } from '#support/fake_schedule_api.ts';
import { reloadStore } from '#support/query_stores.ts';

let calls: ApiCall[];

beforeEach(() => {
  startSession('one');
  calls = stubApi(() =>
    toListed(
      createAppointment({ id: 'one' }),
      createAppointment({ id: 'cancelled', status: 'cancelled' }),
    ),
  );
});

test('appointments are fetched from the day before to the day after, in the studio’s zone', async () => {
  selectDay('America/New_York', '2026-03-08');
  await reloadStore($appointmentsAroundDay);
  // Clocks go forward on 8 March: the days before it are an hour later in UTC.
  expect(Object.fromEntries(calls[0]?.query ?? [])).toEqual({
    start: '2026-03-07T05:00:00Z',
    end: '2026-03-11T03:59:00Z',
  });
});

test('only appointments that reserve their time are listed', async () => {
  selectDay('America/New_York', '2026-12-03');
  const { data = [] } = await reloadStore($appointmentsAroundDay);
  expect(data.map(({ appointment }) => appointment.id)).toEqual(['one']);
});

test('without a selected day nothing is fetched', async () => {
  selectDay('America/New_York', null);
  expect((await reloadStore($appointmentsAroundDay)).data).toBeUndefined();
  expect(calls).toEqual([]);
});
