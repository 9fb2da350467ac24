import { beforeEach, expect, test } from 'vitest';
import { signIn } from '#stores/session.ts';
import { $aroundDay, lookAtDay, takenOf } from '#stores/studio/day.ts';
import { type ApiCall, stubApi } from '#support/fake_api.ts';
import { appointmentOf, listed } from '#support/fake_studio.ts';
import { readAnew } from '#support/reading.ts';

let calls: ApiCall[];

beforeEach(() => {
  signIn('one');
  calls = stubApi(() =>
    listed(appointmentOf({ id: 'one' }), appointmentOf({ id: 'gone', status: 'cancelled' })),
  );
});

test('the day before and the day after are read too, in the studio’s zone', async () => {
  lookAtDay('America/New_York', '2026-03-08');
  await readAnew($aroundDay);
  // Clocks go forward on 8 March: the days before it are an hour later in UTC.
  expect(Object.fromEntries(calls[0]?.query ?? [])).toEqual({
    start: '2026-03-07T05:00:00Z',
    end: '2026-03-11T03:59:00Z',
  });
});

test('only what keeps its time is taken, and not the appointment that is being moved', async () => {
  lookAtDay('America/New_York', '2026-12-03');
  const { data = [] } = await readAnew($aroundDay);
  expect(data.map(({ appointment }) => appointment.id)).toEqual(['one']);
  expect(takenOf(data, null)).toEqual(data);
  expect(takenOf(data, 'one')).toEqual([]);
});

test('nothing is read while no day is looked at', async () => {
  lookAtDay('America/New_York', null);
  expect((await readAnew($aroundDay)).data).toBeUndefined();
  expect(calls).toEqual([]);
});
