import { expect, test } from 'vitest';
import { isReminderOfClockTime, missedReminder } from '#domain/mail/reminders.ts';
import { HOUR_MS } from '#domain/time/time.ts';

const NOW = Date.UTC(2026, 11, 1, 12);
const inHours = (hours: number) => NOW + hours * HOUR_MS;

test.for([
  { title: 'a start that moved to before the due time', before: 25, after: 22, missed: 24 },
  { title: 'a reminder that was due before the move', before: 23, after: 20, missed: null },
  { title: 'a reminder that is still ahead', before: 30, after: 27, missed: null },
  { title: 'a start that is over', before: 2, after: -1, missed: null },
  { title: 'two reminders, of which the nearest counts', before: 73, after: 22, missed: 24 },
])('missed reminders: $title', ({ before, after, missed }) => {
  const start = { before: inHours(before), after: inHours(after) };
  expect(missedReminder([72, 24], start, NOW, NOW)).toBe(missed);
});

test('a reminder that came due since the last sweep is missed when its appointment moves on', () => {
  const start = { before: inHours(24), after: inHours(21) };
  expect(missedReminder([24], start, NOW - 1, NOW)).toBe(24);
});

test('a reminder reported the clock time of another zone, not the instant', () => {
  const studio = (time_zone: string) => ({
    ...{ name: '', address_one: '', address_two: null, city: '', state: '', zip_code: '' },
    time_zone,
  });
  const time = (start: number) => ({ start, end: start + HOUR_MS });
  const reported = { time: time(NOW), studio: studio('America/New_York') };
  const isTold = (start: number, zone: string) => {
    const appointment = { time: time(start), studio: studio(zone) };
    return isReminderOfClockTime(reported, appointment);
  };
  expect(isTold(NOW, 'America/New_York')).toBe(true);
  expect(isTold(inHours(3), 'America/Los_Angeles')).toBe(true);
  expect(isTold(NOW, 'America/Los_Angeles')).toBe(false);
});
