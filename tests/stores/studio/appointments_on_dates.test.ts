import { expect, test } from 'vitest';
import { startSession } from '#stores/session.ts';
import { listAppointmentsOnDates } from '#stores/studio/appointments_on_dates.ts';
import { stubApi } from '#support/fake_api.ts';
import { toListed } from '#support/fake_schedule_api.ts';

test('the range lasts from the first midnight to the last minute, also when clocks change', async () => {
  startSession('one');
  const calls = stubApi(() => toListed());
  await listAppointmentsOnDates('America/New_York', '2026-03-08', '2026-03-08');
  expect(Object.fromEntries(calls[0]?.query ?? [])).toEqual({
    start: '2026-03-08T05:00:00Z',
    end: '2026-03-09T03:59:00Z',
  });
});
