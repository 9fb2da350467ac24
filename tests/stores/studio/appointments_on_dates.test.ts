import { expect, test } from 'vitest';
import { startSession } from '#stores/session.ts';
import { listAppointmentsOnDates } from '#stores/studio/appointments_on_dates.ts';
import { stubApi } from '#support/fake_api.ts';
import { createAppointment, toListed } from '#support/fake_schedule_api.ts';

test('lists what lies on the dates by the offsets of each appointment', async () => {
  startSession('one');
  const timeOf = (start: string) => ({ id: start, start, end: start, blocked_until: null });
  const starts = ['2026-03-08T04:59:00Z', '2026-03-08T05:00:00Z', '2026-03-09T03:59:00Z'];
  const listed = [...starts, '2026-03-09T04:00:00Z'].map((start) =>
    createAppointment(timeOf(start)),
  );
  const calls = stubApi(() => toListed(...listed));
  const { data, count } = await listAppointmentsOnDates('2026-03-08', '2026-03-08');
  expect([data.map(({ start }) => start), count]).toEqual([starts.slice(1), 2]);
  // In any zone: the date begins first at UTC+14, and ends last at UTC-12.
  expect(Object.fromEntries(calls[0]?.query ?? [])).toEqual({
    start: '2026-03-07T10:00:00Z',
    end: '2026-03-09T11:59:00Z',
  });
});
