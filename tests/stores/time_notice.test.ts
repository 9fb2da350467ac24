import { expect, test } from 'vitest';
import { US_CONVENTIONS } from '#domain/date_conventions.ts';
import { takenTimeNotice } from '#stores/time_notice.ts';

const ZONE = 'America/New_York';
const TAKEN = '2026-12-01T15:00:00Z';
const FREE = { start: '2026-12-01T16:00:00Z', end: '2026-12-01T16:59:00Z' };

test('a notice about a taken time names it in the studio’s zone, with the free ones near it', () => {
  expect(takenTimeNotice(TAKEN, ZONE, US_CONVENTIONS, [FREE])).toEqual({
    text: 'Tue, Dec 1, 10:00 AM is taken. Free times near it:',
    nearest: [FREE],
  });
});

test('a notice says when no free time is near', () => {
  expect(takenTimeNotice(TAKEN, ZONE, US_CONVENTIONS, []).text).toBe(
    'Tue, Dec 1, 10:00 AM is taken. No free times near it.',
  );
});
